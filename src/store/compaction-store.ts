import type {Content} from '@google/genai';
import {CompactionError} from '../errors.ts';
import type {EstimatorName} from '../estimator-name.ts';
import {type Scope, type SessionKey, sessionKeyText} from '../session-key.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from './records.ts';

/** How often one identity was decided on: its first `occurrences` occurrences in a request are covered. */
export interface Decision {
  readonly kind: 'elision' | 'drop';
  readonly identity: string;
  readonly occurrences: number;
}

/** A fold as it is stored: what stands for the first `split` contents, and which of them are kept beside it. */
export interface StoredFold {
  readonly split: number;
  readonly prefixHash: string;
  readonly output: readonly Content[];
  /** Indices into the prefix. */
  readonly pinned: readonly number[];
}

/** The failure the back-off goes by. */
export interface FailedFoldMemory {
  readonly split: number;
  readonly prefixHash: string;
  readonly tokensBefore: number;
}

/** What was learnt about one model: a plain value that the `calibrate` reducers made and understand. */
export interface LearnedCalibration {
  readonly model: string;
  readonly estimator: EstimatorName;
  /** Numbers by name, JSON-safe and finite. */
  readonly state: Readonly<Record<string, number>>;
}

/** Everything a manager needs to go on with one scope. */
export interface ScopeSnapshot {
  /** Changes with every commit and every deletion; never the same again after a deletion. */
  readonly revision: string;
  readonly decisions: readonly Decision[];
  /** In the order of writing. */
  readonly folds: readonly StoredFold[];
  /** The newest failed fold with a prefix hash, unless a fold was stored after it. Order is that of writing. */
  readonly failedFold?: FailedFoldMemory;
  readonly calibrations: readonly LearnedCalibration[];
  /** What could not be read and was left out, one short name each (such as `fold 12`). Empty when all is well. */
  readonly unreadable: readonly string[];
}

/** One atomic unit: the records of a compaction and the decisions they stand for. */
export interface ScopeCommit {
  /** At most one of them is a fold. */
  readonly records: readonly (CompactionRecord | FailedFoldRecord)[];
  /** Each raises the stored `occurrences` to its own when that is higher; none lowers it. */
  readonly decisions: readonly Decision[];
  /**
   * The revision of the snapshot it was decided on. When the session was deleted since, nothing is stored and the commit
   * rejects with `SessionDeletedError`: what a running turn knew must not outlive the deletion. Default: not checked.
   */
  readonly basedOn?: string | undefined;
}

export interface CommitResult {
  /** Set when a readable fold of this scope and prefix was already stored: it stays, the committed one is not stored. */
  readonly existingFold?: StoredFold;
  /**
   * The revisions before and after the commit: who knew the first knows all of the second, and need not load it. Without them
   * a scope is loaded again after each commit.
   */
  readonly revisions?: {readonly before: string; readonly after: string};
}

/**
 * Where compaction remembers. Every method is one atomic unit of work: it happens whole or not at all, and what it
 * resolved is seen by every later call, in this process and in others. A store never looks into another session's or
 * scope's rows.
 *
 * Implementations are checked by `compactionStoreContract` from `adk-compaction/testing`.
 */
export interface CompactionStore {
  /**
   * The state of one scope; an empty one, with a revision, when nothing is known. Resolves to `undefined` when
   * `knownRevision` is still the current one.
   */
  load(key: SessionKey, scope: Scope, knownRevision?: string): Promise<ScopeSnapshot | undefined>;
  /** Stores records and decisions together. */
  commit(key: SessionKey, scope: Scope, commit: ScopeCommit): Promise<CommitResult>;
  /**
   * Stores one sample and replaces what is known of its model and estimator. Does not change the revision. `basedOn` is the
   * one of `ScopeCommit`. The turn does not wait for it; it may resolve when something else is written.
   */
  saveCalibration(
    key: SessionKey,
    scope: Scope,
    sample: CalibrationRecord,
    learned: LearnedCalibration,
    basedOn?: string,
  ): Promise<void>;
  /** Every scope with a row of any kind, in the order first seen. */
  scopes(key: SessionKey): Promise<Scope[]>;
  /** Elisions, folds and drops of all scopes, oldest first. */
  records(key: SessionKey): Promise<CompactionRecord[]>;
  /** Failed folds of all scopes, oldest first. */
  failedFolds(key: SessionKey): Promise<FailedFoldRecord[]>;
  /** Samples of all scopes, oldest first. */
  calibrations(key: SessionKey): Promise<CalibrationRecord[]>;
  /** Removes everything known of the session, whether or not there is a session row. Idempotent. */
  deleteSession(key: SessionKey): Promise<void>;
}

/** A session was deleted after the snapshot that a write is based on. Nothing was stored. Code `session.deleted`. */
export class SessionDeletedError extends CompactionError {
  readonly key: SessionKey;

  constructor(key: SessionKey) {
    super(
      'session.deleted',
      `Session ${sessionKeyText(key)} was deleted after this was decided; nothing was stored. Load it again to go on.`,
    );
    this.key = key;
  }
}
