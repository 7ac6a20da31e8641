import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {type CalibrationState, expectation, learn} from '../src/calibrate/calibration.ts';
import {predictContent} from '../src/estimate/predict-content.ts';
import {predictEnvelope} from '../src/estimate/predict-envelope.ts';
import {predictTokens} from '../src/estimate/predict-tokens.ts';
import {addPredictions, tokensOf} from '../src/estimate/prediction.ts';

/** A model call as it was predicted, expected from the calls before it, and reported; in tokens. */
export interface Call {
  readonly figure: number;
  readonly expected: number;
  readonly reported: number;
}

/** The folder of the recordings, or `undefined` where `ADK_COMPACTION_RECORDINGS` is not set. */
export const RECORDINGS: string | undefined = process.env.ADK_COMPACTION_RECORDINGS || undefined;

interface RecordedRequest {
  readonly session: string;
  readonly model: string;
  readonly request: Pick<LlmRequest, 'contents' | 'config'>;
  readonly promptTokenCount: number;
}

interface RecordedEvent {
  readonly content?: Content;
  readonly usageMetadata?: {readonly promptTokenCount: number};
}

/** The recorded Gemini requests: every call cold, and those after an earlier call of the same session, model and config. */
export function replayGeminiRequests(folder: string): {readonly cold: Call[]; readonly later: Call[]} {
  const states = new Map<string, CalibrationState>();
  const cold: Call[] = [];
  const later: Call[] = [];
  for (const row of readLines<RecordedRequest>(folder, 'gemini-requests.jsonl')) {
    const figure = predictTokens({model: row.model, liveConnectConfig: {}, toolsDict: {}, ...row.request});
    const key = JSON.stringify([row.session, row.model, row.request.config]);
    const state = states.get(key);
    const reported = row.promptTokenCount;
    cold.push({figure, expected: figure, reported});
    if (state) {
      later.push({figure, expected: expectation('features', state, figure), reported});
    }
    states.set(key, learn('features', state, figure, reported));
  }
  return {cold, later};
}

/**
 * The recorded coding session: the request of each model call is the contents before it. With `restartAt` what was learnt
 * goes through JSON before that call, as it does through a store.
 */
export function replayCodingSession(folder: string, restartAt?: number): Call[] {
  const calls: Call[] = [];
  let state: CalibrationState | undefined;
  let sum = predictEnvelope({contents: [], liveConnectConfig: {}, toolsDict: {}});
  for (const event of readLines<RecordedEvent>(folder, 'coding-session.adk.jsonl')) {
    const reported = event.usageMetadata?.promptTokenCount;
    if (reported !== undefined) {
      if (calls.length === restartAt) {
        state = JSON.parse(JSON.stringify(state));
      }
      const figure = tokensOf(sum, 'claude-sonnet-4-5');
      calls.push({figure, expected: expectation('features', state, figure), reported});
      state = learn('features', state, figure, reported);
    }
    if (event.content) {
      sum = addPredictions(sum, predictContent(event.content));
    }
  }
  return calls;
}

function readLines<Line>(folder: string, name: string): Line[] {
  return readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

export interface ErrorSummary {
  readonly calls: number;
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly worst: number;
}

/** Absolute errors of the expectation, in percent of what was reported. */
export function summarise(calls: readonly Call[]): ErrorSummary {
  const errors = calls
    .map(({expected, reported}) => (100 * Math.abs(expected - reported)) / reported)
    .sort((left, right) => left - right);
  const at = (share: number): number => errors[Math.min(errors.length - 1, Math.floor(share * errors.length))] ?? 0;
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return {calls: errors.length, mean, median: at(0.5), p95: at(0.95), worst: at(1)};
}
