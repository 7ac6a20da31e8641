import {toNormalForm} from '../json/normal-form.ts';
import {LruMap} from '../lru-map.ts';
import {type Scope, type SessionKey, scopeText, sessionKeyText} from '../session-key.ts';
import {
  type CommitResult,
  type CompactionStore,
  type Decision,
  type LearnedCalibration,
  type ScopeCommit,
  type ScopeSnapshot,
  SessionDeletedError,
} from './compaction-store.ts';
import {deletionBucket} from './deletion-bucket.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from './records.ts';
import {readStoredFolds, storedFold} from './stored-folds.ts';

const KEPT_SESSIONS = 1000;

interface KeptScope {
  readonly scope: Scope;
  /** Unset until the first commit. */
  revision?: string;
  readonly records: (CompactionRecord | FailedFoldRecord)[];
  readonly decisions: Map<string, Decision>;
  readonly calibrations: Map<string, LearnedCalibration>;
}

interface KeptSession {
  readonly scopes: Map<string, KeptScope>;
  /** Of all scopes, in the order of writing. */
  readonly records: (CompactionRecord | FailedFoldRecord)[];
  readonly samples: CalibrationRecord[];
}

/**
 * A compaction store that lasts as long as the process: the default of the manager. It keeps the last 1,000 sessions;
 * the least recently used one is forgotten first.
 */
export class MemoryCompactionStore implements CompactionStore {
  readonly #sessions = new LruMap<string, KeptSession>(KEPT_SESSIONS, {
    onEvict: () => {
      this.#evictions++;
    },
  });
  #commits = 0;
  #evictions = 0;
  readonly #deletions = new Map<number, number>();

  async load(key: SessionKey, scope: Scope, knownRevision?: string): Promise<ScopeSnapshot | undefined> {
    const kept = this.#session(key)?.scopes.get(scopeText(scope));
    const revision = this.#revision(key, kept);
    if (revision === knownRevision) {
      return undefined;
    }
    return structuredClone({
      revision,
      decisions: [...(kept?.decisions.values() ?? [])],
      ...readStoredFolds(kept?.records ?? []),
      calibrations: [...(kept?.calibrations.values() ?? [])],
      unreadable: [],
    });
  }

  async commit(key: SessionKey, scope: Scope, commit: ScopeCommit): Promise<CommitResult> {
    const {records, decisions} = toNormalForm(commit) as ScopeCommit;
    this.#assertNotDeleted(key, commit.basedOn);
    const before = this.#revision(key, this.#session(key)?.scopes.get(scopeText(scope)));
    const session = this.#sessionForWriting(key);
    const kept = scopeForWriting(session, scope);
    const {folds} = readStoredFolds(kept.records);
    const prefixHashes = records.flatMap((record) =>
      record.kind === 'fold' ? (storedFold(record)?.prefixHash ?? []) : [],
    );
    const existingFold = folds.find((fold) => prefixHashes.includes(fold.prefixHash));
    for (const record of records) {
      if (record.kind === 'fold' && existingFold !== undefined) {
        continue;
      }
      kept.records.push(record);
      session.records.push(record);
    }
    for (const decision of decisions) {
      raise(kept.decisions, decision);
    }
    kept.revision = `commit ${++this.#commits}`;
    return {
      ...(existingFold && {existingFold: structuredClone(existingFold)}),
      revisions: {before, after: this.#revision(key, kept)},
    };
  }

  async saveCalibration(
    key: SessionKey,
    scope: Scope,
    sample: CalibrationRecord,
    learned: LearnedCalibration,
    basedOn?: string,
  ): Promise<void> {
    const copy = toNormalForm({sample, learned}) as {sample: CalibrationRecord; learned: LearnedCalibration};
    this.#assertNotDeleted(key, basedOn);
    const session = this.#sessionForWriting(key);
    scopeForWriting(session, scope).calibrations.set(JSON.stringify([learned.model, learned.estimator]), copy.learned);
    session.samples.push(copy.sample);
  }

  async scopes(key: SessionKey): Promise<Scope[]> {
    return [...(this.#session(key)?.scopes.values() ?? [])].map((kept) => structuredClone(kept.scope));
  }

  async records(key: SessionKey): Promise<CompactionRecord[]> {
    const records = this.#session(key)?.records ?? [];
    return structuredClone(records.filter((record) => record.kind !== 'failed-fold'));
  }

  async failedFolds(key: SessionKey): Promise<FailedFoldRecord[]> {
    const records = this.#session(key)?.records ?? [];
    return structuredClone(records.filter((record) => record.kind === 'failed-fold'));
  }

  async calibrations(key: SessionKey): Promise<CalibrationRecord[]> {
    return structuredClone(this.#session(key)?.samples ?? []);
  }

  async deleteSession(key: SessionKey): Promise<void> {
    this.#sessions.delete(sessionKeyText(key));
    this.#deletions.set(deletionBucket(key), this.#deletionsOf(key) + 1);
  }

  #revision(key: SessionKey, kept: KeptScope | undefined): string {
    return `${kept?.revision ?? `empty ${this.#evictions}`} ${this.#deletionsOf(key)}`;
  }

  #deletionsOf(key: SessionKey): number {
    return this.#deletions.get(deletionBucket(key)) ?? 0;
  }

  #assertNotDeleted(key: SessionKey, basedOn: string | undefined): void {
    if (basedOn !== undefined && !basedOn.endsWith(` ${this.#deletionsOf(key)}`)) {
      throw new SessionDeletedError(key);
    }
  }

  #session(key: SessionKey): KeptSession | undefined {
    return this.#sessions.get(sessionKeyText(key));
  }

  #sessionForWriting(key: SessionKey): KeptSession {
    return this.#sessions.getOrCreate(sessionKeyText(key), () => ({scopes: new Map(), records: [], samples: []}));
  }
}

function scopeForWriting(session: KeptSession, scope: Scope): KeptScope {
  const text = scopeText(scope);
  const known = session.scopes.get(text);
  if (known !== undefined) {
    return known;
  }
  const kept: KeptScope = {
    scope: structuredClone(scope),
    records: [],
    decisions: new Map(),
    calibrations: new Map(),
  };
  session.scopes.set(text, kept);
  return kept;
}

function raise(decisions: Map<string, Decision>, decision: Decision): void {
  const text = JSON.stringify([decision.kind, decision.identity]);
  const known = decisions.get(text);
  if (known === undefined || known.occurrences < decision.occurrences) {
    decisions.set(text, decision);
  }
}
