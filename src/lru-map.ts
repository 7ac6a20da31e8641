/** A map that keeps the `limit` entries used last. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value of a key, made by `create` when there is none. Counts as a use. */
  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.#entries.get(key);
    const value = known ?? create();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return value;
  }

  /** The value of a key, without counting as a use. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}
