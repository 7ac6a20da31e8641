import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';

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
  if (typeof member === 'string') return quote(member);
  if (member === undefined) return undefined;
  if (typeof member !== 'object' || member === null) return String(member);
  ancestors.enter(member, key);
  const text = Array.isArray(member) ? writeArray(member, ancestors) : writeObject(member, ancestors);
  ancestors.leave();
  return text;
}

function writeArray(array: readonly unknown[], ancestors: Ancestors): string {
  let text = '[';
  for (let index = 0; index < array.length; index++) {
    if (index > 0) text += ',';
    text += write(array[index], index, ancestors) ?? 'null';
  }
  return `${text}]`;
}

function writeObject(object: object, ancestors: Ancestors): string {
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = write((object as Record<string, unknown>)[key], key, ancestors);
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quote(key)}:${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  return text.length < 64 && !ESCAPED.test(text) ? `"${text}"` : JSON.stringify(text);
}
