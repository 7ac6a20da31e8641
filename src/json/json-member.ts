import {types} from 'node:util';

/** A value after `toJSON` and unboxing: a JSON scalar, an array or object still to be walked, or `undefined` (left out). */
export type JsonMember = string | number | boolean | null | undefined | object;

/**
 * The first step of the normal form, the one place where it is decided: what stands for `value`, found under `key`.
 *
 * - strings, booleans, null and finite numbers stand for themselves (-0 is 0), NaN and infinities are null;
 * - bigint is its decimal string; typed arrays, Buffers, ArrayBuffers and DataViews are their bytes in base64, whether or
 *   not they have a `toJSON`: bytes that differ never look the same;
 * - `toJSON` is called where there is one (Date); boxed primitives are unboxed;
 * - undefined, symbols and functions give `undefined`; every other array or object is given back to be walked.
 *
 * Throws what a `toJSON` or a getter throws.
 */
export function toJsonMember(value: unknown, key: string | number): JsonMember {
  if (typeof value !== 'object' && typeof value !== 'function') {
    return fromPrimitive(value);
  }
  if (value === null) {
    return null;
  }
  const plain = isPlain(value);
  if (!plain && isBinary(value)) {
    return toBase64(value);
  }
  const toJSON = (value as {toJSON?: unknown}).toJSON;
  if (typeof toJSON !== 'function') {
    return plain ? value : unbox(value);
  }
  const result: unknown = toJSON.call(value, String(key));
  if (typeof result !== 'object' && typeof result !== 'function') {
    return fromPrimitive(result);
  }
  if (result === null) {
    return null;
  }
  return isBinary(result) ? toBase64(result) : unbox(result);
}

function fromPrimitive(value: unknown): JsonMember {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : null;
    case 'bigint':
      return String(value);
    default:
      return undefined;
  }
}

/** Made by a literal or by JSON.parse: nothing to unbox, no bytes. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function isBinary(value: object): value is ArrayBufferView | ArrayBufferLike {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

function toBase64(value: ArrayBufferView | ArrayBufferLike): string {
  if (value.byteLength === 0) {
    return '';
  }
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  return bytes.toString('base64');
}

function unbox(value: object): JsonMember {
  if (typeof value === 'function') {
    return undefined;
  }
  if (!types.isBoxedPrimitive(value)) {
    return value;
  }
  if (types.isNumberObject(value)) {
    return fromPrimitive(Number(value));
  }
  if (types.isStringObject(value)) {
    return String(value);
  }
  if (types.isBooleanObject(value)) {
    return Boolean.prototype.valueOf.call(value);
  }
  return types.isBigIntObject(value) ? fromPrimitive(BigInt.prototype.valueOf.call(value)) : value;
}
