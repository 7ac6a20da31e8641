import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';

/** Stands for a member that is not part of the JSON text. */
const LEFT_OUT = -1;
const NULL_BYTES = 4;

/**
 * UTF-8 length of `canonicalJson(value)`, counted without building or sorting anything.
 *
 * Never throws: a member that has no JSON form (it closes a cycle, nests deeper than 2,000 levels, or its getter or
 * `toJSON` throws) is left out like an undefined one.
 */
export function jsonByteLength(value: unknown): number {
  const bytes = memberBytes({'': value}, '', new Ancestors());
  return bytes === LEFT_OUT ? NULL_BYTES : bytes;
}

/** UTF-8 length of `JSON.stringify(text)`, the quotes included. */
export function jsonStringByteLength(text: string): number {
  let bytes = text.length + 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (unit < 0x20) bytes += controlExtraBytes(unit);
      else if (unit === 0x22 || unit === 0x5c) bytes += 1;
    } else if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
    else if (unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else bytes += 5;
  }
  return bytes;
}

/** `\b \t \n \f \r` take one byte more, the others (`\u0000`) five. */
function controlExtraBytes(unit: number): number {
  return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b ? 1 : 5;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function memberBytes(holder: object, key: string | number, ancestors: Ancestors): number {
  const depth = ancestors.depth;
  try {
    return valueBytes((holder as Record<string | number, unknown>)[key], key, ancestors);
  } catch {
    ancestors.leaveTo(depth);
    return LEFT_OUT;
  }
}

function valueBytes(value: unknown, key: string | number, ancestors: Ancestors): number {
  const member = toJsonMember(value, key);
  if (typeof member === 'string') return jsonStringByteLength(member);
  if (member === undefined) return LEFT_OUT;
  if (typeof member !== 'object' || member === null) return String(member).length;
  if (!ancestors.tryEnter(member, key)) return LEFT_OUT;
  const bytes = Array.isArray(member) ? arrayBytes(member, ancestors) : objectBytes(member, ancestors);
  ancestors.leave();
  return bytes;
}

function arrayBytes(array: readonly unknown[], ancestors: Ancestors): number {
  let bytes = Math.max(array.length + 1, 2);
  for (let index = 0; index < array.length; index++) {
    const member = memberBytes(array, index, ancestors);
    bytes += member === LEFT_OUT ? NULL_BYTES : member;
  }
  return bytes;
}

function objectBytes(object: object, ancestors: Ancestors): number {
  let bytes = 1;
  for (const key of Object.keys(object)) {
    const member = memberBytes(object, key, ancestors);
    if (member !== LEFT_OUT) bytes += jsonStringByteLength(key) + member + 2;
  }
  return Math.max(bytes, 2);
}
