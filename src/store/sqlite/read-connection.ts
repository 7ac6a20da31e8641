import {existsSync} from 'node:fs';
import Database from 'better-sqlite3';
import {connect} from './driver.ts';

/** A connection that only reads. */
export interface ReadConnection {
  readonly client: Database.Database;
  /** Closes it, and removes the empty -wal and -shm that SQLite has made for it, unless others use the file. */
  close(): void;
}

/** Opens a file that exists for reading only. Throws what the driver throws. */
export function connectForReading(path: string, busyTimeoutMs: number): ReadConnection {
  const log = `${path}-wal`;
  const hadLog = existsSync(log);
  const client = connect(path, {readonly: true, fileMustExist: true, timeout: busyTimeoutMs});
  const close = (): void => {
    client.close();
    if (!hadLog && existsSync(log)) {
      removeLog(path);
    }
  };
  return {client, close};
}

/**
 * SQLite makes -wal and -shm also for a reader, which may not remove them: only a writer that closes last does, under the
 * locks that this takes.
 */
function removeLog(path: string): void {
  try {
    const client = new Database(path, {fileMustExist: true, timeout: 0});
    try {
      client.prepare('SELECT count(*) FROM sqlite_master').get();
    } finally {
      client.close();
    }
  } catch (error) {
    // Busy, or not ours to write: another process removes them. They are empty.
    if (!(error instanceof Database.SqliteError)) {
      throw error;
    }
  }
}
