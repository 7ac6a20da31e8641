import type {EstimatorName} from '../estimator-name.ts';
import {type Anchor, expectByAnchor, isAnchor, learnAnchor} from './anchor.ts';
import {expectByFactor, INITIAL_FACTOR, isFactor, learnFactor} from './factor.ts';
import {isSample} from './samples.ts';

/**
 * What was learnt about one model in one scope by one estimator: numbers by name, JSON-safe. The members belong to the
 * estimator; a state that is not one of its own (damaged, or made by the other estimator) counts as none.
 */
export type CalibrationState = Readonly<Record<string, number>>;

/**
 * Tokens the provider is expected to report for a request with this figure, as an integer of at least 0: by the anchor for
 * `features`, by the factor for `bytes`. Without a state it is the figure itself.
 */
export function expectation(estimator: EstimatorName, state: CalibrationState | undefined, figure: number): number {
  switch (estimator) {
    case 'bytes':
      return expectByFactor(readFactor(state), figure);
    case 'features':
      return expectByAnchor(readAnchor(state), figure);
  }
}

/**
 * The state after one more call: `figure` is the uncalibrated figure of the request as sent, `reported` what the
 * provider counted. A count that is no sample teaches nothing.
 */
export function learn(
  estimator: EstimatorName,
  state: CalibrationState | undefined,
  figure: number,
  reported: number,
): CalibrationState {
  switch (estimator) {
    case 'bytes': {
      const factor = readFactor(state);
      return {factor: isSample(reported) ? learnFactor(factor, figure, reported) : factor};
    }
    case 'features': {
      const anchor = readAnchor(state);
      return isSample(reported) ? learnAnchor(anchor, figure, reported) : (anchor ?? {});
    }
  }
}

function readFactor(state: CalibrationState | undefined): number {
  const factor = state?.factor;
  return isFactor(factor) ? factor : INITIAL_FACTOR;
}

function readAnchor(state: CalibrationState | undefined): Anchor | undefined {
  return state && isAnchor(state) ? state : undefined;
}
