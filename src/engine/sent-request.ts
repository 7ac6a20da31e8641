import {tokensOf} from '../estimate/prediction.ts';
import {modalityTokens} from '../estimate/weight.ts';
import type {View} from '../plan/view.ts';
import type {ModelCall} from './model-call.ts';
import type {ScopeState, SentFigures} from './scope-state.ts';
import type {Situation} from './situation.ts';

/** A request as it was sent: what a reported count is compared with. */
export interface SentRequest {
  readonly state: ScopeState;
  /** As in its `Situation`. */
  readonly basedOn: string | undefined;
  /** As in its `Situation`. */
  readonly adoptions: number;
  readonly model: string;
  readonly figures: SentFigures;
  /** False when the reported count says nothing about these contents. */
  readonly isComparable: boolean;
}

/** Notes what is sent, also as the last request of its scope. */
export function sentRequest(call: ModelCall, situation: Situation, view: View): SentRequest {
  const {state, basedOn, adoptions, model} = situation;
  const figures = {
    estimate: situation.figure(view.size),
    pinned: modalityTokens(view.size.weight),
    prediction: tokensOf(view.size.prediction, model),
    expected: situation.expected(view),
  };
  state.lastSent = figures;
  return {
    state,
    basedOn,
    adoptions,
    model,
    figures,
    isComparable: call.request.config?.cachedContent === undefined,
  };
}
