const MAX_REMEMBERED_KEYS = 64;

interface Costs<T> {
  readonly keys: readonly string[];
  readonly costs: readonly T[];
}

/** What keys cost, by a function of the key. Rows of a table, calls of one tool are worked out once. */
export class KeyCosts<T> {
  readonly #costOf: (key: string) => T;
  /** The last keys seen for each number of keys. */
  readonly #last: (Costs<T> | undefined)[] = [];

  constructor(costOf: (key: string) => T) {
    this.#costOf = costOf;
  }

  /** The cost of each key, in the order of the keys. */
  of(keys: readonly string[]): readonly T[] {
    const last = this.#last[keys.length];
    if (last && isSame(last.keys, keys)) {
      return last.costs;
    }
    const costs = keys.map((key) => this.#costOf(key));
    if (keys.length <= MAX_REMEMBERED_KEYS) {
      this.#last[keys.length] = {keys, costs};
    }
    return costs;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}
