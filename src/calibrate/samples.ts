const MAXIMUM_REPORTED_TOKENS = 100_000_000;

/** True for a reported token count that something can be learnt from: a positive integer up to 100,000,000. */
export function isSample(count: unknown): count is number {
  return Number.isInteger(count) && (count as number) > 0 && (count as number) <= MAXIMUM_REPORTED_TOKENS;
}
