import {closeSync, existsSync, openSync, readSync, statSync} from 'node:fs';
import {type DatabaseKind, databaseKind} from '../store/sqlite/adk-database.ts';
import {openSqliteDatabase, type SqliteDatabase} from '../store/sqlite/open.ts';
import {SqliteStoreError} from '../store/sqlite/sqlite-errors.ts';
import {CommandError} from './failure.ts';

/** How long a command waits for a lock. */
export const BUSY_TIMEOUT_MS = 2000;

const SQLITE_MAGIC = 'SQLite format 3\0';

/** What a file is, by its beginning and its tables. Throws a `CommandError` when there is no such file. */
export function kindOf(path: string): DatabaseKind | 'file' {
  if (!existsSync(path)) {
    throw new CommandError(`There is no file ${path}. Check the path.`);
  }
  if (!statSync(path).isFile()) {
    throw new CommandError(`${path} is not a file. Name a database or a session file.`);
  }
  return isDatabase(path) ? databaseKind(path, BUSY_TIMEOUT_MS) : 'file';
}

/** Opens a store to read it: nothing is created, migrated or written. */
export function openForReadingOnly(path: string): SqliteDatabase {
  requireStore(path);
  try {
    return openSqliteDatabase({path, readonly: true, busyTimeoutMs: BUSY_TIMEOUT_MS});
  } catch (error) {
    if (!(error instanceof SqliteStoreError) || error.code !== 'sqlite.schema.older') {
      throw error;
    }
    throw new CommandError(`${path} has an older schema. Bring it up to date with: adk-compaction migrate ${path}`);
  }
}

/** Runs `work` on a store open for reading, and closes it. */
export async function reading<T>(path: string, work: (database: SqliteDatabase) => T | Promise<T>): Promise<T> {
  return await closing(openForReadingOnly(path), work);
}

/** Runs `work` on a store open for writing, after migrating it when needed, and closes it; it must exist. */
export async function writing<T>(path: string, work: (database: SqliteDatabase) => T | Promise<T>): Promise<T> {
  requireStore(path);
  return await closing(openSqliteDatabase({path, busyTimeoutMs: BUSY_TIMEOUT_MS}), work);
}

/** Throws a `CommandError` when the file is no store of this package. */
export function requireStore(path: string): void {
  switch (kindOf(path)) {
    case 'store':
      return;
    case 'file':
      throw new CommandError(`${path} is not a SQLite database. Name the file that was given to openSqliteStore.`);
    case 'adk':
      throw new CommandError(
        `${path} is a database of ADK's own session service. Copy its sessions into a store with: adk-compaction import STORE ${path}`,
      );
    case 'empty':
    case 'foreign':
      throw new CommandError(
        `${path} is not a store of adk-compaction. Name the file that was given to openSqliteStore.`,
      );
  }
}

async function closing<T>(database: SqliteDatabase, work: (database: SqliteDatabase) => T | Promise<T>): Promise<T> {
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

function isDatabase(path: string): boolean {
  const file = openForReading(path);
  try {
    const start = Buffer.alloc(SQLITE_MAGIC.length);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === SQLITE_MAGIC;
  } finally {
    closeSync(file);
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const {message} = error as Error;
    throw new CommandError(`${path} cannot be read (${message}). Check its permissions.`, undefined, {cause: error});
  }
}
