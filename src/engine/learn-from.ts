import {learn} from '../calibrate/calibration.ts';
import type {EstimatorName} from '../estimator-name.ts';
import type {ScopeMemory} from './scope-memory.ts';
import type {SentRequest} from './sent-request.ts';

interface Learning {
  readonly estimator: EstimatorName;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly memory: ScopeMemory;
}

/**
 * Learns from the count that was reported for a request. What is learnt is in use at once and stored while the turn goes on;
 * of a session that was deleted meanwhile it is taken back. Never rejects.
 */
export async function learnFrom(
  {state, basedOn, adoptions, model, figures}: SentRequest,
  reported: number,
  {estimator, clock, memory}: Learning,
): Promise<void> {
  // What the store refuses is taken back before something is learnt on top of it.
  while (state.samplesInFlight.size > 0) {
    await memory.waitForSamples([state]);
  }
  const {estimate, pinned, prediction, expected} = figures;
  const before = state.calibration(estimator, model);
  const learned = learn(estimator, before, estimate, reported);
  state.learn(estimator, model, learned);
  const sample = {
    record: {scope: state.scope, model, time: clock(), estimate: pinned, prediction, expected, reported},
    learned: {model, estimator, state: learned},
  };
  memory.saveCalibration(state, sample, basedOn, () => {
    if (state.calibration(estimator, model) === learned) {
      state.learn(estimator, model, before);
    }
  });
  // The count may be of a former life of the session, and the next call must not expect by it.
  if (state.adoptions !== adoptions) {
    await memory.waitForSamples([state]);
  }
}
