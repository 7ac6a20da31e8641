import {and, asc, eq, inArray, isNotNull, type SQL, sql} from 'drizzle-orm';
import type {BetterSQLite3Database} from 'drizzle-orm/better-sqlite3';
import {deletionBucket} from '../deletion-bucket.ts';
import type {CheckedKey} from './checked-ids.ts';
import type {SqliteDatabase} from './open.ts';
import {
  compactionCalibrations as calibrations,
  compactionDecisions as decisions,
  compactionDeletions as deletions,
  compactionRecords as records,
  compactionSamples as samples,
  compactionScopes as scopes,
} from './schema.ts';

const placeholder = sql.placeholder;

const ofSession = and(
  eq(scopes.appName, placeholder('appName')),
  eq(scopes.userId, placeholder('userId')),
  eq(scopes.sessionId, placeholder('sessionId')),
);

/** The statements of the compaction tables, prepared once per connection. */
export type CompactionStatements = ReturnType<typeof prepareCompactionStatements>;

/** Where a scope stands. */
export interface CurrentScope {
  /** The scope's row, an id that is never used again; null when it has none. */
  readonly id: number | null;
  /** How many commits it had. */
  readonly revision: number;
  /** How many sessions of its bucket were deleted. */
  readonly deletions: number;
}

/**
 * Prepares the statements on one connection. Its type is left to drizzle, which infers it statement by statement; what runs at
 * every model call goes past drizzle.
 */
export function prepareCompactionStatements({client, orm}: SqliteDatabase) {
  const ofScope = (column: typeof records.scope | typeof decisions.scope): SQL => eq(column, placeholder('scope'));
  return {
    current: client.prepare<
      [bucket: number, appName: string, userId: string, sessionId: string, scopeJson: string],
      CurrentScope
    >(
      `SELECT id, coalesce(revision, 0) AS revision, deletions
       FROM (SELECT coalesce((SELECT count FROM compaction_deletions WHERE id = ?), 0) AS deletions)
       LEFT JOIN compaction_scopes ON app_name = ? AND user_id = ? AND session_id = ? AND scope_json = ?`,
    ),
    commits: client.prepare<[scope: number], number>('SELECT revision FROM compaction_scopes WHERE id = ?').pluck(),
    addScope: orm
      .insert(scopes)
      .values({
        appName: placeholder('appName'),
        userId: placeholder('userId'),
        sessionId: placeholder('sessionId'),
        scopeJson: placeholder('scopeJson'),
        revision: 0,
      })
      .prepare(),
    bumpRevision: orm
      .update(scopes)
      .set({revision: sql`${scopes.revision} + 1`})
      .where(eq(scopes.id, placeholder('scope')))
      .prepare(),
    scopes: orm.select({scopeJson: scopes.scopeJson}).from(scopes).where(ofSession).orderBy(asc(scopes.id)).prepare(),

    addRecord: orm
      .insert(records)
      .values({
        scope: placeholder('scope'),
        kind: placeholder('kind'),
        prefixHash: placeholder('prefixHash'),
        recordJson: placeholder('recordJson'),
      })
      .prepare(),
    foldRecords: orm
      .select({id: records.id, kind: records.kind, recordJson: records.recordJson})
      .from(records)
      .where(and(ofScope(records.scope), inArray(records.kind, ['fold', 'failed-fold']), isNotNull(records.prefixHash)))
      .orderBy(asc(records.id))
      .prepare(),
    foldsOfPrefix: orm
      .select({id: records.id, recordJson: records.recordJson})
      .from(records)
      .where(and(ofScope(records.scope), eq(records.kind, 'fold'), eq(records.prefixHash, placeholder('prefixHash'))))
      .prepare(),
    deleteRecord: orm
      .delete(records)
      .where(eq(records.id, placeholder('id')))
      .prepare(),
    records: orm
      .select({kind: records.kind, recordJson: records.recordJson})
      .from(records)
      .innerJoin(scopes, eq(records.scope, scopes.id))
      .where(ofSession)
      .orderBy(asc(records.id))
      .prepare(),

    raiseDecision: orm
      .insert(decisions)
      .values({
        scope: placeholder('scope'),
        kind: placeholder('kind'),
        identity: placeholder('identity'),
        occurrences: placeholder('occurrences'),
      })
      .onConflictDoUpdate({
        target: [decisions.scope, decisions.kind, decisions.identity],
        set: {occurrences: sql`max(${decisions.occurrences}, excluded.occurrences)`},
      })
      .prepare(),
    decisions: orm
      .select({kind: decisions.kind, identity: decisions.identity, occurrences: decisions.occurrences})
      .from(decisions)
      .where(ofScope(decisions.scope))
      .orderBy(sql`rowid`)
      .prepare(),

    saveCalibration: client.prepare<[scope: number, model: string, estimator: string, stateJson: string]>(
      `INSERT INTO compaction_calibrations (scope, model, estimator, state_json) VALUES (?, ?, ?, ?)
       ON CONFLICT (scope, model, estimator) DO UPDATE SET state_json = excluded.state_json`,
    ),
    calibrations: orm
      .select({model: calibrations.model, estimator: calibrations.estimator, stateJson: calibrations.stateJson})
      .from(calibrations)
      .where(eq(calibrations.scope, placeholder('scope')))
      .orderBy(sql`rowid`)
      .prepare(),
    addSample: client.prepare<
      [
        scope: number,
        model: string,
        time: number,
        estimate: number,
        prediction: number,
        expected: number,
        reported: number,
      ]
    >(
      `INSERT INTO compaction_samples (scope, model, time, estimate, prediction, expected, reported)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    samples: orm
      .select({
        scopeJson: scopes.scopeJson,
        model: samples.model,
        time: samples.time,
        estimate: samples.estimate,
        prediction: samples.prediction,
        expected: samples.expected,
        reported: samples.reported,
      })
      .from(samples)
      .innerJoin(scopes, eq(samples.scope, scopes.id))
      .where(ofSession)
      .orderBy(asc(samples.id))
      .prepare(),
  };
}

/** Prepares the deletion of every compaction row of a session, for use inside a transaction. */
export function prepareCompactionDeletion(orm: BetterSQLite3Database): (key: CheckedKey) => void {
  const deleteScopes = orm.delete(scopes).where(ofSession).prepare();
  const countDeletion = orm
    .insert(deletions)
    .values({id: sql`${placeholder('bucket')}`, count: 1})
    .onConflictDoUpdate({target: deletions.id, set: {count: sql`${deletions.count} + 1`}})
    .prepare();
  return (key) => {
    deleteScopes.run(key);
    countDeletion.run({bucket: deletionBucket(key)});
  };
}
