import {toNormalForm} from '../json/normal-form.ts';

const DEEPEST_PLAIN = 500;

/**
 * The JSON text the stores write for a value: its normal form, keys in their own order, so that what is read back gives
 * the same request bytes as the value itself. Safe in a TEXT column: lone surrogates are escaped.
 *
 * Throws TypeError, naming the path, on a cycle; and what a getter or a `toJSON` throws.
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(isPlain(value, 0) ? value : toNormalForm(value));
}

/** True for what JSON.stringify writes in the normal form by itself, which saves a copy of nearly every event. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object')
    return typeof value !== 'bigint' && typeof value !== 'function' && (depth > 0 || value !== undefined);
  if (value === null) return true;
  if (depth > DEEPEST_PLAIN) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return (value as unknown[]).every((item) => isPlain(item, depth + 1));
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) {
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}
