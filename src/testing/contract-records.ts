import type {Scope, SessionKey} from '../session-key.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from '../store/records.ts';

// One record of each kind with every field set, and text that a careless store damages.

export const KEY: SessionKey = {appName: 'app', userId: 'user', sessionId: 'session'};
export const SCOPE: Scope = {agentName: 'agent'};
export const OTHER_SCOPE: Scope = {agentName: 'agent', branch: 'parallel.agent', isolationScope: 'node-1'};

const USAGE = {promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12, thoughtsTokenCount: 1};

export const ELISION: CompactionRecord = {
  kind: 'elision',
  scope: SCOPE,
  time: 100,
  tokensBefore: 1000,
  tokensAfter: 400,
  covers: [
    {identity: 'sha256:aa', toolName: 'read', index: 2},
    {identity: 'sha256:bb', index: 5},
  ],
};

export const FOLD: CompactionRecord = {
  kind: 'fold',
  scope: SCOPE,
  time: 50,
  tokensBefore: 900,
  tokensAfter: 300,
  covers: [{identity: 'sha256:cc', index: 0}],
  split: 4,
  prefixHash: 'hash-1',
  output: [{role: 'user', parts: [{text: 'Summary \ud83d half, NUL \u0000, line \u2028'}]}],
  summary: 'Summary \ud83d half, NUL \u0000, line \u2028',
  pinned: [1, 2],
  usage: USAGE,
  responseId: 'response-\ud83d',
  outputTypes: ['message', 'compaction'],
  attempts: 2,
};

export const FAILED_FOLD: FailedFoldRecord = {
  kind: 'failed-fold',
  scope: SCOPE,
  time: 70,
  split: 4,
  prefixHash: 'hash-failed',
  tokensBefore: 900,
  errorClass: 'incomplete',
  reason: 'MAX_TOKENS',
  attempts: 2,
  usage: USAGE,
  responseId: 'response-2',
  outputTypes: ['message'],
};

export const SAMPLE: CalibrationRecord = {
  scope: SCOPE,
  model: 'gemini',
  time: 7,
  estimate: 10,
  prediction: 12,
  expected: 13,
  reported: 14,
};

export const LEARNED = {model: 'gemini', estimator: 'bytes', state: {factor: 1.25, samples: 3}} as const;
