interface KeyOrder {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
}

const MAX_REMEMBERED_KEYS = 64;

/** The last key order seen for each number of keys: rows of a table, calls of one tool are sorted once. */
const lastOrders: (KeyOrder | undefined)[] = [];

/** The object's own enumerable keys, sorted by UTF-16 code unit. */
export function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  if (keys.length < 2) {
    return keys;
  }
  const last = lastOrders[keys.length];
  if (last?.keys.every((key, index) => key === keys[index])) {
    return last.sorted;
  }
  const sorted = keys.toSorted();
  if (keys.length <= MAX_REMEMBERED_KEYS) {
    lastOrders[keys.length] = {keys, sorted};
  }
  return sorted;
}
