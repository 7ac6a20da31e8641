const KEPT_SHARE = 0.7;
const LOWEST_MARGINAL = 0.25;
const HIGHEST_MARGINAL = 4;
const SMALLEST_CHANGE = 500;
const SURPLUS_ALLOWANCE = 20_000;

/**
 * What was last reported, and what a change of the figure is worth.
 *
 * `figure` and `reported` belong to the last call. `baseFigure` and `baseReported` belong to the call the marginal was
 * last learnt at, so that many small changes add up to one that can be learnt from. `marginal` is reported tokens per
 * token of the figure, 0.25 to 4.
 */
export type Anchor = {
  readonly figure: number;
  readonly reported: number;
  readonly marginal: number;
  readonly baseFigure: number;
  readonly baseReported: number;
};

/** True for a value that `learnAnchor` can have made. */
export function isAnchor(value: {readonly [Member in keyof Anchor]?: unknown}): value is Anchor {
  return (
    isCount(value.figure) &&
    isCount(value.reported) &&
    isCount(value.baseFigure) &&
    isCount(value.baseReported) &&
    isCount(value.marginal) &&
    value.marginal === clampMarginal(value.marginal)
  );
}

/** Tokens expected of a request with this figure: what was last reported, and the change since at its marginal. */
export function expectByAnchor(anchor: Anchor | undefined, figure: number): number {
  if (anchor === undefined) return Math.round(figure);
  return Math.max(0, Math.round(anchor.reported + anchor.marginal * (figure - anchor.figure)));
}

/** The anchor after a call with this figure was reported to have had `reported` tokens. */
export function learnAnchor(anchor: Anchor | undefined, figure: number, reported: number): Anchor {
  const latest = {figure, reported};
  if (anchor === undefined) {
    return {...latest, marginal: firstMarginal(figure, reported), baseFigure: figure, baseReported: reported};
  }
  const change = figure - anchor.baseFigure;
  if (Math.abs(change) < SMALLEST_CHANGE) return {...anchor, ...latest};
  const observed = (reported - anchor.baseReported) / change;
  return {...latest, marginal: average(anchor.marginal, observed), baseFigure: figure, baseReported: reported};
}

/**
 * A first report cannot tell a rate from a constant surplus that the figure does not see, such as server tools. A
 * difference of up to 20,000 tokens is taken for a surplus; only what exceeds it says something about the rate.
 */
function firstMarginal(figure: number, reported: number): number {
  if (figure < SMALLEST_CHANGE) return 1;
  const difference = reported - figure;
  const excess = Math.sign(difference) * Math.max(0, Math.abs(difference) - SURPLUS_ALLOWANCE);
  return clampMarginal(1 + excess / figure);
}

/** A report that moved against the figure was moved by something else: it says nothing about the rate. */
function average(marginal: number, observed: number): number {
  if (observed <= 0) return marginal;
  return clampMarginal(KEPT_SHARE * marginal + (1 - KEPT_SHARE) * clampMarginal(observed));
}

function clampMarginal(marginal: number): number {
  return Math.min(HIGHEST_MARGINAL, Math.max(LOWEST_MARGINAL, marginal));
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
