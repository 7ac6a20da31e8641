import {KeyMemo} from './key-memo.ts';

const ORDERS = new KeyMemo((keys) => keys.toSorted());

/** The object's own enumerable keys, sorted by UTF-16 code unit. */
export function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  return keys.length < 2 ? keys : ORDERS.of(keys);
}
