import {toNormalForm} from '../json/normal-form.ts';

const DEEPEST_PLAIN = 500;

/**
 * The JSON text the stores write for a value: its normal form, keys in their own order, so that what is read back gives
 * the same request bytes as the value itself. Safe in a TEXT column: lone surrogates are escaped.
 *
 * Throws TypeError, naming the path, on a cycle; and what a getter or a `toJSON` throws.
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(isPlain(value) ? value : toNormalForm(value));
}

const isPlain = (value: unknown): boolean => value !== undefined && isPlainMember(value, 0);

/** True for what JSON.stringify writes in the normal form by itself, which saves a copy of nearly every event. */
function isPlainMember(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'object':
      return value === null || (depth <= DEEPEST_PLAIN && isPlainObject(value, depth + 1));
    case 'bigint':
    case 'function':
      return false;
    default:
      return true;
  }
}

function isPlainObject(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) {
    for (const item of value as unknown[]) {
      if (!isPlainMember(item, depth)) {
        return false;
      }
    }
    return true;
  }
  if (prototype !== Object.prototype && prototype !== null) {
    return false;
  }
  for (const key in value) {
    if (!isPlainMember((value as Record<string, unknown>)[key], depth)) {
      return false;
    }
  }
  return true;
}
