import {InvalidArgumentError} from 'commander';

const SPAN_MS = {h: 3_600_000, d: 86_400_000, w: 604_800_000};

/** A whole number of 0 or more. */
export function wholeNumber(text: string): number {
  return number(text, 'a whole number, 0 or more', (value) => Number.isSafeInteger(value) && value >= 0);
}

/** A whole number of 1 or more. */
export function positive(text: string): number {
  return number(text, 'a whole number, 1 or more', (value) => Number.isSafeInteger(value) && value >= 1);
}

/** A share in (0, 1]. */
export function fraction(text: string): number {
  return number(text, 'a number above 0 and up to 1', (value) => value > 0 && value <= 1);
}

/** A price of 0 or more. */
export function price(text: string): number {
  return number(text, 'a price, 0 or more', (value) => Number.isFinite(value) && value >= 0);
}

/** A port of 0 to 65535. */
export function port(text: string): number {
  return number(text, 'a port, 0 to 65535', (value) => Number.isSafeInteger(value) && value >= 0 && value <= 65_535);
}

/** One of these words. */
export function oneOf(...words: readonly string[]): (text: string) => string {
  return (text) => {
    if (!words.includes(text)) {
      throw new InvalidArgumentError(`Give ${words.join(' or ')}.`);
    }
    return text;
  };
}

/** Milliseconds since the epoch of a date, or of a span such as `30d`, `12h` or `2w` before now. */
export function time(text: string): number {
  const span = /^(\d+)([hdw])$/u.exec(text);
  const at = span ? Date.now() - Number(span[1]) * SPAN_MS[span[2] as keyof typeof SPAN_MS] : Date.parse(text);
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError('Give a date such as 2026-01-31, or a span such as 7d or 12h.');
  }
  return at;
}

/** Every value of an option that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

function number(text: string, what: string, isRight: (value: number) => boolean): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!isRight(value)) {
    throw new InvalidArgumentError(`Give ${what}.`);
  }
  return value;
}
