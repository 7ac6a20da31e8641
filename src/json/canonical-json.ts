import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';
import {sortedKeys} from './sorted-keys.ts';
import {isSurrogate} from './utf16-units.ts';

/**
 * The canonical JSON text of a value: no white space, keys sorted by UTF-16 code unit, strings escaped as JSON.stringify
 * does (well formed: lone surrogates as `\udXXX`). Two values that JSON cannot tell apart have the same text, and so have
 * a value and what `JSON.parse` reads back from its text.
 *
 * `toJSON` is used where there is one; undefined, functions and symbols are left out (null in arrays and on their own);
 * NaN and infinities are null; a bigint is its decimal string; typed arrays, Buffers, ArrayBuffers and DataViews are their
 * bytes (in this machine's byte order) as a base64 string; Map and Set are `{}`; own `__proto__` keys are kept.
 *
 * Throws TypeError on a cycle and on a value nested deeper than 2,000 levels, and what a getter or a `toJSON` throws.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '', new Ancestors()) ?? 'null';
}

function write(value: unknown, key: string | number, ancestors: Ancestors): string | undefined {
  const member = toJsonMember(value, key);
  if (typeof member === 'string') {
    return quote(member);
  }
  if (member === undefined) {
    return undefined;
  }
  if (typeof member !== 'object' || member === null) {
    return String(member);
  }
  ancestors.enter(member, key);
  const text = Array.isArray(member) ? writeArray(member, ancestors) : writeObject(member, ancestors);
  ancestors.leave();
  return text;
}

function writeArray(array: readonly unknown[], ancestors: Ancestors): string {
  const members: string[] = [];
  for (let index = 0; index < array.length; index++) {
    members.push(write(array[index], index, ancestors) ?? 'null');
  }
  return `[${members.join(',')}]`;
}

function writeObject(object: object, ancestors: Ancestors): string {
  let text = '';
  for (const key of sortedKeys(object)) {
    const member = write((object as Record<string, unknown>)[key], key, ancestors);
    if (member !== undefined) {
      text += `${text === '' ? '{' : ','}${quote(key)}:${member}`;
    }
  }
  return text === '' ? '{}' : `${text}}`;
}

const SHORT_TEXT = 40;

function quote(text: string): string {
  return text.length < SHORT_TEXT && !needsEscape(text) ? `"${text}"` : JSON.stringify(text);
}

function needsEscape(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || isSurrogate(unit)) {
      return true;
    }
  }
  return false;
}
