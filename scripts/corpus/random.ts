/** Random values that are the same on every run: mulberry32 over a fixed seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A float from 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(0, items.length - 1)];
    if (item === undefined) {
      throw new Error('There is nothing to pick from.');
    }
    return item;
  }

  /** Joins `count` results of `make`. */
  repeat(count: number, separator: string, make: (index: number) => string): string {
    return Array.from({length: count}, (_, index) => make(index)).join(separator);
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({length: count}, () => this.integer(0, 255)));
  }

  hex(count: number): string {
    return this.bytes(Math.ceil(count / 2))
      .toString('hex')
      .slice(0, count);
  }

  uuid(): string {
    return [8, 4, 4, 4, 12].map((count) => this.hex(count)).join('-');
  }

  /** An ISO time in 2024 or 2025. */
  time(): string {
    return new Date(this.integer(1_704_067_200_000, 1_767_225_600_000)).toISOString();
  }
}
