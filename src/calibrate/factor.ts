const KEPT_SHARE = 0.7;
const LOWEST = 0.5;
const HIGHEST = 2;

/** The factor before anything was reported. */
export const INITIAL_FACTOR = 1;

/** True for a value that `learnFactor` can have made: a number from 0.5 to 2. */
export function isFactor(value: unknown): value is number {
  return typeof value === 'number' && value >= LOWEST && value <= HIGHEST;
}

/** Tokens expected of a request whose raw figure is `raw`: the figure times the factor, rounded up. */
export function expectByFactor(factor: number, raw: number): number {
  return Math.ceil(raw * factor);
}

/** The factor after one more sample: 0.7 of the old one and 0.3 of what was observed, kept within 0.5 to 2. */
export function learnFactor(factor: number, raw: number, reported: number): number {
  if (raw <= 0) {
    return factor;
  }
  const next = KEPT_SHARE * factor + (1 - KEPT_SHARE) * (reported / raw);
  return Math.min(HIGHEST, Math.max(LOWEST, next));
}
