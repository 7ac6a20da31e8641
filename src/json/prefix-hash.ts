import {hash} from 'node:crypto';
import type {Content} from '@google/genai';
import {canonicalJson} from './canonical-json.ts';

/** Lower-case hex of the SHA-256 of the UTF-8 bytes of `text`. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Names a list of contents: lower-case hex SHA-256 of its canonical JSON. `''` when it cannot be serialised (a cycle, a
 * `toJSON` that throws): such contents equal no others.
 */
export function prefixHash(contents: readonly Content[]): string {
  let text: string;
  try {
    text = canonicalJson(contents);
  } catch {
    return '';
  }
  return sha256Hex(text);
}
