import type {EstimatorName} from '../estimator-name.ts';
import {type Scope, scopeText} from '../session-key.ts';
import {type CalibrationRecord, type FailedFoldRecord, failureReason} from '../store/records.ts';
import type {ScopeState, SentFigures} from './scope-state.ts';

/** What compaction knows of one scope. Token figures are of the last request as sent. */
export interface ScopeStatus {
  readonly scope: Scope;
  /** The deciding figure, uncalibrated. Absent before the first call. */
  readonly estimate?: number;
  /** The pinned figure: `estimateRequest` with `media: 'modality'`. */
  readonly pinned?: number;
  /** `predictTokens`. */
  readonly prediction?: number;
  /** The deciding figure corrected by what was reported before. */
  readonly expected?: number;
  /** The prompt token count the provider reported. */
  readonly reported?: number;
  /** How far the expectation was off: (expected − reported) / reported. */
  readonly error?: number;
  /** Answers elided. */
  readonly elisions: number;
  /** Folds stored. */
  readonly folds: number;
  /** Turns dropped. */
  readonly drops: number;
  /** Set while no summary is asked for because the last one failed. */
  readonly backOff?: {
    /** Milliseconds since the epoch. */
    readonly since: number;
    readonly reason: string;
  };
}

export interface CompactionStatus {
  readonly scopes: readonly ScopeStatus[];
}

/**
 * @param samples the session's samples, oldest first: what is known of the last request when this process has sent none
 * @param failures the session's failed folds, oldest first; `undefined` when nothing backs off
 */
export function scopeStatus(
  state: ScopeState,
  estimator: EstimatorName,
  samples: readonly CalibrationRecord[],
  failures: readonly FailedFoldRecord[] | undefined,
): ScopeStatus {
  const backOff = failures && backOffOf(state, failures);
  const sent = state.lastSent ?? lastSampled(state.scope, estimator, samples);
  return {
    scope: state.scope,
    ...sent,
    ...(sent?.reported !== undefined && {error: (sent.expected - sent.reported) / sent.reported}),
    elisions: state.decisions.total('elision'),
    folds: state.snapshot?.folds.length ?? 0,
    drops: state.decisions.total('drop'),
    ...(backOff && {backOff}),
  };
}

function backOffOf(state: ScopeState, failures: readonly FailedFoldRecord[]): ScopeStatus['backOff'] {
  const {failed} = state.foldMemory;
  const scope = scopeText(state.scope);
  const isRemembered = (record: FailedFoldRecord): boolean =>
    scopeText(record.scope) === scope &&
    record.prefixHash === failed?.prefixHash &&
    record.split === failed?.split &&
    record.tokensBefore === failed?.tokensBefore;
  const record = [...failures, ...(state.lastFailure ? [state.lastFailure] : [])].findLast(isRemembered);
  return record && {since: record.time, reason: failureReason(record)};
}

function lastSampled(
  scope: Scope,
  estimator: EstimatorName,
  samples: readonly CalibrationRecord[],
): SentFigures | undefined {
  const text = scopeText(scope);
  const sample = samples.findLast((one) => scopeText(one.scope) === text);
  return (
    sample && {
      estimate: estimator === 'features' ? sample.prediction : sample.estimate,
      pinned: sample.estimate,
      prediction: sample.prediction,
      expected: sample.expected,
      reported: sample.reported,
    }
  );
}
