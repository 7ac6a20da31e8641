import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';

/** Stands for a member that is not part of the JSON text. */
const LEFT_OUT = -1;
const NULL_BYTES = 4;

/** Copying the code units out and reading a typed array is three times as fast as `charCodeAt`, from this length on. */
const COPY_FROM_LENGTH = 32;
const UNITS = new Uint16Array(32_768);
const UNITS_BUFFER = Buffer.from(UNITS.buffer);

/** What each UTF-16 code unit of a well-formed string takes in JSON text: escapes, and half a surrogate pair each, included. */
const UNIT_BYTES = Uint8Array.from({length: 0x1_0000}, (_, unit) => {
  if (unit >= 0xd800 && unit <= 0xdfff) return 2;
  return Buffer.byteLength(JSON.stringify(String.fromCharCode(unit))) - 2;
});

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
  if (!text.isWellFormed()) return Buffer.byteLength(JSON.stringify(text));
  let bytes = 2;
  if (text.length < COPY_FROM_LENGTH) {
    for (let index = 0; index < text.length; index++) bytes += UNIT_BYTES[text.charCodeAt(index)] as number;
    return bytes;
  }
  if (text.length <= UNITS.length) return bytes + copiedBytes(text);
  for (let start = 0; start < text.length; start += UNITS.length) {
    bytes += copiedBytes(text.slice(start, start + UNITS.length));
  }
  return bytes;
}

function copiedBytes(text: string): number {
  UNITS_BUFFER.write(text, 'utf16le');
  const {length} = text;
  let bytes = 0;
  for (let index = 0; index < length; index++) bytes += UNIT_BYTES[UNITS[index] as number] as number;
  return bytes;
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
