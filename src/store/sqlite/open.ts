import {fileURLToPath} from 'node:url';
import Database from 'better-sqlite3';
import {type BetterSQLite3Database, drizzle} from 'drizzle-orm/better-sqlite3';
import {packageRootUrl} from '../../package-root.ts';
import {prepareDatabaseFile} from './database-file.ts';
import {parseDatabaseOptions, type SqliteDatabaseOptions} from './database-options.ts';
import {connect} from './driver.ts';
import {assertKnown, assertMigrated, migrate, readMigrations} from './migrate.ts';
import {connectForReading} from './read-connection.ts';
import {readonlyError, toSqliteStoreError, withSqliteErrors} from './sqlite-errors.ts';
import {Writer} from './writer.ts';

/** An open, migrated database. */
export interface SqliteDatabase {
  readonly path: string;
  /** @internal The types of the package name no driver. */
  readonly client: Database.Database;
  /** @internal */
  readonly orm: BetterSQLite3Database;
  /** Runs `work` in a transaction that sees one state of the file, after what `writeLater` left: that may wait for the lock. */
  read<T>(work: () => T): T;
  /** Runs `work` without a transaction, for less: each statement sees the state of the file when it runs. */
  glance<T>(work: () => T): T;
  /**
   * Runs `work` in a transaction that holds the write lock from its start: all of it is stored, or nothing. Throws
   * `SqliteStoreError`: `sqlite.busy` when the lock is not free in time, `sqlite.readonly`, `sqlite.failed`.
   */
  write<T>(work: () => T): T;
  /**
   * Runs `work` at the start of the next `write`. Without one it gets a transaction of its own, which does not wait for the disk:
   * when the current task of the process has ended, before the next read, or on closing. Resolves when it is committed, and
   * rejects as `write` throws; other work of the transaction is not affected.
   */
  writeLater(work: () => void): Promise<void>;
  /** With `secureDelete`, empties the -wal of what was deleted if no other connection is in the way; else it goes later. */
  eraseDeleted(): void;
  /** Writes what waits and closes the connection; the last one to close a file folds the -wal back into it. Idempotent. */
  close(): void;
}

const PAGE_SIZE_BYTES = 8192;
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;
/** A checkpoint starts at 12 MB: the log ends below its limit also when a reader makes the checkpoint wait for a while. */
const WAL_CHECKPOINT_PAGES = 1_500;
const WAL_SWITCH_ATTEMPTS = 200;

/**
 * Opens a database file, creating and migrating it when needed. Any number of processes may do so at the same moment.
 *
 * Throws `InvalidOptionsError` for an option that cannot be used, and `SqliteStoreError`: `sqlite.driver`, `sqlite.path`,
 * `sqlite.permission`, `sqlite.readonly`, `sqlite.busy`, `sqlite.corrupt`, `sqlite.schema.newer`, `sqlite.schema.changed`,
 * `sqlite.schema.older`, `sqlite.migrations`, `sqlite.failed`.
 */
export function openSqliteDatabase(options: SqliteDatabaseOptions): SqliteDatabase {
  const {
    path,
    durability,
    busyTimeoutMs,
    secureDelete,
    readonly,
    migrationsFolder = fileURLToPath(new URL('migrations/sqlite', packageRootUrl())),
  } = parseDatabaseOptions(options);
  const inMemory = path === ':memory:';

  const guard = <T>(work: () => T): T => withSqliteErrors(path, busyTimeoutMs, work);
  let opened: {close(): unknown} | undefined;
  const close = (): void => {
    opened?.close();
    opened = undefined;
  };
  const open = (): Database.Database => {
    if (readonly) {
      const connection = connectForReading(path, busyTimeoutMs);
      opened = connection;
      return connection.client;
    }
    const client = connect(path, {timeout: busyTimeoutMs});
    opened = client;
    return client;
  };

  try {
    return guard(() => {
      if (!inMemory) {
        prepareDatabaseFile(path, readonly);
      }
      const client = open();
      // Before the migrations: what they move is erased where it was.
      client.pragma(`secure_delete = ${secureDelete ? 'ON' : 'OFF'}`);
      const migrations = readMigrations(migrationsFolder, path);
      if (readonly) {
        assertMigrated(client, migrations);
      } else {
        assertKnown(client, migrations);
        client.pragma(`page_size = ${PAGE_SIZE_BYTES}`);
        if (!inMemory) {
          useWriteAheadLog(client);
        }
        migrate(client, migrations);
      }
      configure(client, durability);
      const transaction = client.transaction((work: () => unknown) => work());
      const writer = new Writer(client, durability === 'power');
      const assertWritable = (): void => {
        if (readonly) {
          throw readonlyError(path);
        }
      };
      const eraseDeleted = (): void => {
        if (secureDelete && !inMemory) {
          guard(() => emptyWriteAheadLog(client, busyTimeoutMs));
        }
      };
      return {
        path,
        client,
        orm: drizzle(client),
        read: (work) => {
          writer.flush();
          return guard(() => transaction(work) as ReturnType<typeof work>);
        },
        glance: (work) => {
          writer.flush();
          return guard(work);
        },
        write: (work) => {
          assertWritable();
          return guard(() => writer.write(work));
        },
        writeLater: async (work) => {
          assertWritable();
          try {
            await writer.writeLater(work);
          } catch (error) {
            throw toSqliteStoreError(error, path, busyTimeoutMs);
          }
        },
        eraseDeleted,
        close: () => {
          writer.flush();
          close();
        },
      };
    });
  } catch (error) {
    close();
    throw error;
  }
}

function configure(client: Database.Database, durability: 'power' | 'process'): void {
  client.pragma(`fullfsync = ${durability === 'power' ? 'ON' : 'OFF'}`);
  client.pragma(`journal_size_limit = ${WAL_LIMIT_BYTES}`);
  client.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
  client.pragma('foreign_keys = ON');
}

/** The switch needs the file for itself for a moment, and the busy timeout does not cover it. */
function useWriteAheadLog(client: Database.Database): void {
  for (let attempt = 1; client.pragma('journal_mode', {simple: true}) !== 'wal'; attempt++) {
    try {
      client.pragma('journal_mode = WAL');
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!isBusy || attempt === WAL_SWITCH_ATTEMPTS) {
        throw error;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function emptyWriteAheadLog(client: Database.Database, busyTimeoutMs: number): void {
  client.pragma('busy_timeout = 0');
  try {
    client.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    client.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
