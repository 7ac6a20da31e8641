const MAX_REMEMBERED_KEYS = 64;

interface Remembered<Value> {
  readonly keys: readonly string[];
  readonly value: Value;
}

/** What is worked out from an object's keys. Rows of a table, calls of one tool have the same ones: it is done once for them. */
export class KeyMemo<Value> {
  readonly #derive: (keys: readonly string[]) => Value;
  /** For the last keys seen of each number of keys. */
  readonly #last: (Remembered<Value> | undefined)[] = [];

  constructor(derive: (keys: readonly string[]) => Value) {
    this.#derive = derive;
  }

  /** The value for these keys, in this order. */
  of(keys: readonly string[]): Value {
    const last = this.#last[keys.length];
    if (last && isSame(last.keys, keys)) {
      return last.value;
    }
    const value = this.#derive(keys);
    if (keys.length <= MAX_REMEMBERED_KEYS) {
      this.#last[keys.length] = {keys, value};
    }
    return value;
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
