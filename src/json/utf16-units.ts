/** How many units `UNITS` holds. */
export const UNITS_LENGTH = 32_768;

/** Where `copyUnits` and `copyPairs` put a text; overwritten by the next one. */
export const UNITS = new Uint16Array(UNITS_LENGTH);

const BYTES = Buffer.from(UNITS.buffer);

/** Copying the units out pays from this length on. */
export const COPY_FROM_LENGTH = 32;

/** Asking and copying pays from this length on. */
const PAIRS_FROM_LENGTH = 256;

/**
 * Copies the UTF-16 units of a text of at most `UNITS_LENGTH` into `UNITS`: reading a long text from there is faster than by
 * `charCodeAt`.
 */
export function copyUnits(text: string): void {
  BYTES.write(text, 'utf16le');
}

/**
 * Copies a long text of nothing but ASCII into `UNITS`, two characters to an element, the first in the low byte: half as many
 * elements to read. False, and nothing copied, for any other text. An odd last character is left out.
 */
export function copyPairs(text: string): boolean {
  if (text.length < PAIRS_FROM_LENGTH || Buffer.byteLength(text) !== text.length) {
    return false;
  }
  BYTES.write(text, 'latin1');
  return true;
}

/** True for half a pair, and for a lone surrogate. */
export function isSurrogate(unit: number): boolean {
  return (unit & 0xf800) === 0xd800;
}

/** The first character of an element that `copyPairs` made. */
export function firstOf(pair: number): number {
  return pair & 0x7f;
}

/** The second character of an element that `copyPairs` made. */
export function secondOf(pair: number): number {
  return (pair >> 8) & 0x7f;
}
