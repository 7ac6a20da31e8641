import {type Scope, type SessionKey, scopeText} from '../../session-key.ts';
import {
  type CommitResult,
  type CompactionStore,
  type Decision,
  type LearnedCalibration,
  type ScopeCommit,
  type ScopeSnapshot,
  SessionDeletedError,
  type StoredFold,
} from '../compaction-store.ts';
import {deletionBucket} from '../deletion-bucket.ts';
import {toJsonText} from '../json-text.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from '../records.ts';
import {readStoredFolds, storedFold} from '../stored-folds.ts';
import {type CheckedKey, checkedKey} from './checked-ids.ts';
import {
  type CompactionStatements,
  type CurrentScope,
  prepareCompactionDeletion,
  prepareCompactionStatements,
} from './compaction-statements.ts';
import type {SqliteDatabase} from './open.ts';
import {readNumbers, readRecord} from './read-record.ts';

interface ScopeRow extends CurrentScope {
  readonly id: number;
}

/**
 * The compaction half of a SQLite store. Every write is one transaction; one that cannot take its lock within the
 * busy timeout rejects with `sqlite.busy`. Records hold no request body and no tool body.
 */
export class SqliteCompactionStore implements CompactionStore {
  readonly #database: SqliteDatabase;
  readonly #statements: CompactionStatements;
  readonly #deleteRows: (key: CheckedKey) => void;

  /** Over an open database, which stays the caller's to close. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#statements = prepareCompactionStatements(database);
    this.#deleteRows = prepareCompactionDeletion(database.orm);
  }

  async load(key: SessionKey, scope: Scope, knownRevision?: string): Promise<ScopeSnapshot | undefined> {
    const isKnown =
      knownRevision !== undefined &&
      this.#database.glance(() => isCurrent(this.#statements, key, scope, knownRevision));
    if (isKnown) {
      return undefined;
    }
    return this.#database.read(() => this.#snapshot(currentScope(this.#statements, key, scope)));
  }

  async commit(key: SessionKey, scope: Scope, commit: ScopeCommit): Promise<CommitResult> {
    const rows = commit.records.map((record) => ({record, recordJson: toJsonText(record)}));
    return this.#database.write(() => {
      const statements = this.#statements;
      const head = ensureScope(statements, key, scope, commit.basedOn);
      let existingFold: StoredFold | undefined;
      for (const {record, recordJson} of rows) {
        const prefixHash = recognisableHash(record);
        if (record.kind === 'fold' && prefixHash !== null) {
          existingFold = this.#claimPrefix(head.id, prefixHash);
          if (existingFold !== undefined) {
            continue;
          }
        }
        statements.addRecord.run({scope: head.id, kind: record.kind, prefixHash, recordJson});
      }
      for (const {kind, identity, occurrences} of commit.decisions) {
        statements.raiseDecision.run({scope: head.id, kind, identity, occurrences});
      }
      statements.bumpRevision.run({scope: head.id});
      const revisions = {before: revisionOf(head), after: revisionOf({...head, revision: head.revision + 1})};
      return {...(existingFold && {existingFold}), revisions};
    });
  }

  async saveCalibration(
    key: SessionKey,
    scope: Scope,
    sample: CalibrationRecord,
    learned: LearnedCalibration,
    basedOn?: string,
  ): Promise<void> {
    const {model, estimator} = learned;
    const {time, estimate, prediction, expected, reported} = sample;
    const stateJson = toJsonText(learned.state);
    await this.#database.writeLater(() => {
      const {id} = ensureScope(this.#statements, key, scope, basedOn);
      this.#statements.addSample.run(id, sample.model, time, estimate, prediction, expected, reported);
      this.#statements.saveCalibration.run(id, model, estimator, stateJson);
    });
  }

  async scopes(key: SessionKey): Promise<Scope[]> {
    return this.#database.read(() =>
      this.#statements.scopes.all(checkedKey(key)).map((row) => parseScope(row.scopeJson)),
    );
  }

  async records(key: SessionKey): Promise<CompactionRecord[]> {
    return this.#records(key).filter((record) => record.kind !== 'failed-fold');
  }

  async failedFolds(key: SessionKey): Promise<FailedFoldRecord[]> {
    return this.#records(key).filter((record) => record.kind === 'failed-fold');
  }

  async calibrations(key: SessionKey): Promise<CalibrationRecord[]> {
    const rows = this.#database.read(() => this.#statements.samples.all(checkedKey(key)));
    return rows.map(({scopeJson, ...sample}) => ({scope: parseScope(scopeJson), ...sample}));
  }

  async deleteSession(key: SessionKey): Promise<void> {
    this.#database.write(() => this.#deleteRows(checkedKey(key)));
    this.#database.eraseDeleted();
  }

  #snapshot(current: CurrentScope): ScopeSnapshot {
    const revision = revisionOf(current);
    const scope = current.id;
    if (scope === null) {
      return {revision, decisions: [], folds: [], calibrations: [], unreadable: []};
    }
    const unreadable: string[] = [];
    const records: (CompactionRecord | FailedFoldRecord)[] = [];
    for (const {id, kind, recordJson} of this.#statements.foldRecords.all({scope})) {
      const record = readRecord(recordJson);
      if (record?.kind === kind) {
        records.push(record);
      } else {
        unreadable.push(`${kind} ${id}`);
      }
    }
    const calibrations: LearnedCalibration[] = [];
    for (const {model, estimator, stateJson} of this.#statements.calibrations.all({scope})) {
      const state = readNumbers(stateJson);
      if (state === undefined) {
        unreadable.push(`calibration of ${model}`);
      } else {
        calibrations.push({model, estimator, state});
      }
    }
    const decisions: Decision[] = this.#statements.decisions.all({scope});
    return {revision, decisions, ...readStoredFolds(records), calibrations, unreadable};
  }

  /** The readable fold of this prefix; rows that cannot be read make way for a new one. */
  #claimPrefix(scope: number, prefixHash: string): StoredFold | undefined {
    for (const {id, recordJson} of this.#statements.foldsOfPrefix.all({scope, prefixHash})) {
      const record = readRecord(recordJson);
      const fold = record?.kind === 'fold' ? storedFold(record) : undefined;
      if (fold !== undefined) {
        return fold;
      }
      this.#statements.deleteRecord.run({id});
    }
    return undefined;
  }

  #records(key: SessionKey): (CompactionRecord | FailedFoldRecord)[] {
    const rows = this.#database.read(() => this.#statements.records.all(checkedKey(key)));
    return rows.flatMap(({kind, recordJson}) => {
      const record = readRecord(recordJson);
      return record?.kind === kind ? [record] : [];
    });
  }
}

/** The hash by which a later request recognises the fold, made or failed; null when there is none. */
function recognisableHash(record: CompactionRecord | FailedFoldRecord): string | null {
  if (record.kind === 'failed-fold') {
    return record.prefixHash || null;
  }
  return storedFold(record)?.prefixHash ?? null;
}

/** The row and its commits; and the deletions, for `ensureScope`. */
function revisionOf({id, revision, deletions}: CurrentScope): string {
  const commits = revision > 0 ? `${id}.${revision}` : 'empty';
  return `${commits}.${deletions}`;
}

/** A row that is there was not deleted, and no other scope ever gets its id: deletions count only where there is none. */
function isCurrent(statements: CompactionStatements, key: SessionKey, scope: Scope, revision: string): boolean {
  const [, id, commits] = /^(\d+)\.(\d+)\./u.exec(revision) ?? [];
  return id === undefined
    ? revisionOf(currentScope(statements, key, scope)) === revision
    : statements.commits.get(Number(id)) === Number(commits);
}

function currentScope(statements: CompactionStatements, key: SessionKey, scope: Scope): CurrentScope {
  const {appName, userId, sessionId} = checkedKey(key);
  return statements.current.get(deletionBucket(key), appName, userId, sessionId, scopeText(scope)) as CurrentScope;
}

/**
 * The scope's row, inside the transaction of the write. A row that is still there was not deleted; where none was known, the
 * deletions tell.
 */
function ensureScope(
  statements: CompactionStatements,
  key: SessionKey,
  scope: Scope,
  basedOn: string | undefined,
): ScopeRow {
  const current = currentScope(statements, key, scope);
  const {id, deletions} = current;
  const isBasedOnRow = id !== null && basedOn?.startsWith(`${id}.`);
  if (basedOn !== undefined && !isBasedOnRow && !basedOn.endsWith(`.${deletions}`)) {
    throw new SessionDeletedError(key);
  }
  if (id !== null) {
    return {...current, id};
  }
  const {lastInsertRowid} = statements.addScope.run({...checkedKey(key), scopeJson: scopeText(scope)});
  return {...current, id: Number(lastInsertRowid)};
}

function parseScope(text: string): Scope {
  const [agentName, branch, isolationScope] = JSON.parse(text) as [string, string | null, string | null];
  return {
    agentName,
    ...(branch === null ? {} : {branch}),
    ...(isolationScope === null ? {} : {isolationScope}),
  };
}
