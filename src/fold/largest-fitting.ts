interface Tried {
  readonly value: number;
  readonly excess: number;
}

/**
 * The largest integer from 0 to `high` that fits; `undefined` when not even 0 does. `excess` tells by how much one is too much: at
 * most 0 when it fits. It must not fall from one to the next.
 *
 * Tried is where the line through the nearest two that are known meets 0: what grows evenly takes a handful of tries, where
 * halving would take a dozen. When that moves one end only, the half is tried in between.
 */
export function largestFitting(
  high: number,
  excess: (value: number) => number,
  excessOfHigh = excess(high),
): number | undefined {
  let fitting: Tried = {value: 0, excess: excess(0)};
  if (!(fitting.excess <= 0)) {
    return undefined;
  }
  if (excessOfHigh <= 0) {
    return high;
  }
  let failing: Tried = {value: high, excess: excessOfHigh};
  let isHalving = false;
  let didFit: boolean | undefined;
  while (failing.value - fitting.value > 1) {
    const value = isHalving ? halfway(fitting, failing) : onLine(fitting, failing);
    const tried: Tried = {value, excess: excess(value)};
    const fits = tried.excess <= 0;
    if (fits) {
      fitting = tried;
    } else {
      failing = tried;
    }
    isHalving = !isHalving && fits === didFit;
    didFit = fits;
  }
  return fitting.value;
}

function halfway(low: Tried, high: Tried): number {
  return Math.floor((low.value + high.value) / 2);
}

/** Where the line through both meets 0, between them. */
function onLine(low: Tried, high: Tried): number {
  const value = low.value - Math.floor((low.excess / (high.excess - low.excess)) * (high.value - low.value));
  return Number.isFinite(value) ? Math.min(Math.max(value, low.value + 1), high.value - 1) : halfway(low, high);
}
