import type {Event} from '@google/adk';
import {type CalibrationState, expectation, learn} from '../calibrate/calibration.ts';
import {predictContent} from '../estimate/predict-content.ts';
import {addPredictions, type Prediction, tokensOf, ZERO_PREDICTION} from '../estimate/prediction.ts';
import {modelCalls} from '../replay/model-calls.ts';
import {scopeLabel, scopeText} from '../session-key.ts';
import type {CallView} from './view.ts';

/**
 * The model calls of a session that ran without compaction: what was reported, and what would have been expected from the
 * calls before. The request of a call is taken to be the contents of all events before it.
 */
export function recordedCallViews(events: readonly Event[]): CallView[] {
  const learned = new Map<string, CalibrationState>();
  const previous = new Map<string, number>();
  const sums = prefixSums(events);
  return modelCalls(events).map(({eventIndex, scope, time, model, reported, cached}): CallView => {
    const memory = JSON.stringify([scopeText(scope), model]);
    const figure = tokensOf(sums[eventIndex] ?? ZERO_PREDICTION, model);
    const state = learned.get(memory);
    const before = previous.get(memory);
    if (reported !== undefined) {
      learned.set(memory, learn('features', state, figure, reported));
      previous.set(memory, reported);
    }
    return {
      time,
      agent: scopeLabel(scope),
      model,
      expected: expectation('features', state, figure),
      ...(reported === undefined ? {} : {reported}),
      ...(reported && before ? {stableShare: Math.min(before / reported, 1)} : {}),
      ...(reported && cached !== undefined ? {cachedShare: cached / reported} : {}),
    };
  });
}

/** For each index the prediction of all contents before it. */
function prefixSums(events: readonly Event[]): Prediction[] {
  const sums = [ZERO_PREDICTION];
  for (const {content, partial} of events) {
    const sum = sums.at(-1) ?? ZERO_PREDICTION;
    sums.push(content && !partial ? addPredictions(sum, predictContent(content)) : sum);
  }
  return sums;
}
