import {toNormalForm} from '../json/normal-form.ts';

/**
 * The JSON text the stores write for a value: its normal form, keys in their own order, so that what is read back gives
 * the same request bytes as the value itself. Safe in a TEXT column: lone surrogates are escaped.
 *
 * Throws TypeError, naming the path, on a cycle; and what a getter or a `toJSON` throws.
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(toNormalForm(value));
}
