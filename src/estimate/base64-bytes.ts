/** Random access to the bytes behind a base64 text; only what is asked for is decoded. */
export class Base64Bytes {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** How many bytes the text stands for. */
  get length(): number {
    const padding = this.#text.endsWith('==') ? 2 : this.#text.endsWith('=') ? 1 : 0;
    return Math.floor(((this.#text.length - padding) * 3) / 4);
  }

  /** The bytes from `start`; fewer than `count` at the end of the data. */
  slice(start: number, count: number): Buffer {
    const group = Math.floor(start / 3);
    const text = this.#text.slice(group * 4, Math.ceil((start + count) / 3) * 4);
    return Buffer.from(text, 'base64').subarray(start - group * 3, start - group * 3 + count);
  }

  /** The bytes from `start` as Latin-1 text. */
  latin1(start: number, count: number): string {
    return this.slice(start, count).toString('latin1');
  }

  /** An unsigned integer of `count` bytes, big-endian; NaN past the end of the data. */
  uintBE(start: number, count: number): number {
    const bytes = this.slice(start, count);
    return bytes.length === count ? bytes.readUIntBE(0, count) : Number.NaN;
  }

  /** An unsigned integer of `count` bytes, little-endian; NaN past the end of the data. */
  uintLE(start: number, count: number): number {
    const bytes = this.slice(start, count);
    return bytes.length === count ? bytes.readUIntLE(0, count) : Number.NaN;
  }
}
