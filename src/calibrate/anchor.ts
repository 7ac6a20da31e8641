const LOWEST_MARGINAL = 0.25;
const HIGHEST_MARGINAL = 4;
const SMALLEST_CHANGE = 500;
const SURPLUS_ALLOWANCE = 20_000;
const HIGHEST_FIRST_RATE = 3;
const INITIAL_WEIGHT = 2_000;
const KEPT_WEIGHT = 0.9;

/**
 * What was last reported, and what a change of the figure is worth. All members are tokens but for the marginal.
 *
 * `figure` and `reported` belong to the last call. `marginal` is reported tokens per token of the figure, 0.25 to 4: the
 * average over changes of the figure, each counting by its size and 0.9 of that with every later one; `weight` is what
 * stands behind it. `baseFigure` and `baseReported` belong to the call it was last learnt at, so that many small changes
 * add up to one that can be learnt from.
 */
export type Anchor = {
  readonly figure: number;
  readonly reported: number;
  readonly marginal: number;
  readonly weight: number;
  readonly baseFigure: number;
  readonly baseReported: number;
};

/** True for a value that `learnAnchor` can have made. */
export function isAnchor(value: {readonly [Member in keyof Anchor]?: unknown}): value is Anchor {
  const {figure, reported, marginal, weight, baseFigure, baseReported} = value;
  return (
    isCount(figure) &&
    isCount(reported) &&
    isCount(marginal) &&
    marginal === clampMarginal(marginal) &&
    isCount(weight) &&
    isCount(baseFigure) &&
    isCount(baseReported)
  );
}

/** Tokens expected of a request with this figure: what was last reported, and the change since at its marginal. */
export function expectByAnchor(anchor: Anchor | undefined, figure: number): number {
  if (anchor === undefined) {
    return Math.round(figure);
  }
  return Math.max(0, Math.round(anchor.reported + anchor.marginal * (figure - anchor.figure)));
}

/** The anchor after a call with this figure was reported to have had `reported` tokens. */
export function learnAnchor(anchor: Anchor | undefined, figure: number, reported: number): Anchor {
  const base = {baseFigure: figure, baseReported: reported};
  if (anchor === undefined) {
    return {figure, reported, marginal: firstMarginal(figure, reported), weight: INITIAL_WEIGHT, ...base};
  }
  const change = figure - anchor.baseFigure;
  if (Math.abs(change) < SMALLEST_CHANGE) {
    return {...anchor, figure, reported};
  }
  const observed = (reported - anchor.baseReported) / change;
  // A report that moved against the figure was moved by something else: it says nothing about the rate.
  if (observed <= 0) {
    return {...anchor, figure, reported, ...base};
  }
  const kept = KEPT_WEIGHT * anchor.weight;
  const weight = kept + Math.abs(change);
  const marginal = (kept * anchor.marginal + Math.abs(change) * clampMarginal(observed)) / weight;
  return {figure, reported, marginal: clampMarginal(marginal), weight, ...base};
}

/**
 * A first report cannot tell a rate from a constant surplus that the figure does not see, such as server tools. A
 * difference of up to 20,000 tokens, or one that would make the rate more than 3 or less than a third, is taken for a
 * surplus; only what exceeds it says something about the rate.
 */
function firstMarginal(figure: number, reported: number): number {
  if (reported > HIGHEST_FIRST_RATE * figure || figure > HIGHEST_FIRST_RATE * reported) {
    return 1;
  }
  const difference = reported - figure;
  const excess = Math.sign(difference) * Math.max(0, Math.abs(difference) - SURPLUS_ALLOWANCE);
  return clampMarginal(1 + excess / figure);
}

function clampMarginal(marginal: number): number {
  return Math.min(HIGHEST_MARGINAL, Math.max(LOWEST_MARGINAL, marginal));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
