import {expectation} from '../calibrate/calibration.ts';
import type {MeasuredRequest} from '../estimate/measure.ts';
import {decidingFigure, type Figure} from '../estimate/size.ts';
import type {Bounds} from '../plan/bounds.ts';
import type {View} from '../plan/view.ts';
import type {ResolvedPolicy} from '../policy.ts';
import type {ScopeState} from './scope-state.ts';

/** Everything one model call is decided by. */
export interface Situation {
  readonly state: ScopeState;
  readonly request: MeasuredRequest;
  readonly bounds: Bounds;
  readonly model: string;
  readonly contextTokens: number;
  /** Expected tokens from which on something is done. */
  readonly triggerTokens: number;
  /** Expected tokens to come down to. */
  readonly targetTokens: number;
  /** True when the host asked for a compaction whatever the estimate says. */
  readonly isForced: boolean;
  readonly figure: Figure;
  /** Tokens the provider is expected to report for a view. */
  expected(view: View): number;
  /** True when the host's predicate pins the content. */
  isPinned(content: number): boolean;
}

export function situationOf(
  policy: ResolvedPolicy,
  facts: Pick<Situation, 'state' | 'request' | 'bounds' | 'model' | 'contextTokens' | 'isForced' | 'isPinned'>,
): Situation {
  const {state, model, contextTokens} = facts;
  const figure = decidingFigure(policy.estimator, model);
  const learnt = policy.calibration ? state.calibration(policy.estimator, model) : undefined;
  return {
    ...facts,
    figure,
    triggerTokens: Math.floor(contextTokens * policy.triggerFraction),
    targetTokens: Math.floor(contextTokens * policy.targetFraction),
    expected: (view) => expectation(policy.estimator, learnt, figure(view.size)),
  };
}
