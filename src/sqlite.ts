import {z} from 'zod';
import type {RedactEvent} from './adk/event-codec.ts';
import {SqliteSessionService} from './adk/sqlite-session-service.ts';
import {callback, parseOptions} from './options.ts';
import {SqliteCompactionStore} from './store/sqlite/compaction-rows.ts';
import type {SqliteDatabaseOptions} from './store/sqlite/database-options.ts';
import {openSqliteDatabase} from './store/sqlite/open.ts';
import {verifySqliteDatabase} from './store/sqlite/verify.ts';

export type {RedactEvent} from './adk/event-codec.ts';
export {SqliteSessionService} from './adk/sqlite-session-service.ts';
export {
  InvalidIdError,
  SessionExistsError,
  SessionFrozenError,
  SessionUnknownError,
  UnstorableValueError,
} from './store/session-errors.ts';
export {SqliteCompactionStore} from './store/sqlite/compaction-rows.ts';
export {type SqliteErrorCode, SqliteStoreError} from './store/sqlite/sqlite-errors.ts';

/** How `openSqliteStore` opens a file. */
export interface SqliteStoreOptions extends SqliteDatabaseOptions {
  /** Takes out of each event what must not be stored; what it gives also enters `session.events`. Default: nothing. */
  readonly redact?: RedactEvent | undefined;
}

const storeOptions = z.looseObject(
  {path: z.custom<string>(), redact: callback<RedactEvent>().optional()},
  'must be a path or an object',
);

/** Sessions and compaction on one database file. */
export interface SqliteStore {
  readonly sessions: SqliteSessionService;
  readonly compaction: SqliteCompactionStore;
  /** Checks the whole file: one sentence per fault, none when it is sound. */
  verify(): string[];
  /** Closes the file; nothing can be read or written afterwards. Idempotent. */
  close(): void;
}

/**
 * Opens a store on a file, or on `:memory:`; creates and migrates the file when needed. Any number of stores, in any
 * number of processes, may share one file.
 *
 * Throws `InvalidOptionsError` for an option that cannot be used and `SqliteStoreError` for a file that cannot: codes
 * `sqlite.driver`, `sqlite.path`, `sqlite.permission`, `sqlite.readonly`, `sqlite.busy`, `sqlite.corrupt`,
 * `sqlite.schema.newer`, `sqlite.schema.changed`, `sqlite.schema.older`, `sqlite.migrations`, `sqlite.failed`. A file that was there is then as it was.
 */
export function openSqliteStore(options: string | SqliteStoreOptions): SqliteStore {
  const {redact, ...databaseOptions} = parseOptions(
    storeOptions,
    typeof options === 'string' ? {path: options} : options,
  );
  const database = openSqliteDatabase(databaseOptions);
  return {
    sessions: new SqliteSessionService(database, redact),
    compaction: new SqliteCompactionStore(database),
    verify: () => verifySqliteDatabase(database),
    close: () => database.close(),
  };
}
