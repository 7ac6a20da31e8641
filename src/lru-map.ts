export interface LruMapOptions<Value> {
  /** Called with each value that had to go. */
  readonly onEvict?: (value: Value) => void;
  /** True for a value that must not go yet; the map grows beyond its limit while all are needed. Default none. */
  readonly isNeeded?: (value: Value) => boolean;
}

/** A map that keeps the `limit` entries used last. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #options: LruMapOptions<Value>;
  /** Used last: one that is used again and again need not be moved. */
  #newest: Key | undefined;

  constructor(limit: number, options: LruMapOptions<Value> = {}) {
    this.#limit = limit;
    this.#options = options;
  }

  /** The value of a key. Counts as a use. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
    }
    return value;
  }

  /** The value of a key, made by `create` when there is none. Counts as a use. */
  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = create();
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size > this.#limit) {
      this.#evictOldest();
    }
    return value;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #evictOldest(): void {
    const {onEvict, isNeeded} = this.#options;
    for (const [key, value] of this.#entries) {
      if (!isNeeded?.(value)) {
        this.#entries.delete(key);
        onEvict?.(value);
        return;
      }
    }
  }
}
