const MAX_REMEMBERED_KEYS = 64;

interface Costs {
  readonly keys: readonly string[];
  readonly costs: readonly number[];
}

/** What keys cost, by a function of the key. Rows of a table, calls of one tool are worked out once. */
export class KeyCosts {
  readonly #costOf: (key: string) => number;
  /** The last keys seen for each number of keys. */
  readonly #last: (Costs | undefined)[] = [];

  constructor(costOf: (key: string) => number) {
    this.#costOf = costOf;
  }

  /** The cost of each key, in the order of the keys. */
  of(keys: readonly string[]): readonly number[] {
    const last = this.#last[keys.length];
    if (last && isSame(last.keys, keys)) {
      return last.costs;
    }
    const costs = keys.map(this.#costOf);
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
