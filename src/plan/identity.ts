import {canonicalJson} from '../json/canonical-json.ts';
import {sha256Hex} from '../json/prefix-hash.ts';

/**
 * `sha256:<hex>` of the canonical JSON of a value; `undefined` when it has none (a cycle): what cannot be named cannot be
 * decided on.
 */
export function identityOf(value: unknown): string | undefined {
  try {
    return `sha256:${sha256Hex(canonicalJson(value))}`;
  } catch {
    return undefined;
  }
}

/** Numbers equal identities in order of appearance, from 1. */
export class OccurrenceCounter {
  readonly #seen = new Map<string, number>();

  next(identity: string): number {
    const occurrence = (this.#seen.get(identity) ?? 0) + 1;
    this.#seen.set(identity, occurrence);
    return occurrence;
  }

  /** Undoes the last `next` of an identity. */
  takeBack(identity: string): void {
    this.#seen.set(identity, (this.#seen.get(identity) ?? 1) - 1);
  }
}
