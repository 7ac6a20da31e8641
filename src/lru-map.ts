/** A map that keeps the `limit` entries used last. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #onEvict: (value: Value) => void;

  /** @param onEvict called with each value that had to go */
  constructor(limit: number, onEvict: (value: Value) => void = () => {}) {
    this.#limit = limit;
    this.#onEvict = onEvict;
  }

  /** The value of a key. Counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** The value of a key, made by `create` when there is none. Counts as a use. */
  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = create();
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#evictOldest();
    return value;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #evictOldest(): void {
    for (const [key, value] of this.#entries) {
      this.#entries.delete(key);
      this.#onEvict(value);
      return;
    }
  }
}
