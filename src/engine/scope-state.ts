import type {CalibrationState} from '../calibrate/calibration.ts';
import type {EstimatorName} from '../estimator-name.ts';
import {type FoldedPrefix, FoldMemory, isSameFold} from '../fold/fold-memory.ts';
import {Decisions} from '../plan/decisions.ts';
import type {Scope, SessionKey} from '../session-key.ts';
import type {CommitResult, ScopeCommit, ScopeSnapshot} from '../store/compaction-store.ts';
import type {CompactionRecord, FailedFoldRecord} from '../store/records.ts';
import type {ScopeWarnings} from '../warnings.ts';
import type {CallMemo} from './measured-call.ts';

/** Figures of the last request as sent, in tokens. */
export interface SentFigures {
  /** The deciding figure, uncalibrated. */
  readonly estimate: number;
  /** `estimateRequest` with `media: 'modality'`. */
  readonly pinned: number;
  /** `predictTokens`. */
  readonly prediction: number;
  readonly expected: number;
  readonly reported?: number;
}

/** A commit that the store does not hold yet. */
export interface UnsavedCommit {
  readonly commit: ScopeCommit;
  /** True while the store is being asked. */
  isInFlight: boolean;
}

/** What this process knows of one scope: the store's snapshot, and what the store does not hold yet. */
export class ScopeState {
  readonly key: SessionKey;
  readonly scope: Scope;
  readonly warnings: ScopeWarnings;
  readonly unsaved = new Set<UnsavedCommit>();
  /** Samples that the store is being asked to keep. None of them rejects. */
  readonly samplesInFlight = new Set<Promise<void>>();
  readonly foldMemory = new FoldMemory();
  decisions = new Decisions();
  /** The snapshot this state was made from. */
  snapshot: ScopeSnapshot | undefined;
  /** The last request, to recognise its contents in the next one. */
  memo: CallMemo | undefined;
  lastSent: SentFigures | undefined;
  /** The last failed fold of this process that the back-off may go by; the store may not hold it yet. */
  lastFailure: FailedFoldRecord | undefined;
  /** Counts the beginnings and ends of writes, to notice one that came in between. */
  writes = 0;
  /** How often what the store holds was taken over: each time may be of another life of the session. */
  adoptions = 0;
  #calibrations = new Map<string, CalibrationState>();

  constructor(key: SessionKey, scope: Scope, warnings: ScopeWarnings) {
    this.key = key;
    this.scope = scope;
    this.warnings = warnings;
  }

  /** Takes over what the store holds; what it does not hold yet stays. Throws, and changes nothing, for what is no snapshot. */
  adopt(snapshot: ScopeSnapshot): void {
    const pending = [...this.unsaved].flatMap(({commit}) => commit.records.flatMap(foldedPrefix));
    const decisions = new Decisions();
    decisions.add(snapshot.decisions);
    for (const {commit} of this.unsaved) {
      decisions.add(commit.decisions);
    }
    const calibrations = new Map(
      snapshot.calibrations.map((one) => [calibrationKey(one.estimator, one.model), one.state]),
    );
    this.foldMemory.restore(snapshot.folds, snapshot.failedFold, (fold) =>
      pending.some((one) => isSameFold(one, fold)),
    );
    this.decisions = decisions;
    this.#calibrations = calibrations;
    this.snapshot = snapshot;
    this.adoptions += 1;
  }

  /** Takes a commit of its own for known, where nobody else wrote since the snapshot and no fold has to be read back. */
  goOn({records}: ScopeCommit, {revisions}: CommitResult): void {
    const {snapshot} = this;
    const hasFold = records.some(({kind}) => kind === 'fold' || kind === 'failed-fold');
    if (snapshot && revisions && snapshot.revision === revisions.before && !hasFold) {
      this.snapshot = {...snapshot, revision: revisions.after};
    }
  }

  calibration(estimator: EstimatorName, model: string): CalibrationState | undefined {
    return this.#calibrations.get(calibrationKey(estimator, model));
  }

  /** @param state undefined: nothing is known any more */
  learn(estimator: EstimatorName, model: string, state: CalibrationState | undefined): void {
    if (state === undefined) {
      this.#calibrations.delete(calibrationKey(estimator, model));
    } else {
      this.#calibrations.set(calibrationKey(estimator, model), state);
    }
  }
}

function foldedPrefix(record: CompactionRecord | FailedFoldRecord): FoldedPrefix[] {
  const {kind, split, prefixHash} = record;
  const isFold = kind === 'fold' || kind === 'failed-fold';
  return isFold && split !== undefined && prefixHash !== undefined ? [{split, prefixHash}] : [];
}

const calibrationKey = (estimator: EstimatorName, model: string): string => `${estimator}:${model}`;
