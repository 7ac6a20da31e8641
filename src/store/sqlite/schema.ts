import {isNotNull} from 'drizzle-orm';
import {index, integer, primaryKey, sqliteTable, text, uniqueIndex} from 'drizzle-orm/sqlite-core';

// Columns named `*Json`, and state keys and values, hold JSON text: a lone surrogate in bare text would be damaged.

/** One row per ADK session. Ids are never used again after a deletion. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: integer().primaryKey({autoIncrement: true}),
    appName: text('app_name').notNull(),
    userId: text('user_id').notNull(),
    sessionId: text('session_id').notNull(),
    createTime: integer('create_time').notNull(),
    updateTime: integer('update_time').notNull(),
    /** Counts appends and replacements: how a live session object knows that it is behind. */
    version: integer().notNull(),
  },
  (table) => [
    uniqueIndex('sessions_by_key').on(table.appName, table.userId, table.sessionId),
    // Ends in the row id: a page of a user's sessions in the order of creation takes no sort.
    index('sessions_by_user').on(table.appName, table.userId),
  ],
);

/** Events; their order is that of `version`. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey(),
    session: integer()
      .notNull()
      .references(() => sessions.id, {onDelete: 'cascade'}),
    /** The session's version once the event had been appended. */
    version: integer().notNull(),
    eventId: text('event_id').notNull(),
    timestamp: integer(),
    /** The session's version when the event was last replaced in place. */
    replaced: integer(),
    bodyJson: text('body_json').notNull(),
  },
  // An index on event ids would cost every append another page; `EventIds` reads them from this one instead.
  (table) => [
    index('events_by_version').on(table.session, table.version, table.eventId),
    index('events_replaced').on(table.session, table.replaced).where(isNotNull(table.replaced)),
  ],
);

/** State of one session, without `app:`, `user:` and `temp:` keys. A null value is a removed key. */
export const sessionState = sqliteTable(
  'session_state',
  {
    session: integer()
      .notNull()
      .references(() => sessions.id, {onDelete: 'cascade'}),
    key: text().notNull(),
    value: text(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({columns: [table.session, table.key]})],
);

/** `app:` state, keys without their prefix. */
export const appState = sqliteTable(
  'app_state',
  {
    appName: text('app_name').notNull(),
    key: text().notNull(),
    value: text(),
    version: integer().notNull(),
  },
  (table) => [
    primaryKey({columns: [table.appName, table.key]}),
    index('app_state_by_version').on(table.appName, table.version),
  ],
);

/** `user:` state, keys without their prefix. */
export const userState = sqliteTable(
  'user_state',
  {
    appName: text('app_name').notNull(),
    userId: text('user_id').notNull(),
    key: text().notNull(),
    value: text(),
    version: integer().notNull(),
  },
  (table) => [
    primaryKey({columns: [table.appName, table.userId, table.key]}),
    index('user_state_by_version').on(table.appName, table.userId, table.version),
  ],
);

/** One row per agent, branch and isolation scope that compaction has seen; needs no row in `sessions`. */
export const compactionScopes = sqliteTable(
  'compaction_scopes',
  {
    id: integer().primaryKey({autoIncrement: true}),
    appName: text('app_name').notNull(),
    userId: text('user_id').notNull(),
    sessionId: text('session_id').notNull(),
    scopeJson: text('scope_json').notNull(),
    /** Number of commits. */
    revision: integer().notNull(),
  },
  (table) => [
    uniqueIndex('compaction_scopes_by_key').on(table.appName, table.userId, table.sessionId, table.scopeJson),
  ],
);

/** Elisions, folds, drops and failed folds, in the order of writing, which is the order of `id`. */
export const compactionRecords = sqliteTable(
  'compaction_records',
  {
    id: integer().primaryKey({autoIncrement: true}),
    scope: integer()
      .notNull()
      .references(() => compactionScopes.id, {onDelete: 'cascade'}),
    kind: text({enum: ['elision', 'fold', 'drop', 'failed-fold']}).notNull(),
    /** Of folds and failed folds that can be recognised again. */
    prefixHash: text('prefix_hash'),
    recordJson: text('record_json').notNull(),
  },
  (table) => [index('compaction_records_by_scope').on(table.scope, table.prefixHash)],
);

/** How many occurrences of an identity are elided or dropped. */
export const compactionDecisions = sqliteTable(
  'compaction_decisions',
  {
    scope: integer()
      .notNull()
      .references(() => compactionScopes.id, {onDelete: 'cascade'}),
    kind: text({enum: ['elision', 'drop']}).notNull(),
    identity: text().notNull(),
    occurrences: integer().notNull(),
  },
  (table) => [primaryKey({columns: [table.scope, table.kind, table.identity]})],
);

/** What was learnt about a model. */
export const compactionCalibrations = sqliteTable(
  'compaction_calibrations',
  {
    scope: integer()
      .notNull()
      .references(() => compactionScopes.id, {onDelete: 'cascade'}),
    model: text().notNull(),
    estimator: text({enum: ['features', 'bytes']}).notNull(),
    stateJson: text('state_json').notNull(),
  },
  (table) => [primaryKey({columns: [table.scope, table.model, table.estimator]})],
);

/** One row per sampled model call, in the order of writing. */
export const compactionSamples = sqliteTable(
  'compaction_samples',
  {
    id: integer().primaryKey({autoIncrement: true}),
    scope: integer()
      .notNull()
      .references(() => compactionScopes.id, {onDelete: 'cascade'}),
    model: text().notNull(),
    time: integer().notNull(),
    estimate: integer().notNull(),
    prediction: integer().notNull(),
    expected: integer().notNull(),
    reported: integer().notNull(),
  },
  (table) => [index('compaction_samples_by_scope').on(table.scope)],
);

/**
 * How many sessions of each `deletionBucket` were deleted; no row for none. Part of every revision: a write that is based on
 * one from before a deletion is refused.
 */
export const compactionDeletions = sqliteTable('compaction_deletions', {
  /** The bucket. */
  id: integer().primaryKey(),
  count: integer().notNull(),
});
