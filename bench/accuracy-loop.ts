import {type CalibrationState, expectation, learn} from '../src/calibrate/calibration.ts';
import type {EstimatorName} from '../src/estimator-name.ts';
import type {Call} from './accuracy-recordings.ts';

/** A piece of a conversation: its figure and what it truly costs, in tokens. */
export interface Piece {
  readonly figure: number;
  readonly tokens: number;
}

export interface LoopOptions {
  readonly estimator?: EstimatorName;
  readonly contextTokens: number;
  /** Tokens of every request that the figure does not see. */
  readonly surplus?: number;
  /** Chance to change what is reported, by call; `undefined` when nothing is reported. */
  report?(reported: number, call: number): number | undefined;
}

export interface LoopResult {
  readonly calls: readonly Call[];
  /** Index of each call that a compaction preceded. */
  readonly compactions: readonly number[];
}

const TRIGGER_FRACTION = 0.85;
const TARGET_FRACTION = 0.6;
const MARKER: Piece = {figure: 4, tokens: 4};

/**
 * An agent loop: every call adds a piece, the expectation decides, and the oldest pieces are elided down to the target
 * once it reaches the trigger.
 */
export function runLoop(pieces: readonly Piece[], options: LoopOptions): LoopResult {
  const {estimator = 'features', contextTokens, surplus = 0, report = (reported) => reported} = options;
  const calls: Call[] = [];
  const compactions: number[] = [];
  const request: Piece[] = [];
  let state: CalibrationState | undefined;
  let elided = 0;
  for (const piece of pieces) {
    request.push(piece);
    const expect = (): number => expectation(estimator, state, total(request, 'figure'));
    if (expect() >= Math.floor(TRIGGER_FRACTION * contextTokens)) {
      compactions.push(calls.length);
      while (elided < request.length - 1 && expect() > Math.floor(TARGET_FRACTION * contextTokens)) {
        request[elided] = MARKER;
        elided += 1;
      }
    }
    const figure = total(request, 'figure');
    const reported = surplus + total(request, 'tokens');
    calls.push({figure, expected: expect(), reported});
    const told = report(reported, calls.length - 1);
    if (told !== undefined) {
      state = learn(estimator, state, figure, told);
    }
  }
  return {calls, compactions};
}

function total(pieces: readonly Piece[], member: keyof Piece): number {
  return Math.round(pieces.reduce((sum, piece) => sum + piece[member], 0));
}
