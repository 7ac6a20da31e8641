import Database from 'better-sqlite3';
import {CompactionError} from '../../errors.ts';

/** Codes of what can go wrong with a database file. */
export type SqliteErrorCode =
  | 'sqlite.path'
  | 'sqlite.permission'
  | 'sqlite.busy'
  | 'sqlite.readonly'
  | 'sqlite.corrupt'
  | 'sqlite.closed'
  | 'sqlite.failed'
  | 'sqlite.driver'
  | 'sqlite.migrations'
  | 'sqlite.schema.newer'
  | 'sqlite.schema.changed'
  | 'sqlite.schema.older';

/** A database file that cannot be opened, read or written. What was under way is rolled back whole. */
export class SqliteStoreError extends CompactionError {
  declare readonly code: SqliteErrorCode;
  /** The database file, or `:memory:`. */
  readonly path: string;

  constructor(code: SqliteErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.path = path;
  }
}

/**
 * Runs `work` and turns the driver's errors into a `SqliteStoreError` that says what to do. Errors of other kinds pass
 * unchanged.
 */
export function withSqliteErrors<T>(path: string, busyTimeoutMs: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqliteStoreError(error, path, busyTimeoutMs);
  }
}

/** The refusal to write to a file that is open for reading, or that the system does not let this process write. */
export function readonlyError(path: string, cause?: unknown): SqliteStoreError {
  const message = `${path} can only be read; nothing was written. Open it without readonly, as a user who may write to it.`;
  return new SqliteStoreError('sqlite.readonly', path, message, {cause});
}

/** The error as a `SqliteStoreError` where it is the driver's; any other as it is. */
export function toSqliteStoreError(error: unknown, path: string, busyTimeoutMs: number): unknown {
  if (error instanceof TypeError && error.message === 'The database connection is not open') {
    return new SqliteStoreError('sqlite.closed', path, `The store on ${path} was closed; open it again.`, {
      cause: error,
    });
  }
  if (error instanceof TypeError && error.message.startsWith('Cannot open database because')) {
    return new SqliteStoreError('sqlite.failed', path, `${path}: ${error.message}.`, {cause: error});
  }
  if (!(error instanceof Database.SqliteError)) {
    return error;
  }
  const fail = (code: SqliteErrorCode, message: string): SqliteStoreError =>
    new SqliteStoreError(code, path, message, {cause: error});
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    return fail(
      'sqlite.busy',
      `${path} stayed locked by another connection for more than busyTimeoutMs = ${busyTimeoutMs} ms; nothing was written. Try again, or raise busyTimeoutMs.`,
    );
  }
  if (/^SQLITE_(CANTOPEN|READONLY_DIRECTORY)/.test(error.code)) {
    return fail(
      'sqlite.permission',
      `${path} cannot be opened, or the files beside it (-wal, -shm) cannot be made. Let this process write to its folder.`,
    );
  }
  if (error.code.startsWith('SQLITE_READONLY')) {
    return readonlyError(path, error);
  }
  if (error.code === 'SQLITE_NOTADB') {
    return fail(
      'sqlite.corrupt',
      `${path} is not a SQLite database, and was left as it was. Name the file of a store, or a path where there is none yet.`,
    );
  }
  if (error.code.startsWith('SQLITE_CORRUPT')) {
    return fail(
      'sqlite.corrupt',
      `${path} is not a sound SQLite database (${error.message}). Restore it from a backup.`,
    );
  }
  return fail('sqlite.failed', `${path}: SQLite reported ${error.code} (${error.message}).`);
}
