import {scopeText} from '../session-key.ts';
import type {CalibrationRecord} from '../store/records.ts';
import type {RecordedCall} from './model-calls.ts';

/**
 * Stands for the provider in a replay: tells what it would have reported for another request than the recorded one. It adds
 * to the recorded count what the difference in predicted tokens is worth in the session's own counts. What a session does
 * not hold (system instruction, tools) is part of the recorded count and stays.
 */
export class ProviderCount {
  readonly #slope: number;

  /** @param slope reported tokens per predicted token */
  constructor(slope: number) {
    this.#slope = slope;
  }

  /**
   * The count for a request whose contents are predicted at `sentTokens`; that prediction itself where nothing was reported.
   *
   * @param recordedTokens what the contents that went out when the session was recorded are predicted at
   */
  of(call: RecordedCall, recordedTokens: number, sentTokens: number): number {
    if (call.reported === undefined) {
      return sentTokens;
    }
    return Math.max(1, Math.round(call.reported + this.#slope * (sentTokens - recordedTokens)));
  }

  /** What a part of a request is worth: the tokens of contents that were predicted at `tokens`. */
  worth(call: RecordedCall, tokens: number): number {
    return call.reported === undefined ? tokens : Math.round(this.#slope * tokens);
  }
}

const SLOPE_LIMITS = {lowest: 0.25, highest: 4};

/** A call's size as predicted and as reported. */
export interface CountedCall {
  readonly predicted: number;
  readonly reported: number;
}

/**
 * Reported tokens per predicted token: the growth of one over the growth of the other, over the calls of each scope. Steps
 * where either fell are left out: a compaction came in between. 1 where nothing can be learnt.
 */
export function countSlope(scopes: Iterable<readonly CountedCall[]>): number {
  let predicted = 0;
  let reported = 0;
  for (const calls of scopes) {
    calls.forEach((call, index) => {
      const previous = calls[index - 1];
      if (previous === undefined || call.predicted <= previous.predicted || call.reported <= previous.reported) {
        return;
      }
      predicted += call.predicted - previous.predicted;
      reported += call.reported - previous.reported;
    });
  }
  const slope = predicted > 0 ? reported / predicted : 1;
  return Math.min(Math.max(slope, SLOPE_LIMITS.lowest), SLOPE_LIMITS.highest);
}

/** The sample that a manager took of each recorded call, by scope, in order, found by the count both hold. */
export function sampledCalls(
  calls: readonly RecordedCall[],
  samples: readonly CalibrationRecord[],
): Map<RecordedCall, CalibrationRecord> {
  const waiting = new Map<string, CalibrationRecord[]>();
  for (const sample of samples) {
    const scope = scopeText(sample.scope);
    const queue = waiting.get(scope) ?? [];
    queue.push(sample);
    waiting.set(scope, queue);
  }
  const found = new Map<RecordedCall, CalibrationRecord>();
  for (const call of calls) {
    const queue = waiting.get(scopeText(call.scope)) ?? [];
    const index = queue.findIndex((sample) => sample.reported === call.reported);
    const sample = queue[index];
    if (sample === undefined) {
      continue;
    }
    queue.splice(0, index + 1);
    found.set(call, sample);
  }
  return found;
}
