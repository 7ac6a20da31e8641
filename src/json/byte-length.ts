import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';
import {KeyMemo} from './key-memo.ts';
import {
  COPY_FROM_LENGTH,
  copyPairs,
  copyUnits,
  firstOf,
  isSurrogate,
  secondOf,
  UNITS,
  UNITS_LENGTH,
} from './utf16-units.ts';

/** Stands for a member that is not part of the JSON text. */
export const LEFT_OUT = -1;
/** What stands in an array, or alone, for a value that is left out: `null`. */
export const NULL_BYTES = 4;

/** What each UTF-16 code unit of a well-formed string takes in JSON text: escapes, and half a surrogate pair each, included. */
const UNIT_BYTES = Uint8Array.from({length: 0x1_0000}, (_, unit) => {
  if (isSurrogate(unit)) {
    return 2;
  }
  return Buffer.byteLength(JSON.stringify(String.fromCharCode(unit))) - 2;
});

/** The part of `UNIT_BYTES` for ASCII: small enough to stay in the processor's cache. */
const ASCII_BYTES = UNIT_BYTES.slice(0, 0x80);

const KEY_BYTES = new KeyMemo((keys) => keys.map(jsonStringByteLength));

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
  if (text.length < COPY_FROM_LENGTH) {
    return shortStringBytes(text);
  }
  if (!text.isWellFormed()) {
    return writtenBytes(text);
  }
  if (text.length <= UNITS_LENGTH) {
    return 2 + copiedBytes(text);
  }
  let bytes = 2;
  for (let start = 0; start < text.length; start += UNITS_LENGTH) {
    bytes += copiedBytes(text.slice(start, start + UNITS_LENGTH));
  }
  return bytes;
}

function shortStringBytes(text: string): number {
  let bytes = 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (isSurrogate(unit)) {
      return writtenBytes(text);
    }
    bytes += UNIT_BYTES[unit] as number;
  }
  return bytes;
}

/** A lone surrogate is escaped, a pair is not: left to the one who writes them. */
function writtenBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function copiedBytes(text: string): number {
  if (copyPairs(text)) {
    return pairBytes(text.length >> 1) + shortStringBytes(text.slice(text.length & ~1)) - 2;
  }
  copyUnits(text);
  const {length} = text;
  let bytes = 0;
  for (let index = 0; index < length; index++) {
    bytes += UNIT_BYTES[UNITS[index] as number] as number;
  }
  return bytes;
}

function pairBytes(length: number): number {
  let bytes = 0;
  for (let index = 0; index < length; index++) {
    const pair = UNITS[index] as number;
    bytes += (ASCII_BYTES[firstOf(pair)] as number) + (ASCII_BYTES[secondOf(pair)] as number);
  }
  return bytes;
}

/** UTF-8 length of the JSON of `holder[key]`, found below `ancestors`; `LEFT_OUT` when it has none. Never throws. */
export function memberBytes(holder: object, key: string | number, ancestors: Ancestors): number {
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
  if (typeof member === 'string') {
    return jsonStringByteLength(member);
  }
  if (member === undefined) {
    return LEFT_OUT;
  }
  if (typeof member !== 'object' || member === null) {
    return String(member).length;
  }
  if (!ancestors.tryEnter(member, key)) {
    return LEFT_OUT;
  }
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
  const keys = Object.keys(object);
  const costs = KEY_BYTES.of(keys);
  for (let index = 0; index < keys.length; index++) {
    const member = memberBytes(object, keys[index] as string, ancestors);
    if (member !== LEFT_OUT) {
      bytes += (costs[index] as number) + member + 2;
    }
  }
  return Math.max(bytes, 2);
}
