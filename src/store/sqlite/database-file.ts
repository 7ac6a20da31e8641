import {accessSync, closeSync, constants, fchmodSync, openSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {readonlyError, SqliteStoreError} from './sqlite-errors.ts';

/**
 * Makes a database file, empty and of mode 0600, when it is missing and may be written to; SQLite gives -wal and -shm the
 * mode of the file itself. Throws `SqliteStoreError` for a path that cannot be used, where SQLite would say no more than
 * that it cannot open it: `sqlite.path`, `sqlite.permission`, `sqlite.readonly`.
 */
export function prepareDatabaseFile(path: string, readonly: boolean): void {
  try {
    if (!readonly) {
      createPrivateFile(path);
    }
    if (statSync(path).isDirectory()) {
      const message = `${path} is a folder. Name a file in it, such as ${join(path, 'agent.db')}.`;
      throw new SqliteStoreError('sqlite.path', path, message);
    }
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw explain(error, path, readonly);
  }
  if (!readonly) {
    assertWritable(path);
  }
}

function createPrivateFile(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return;
    }
    throw error;
  }
  fchmodSync(descriptor, 0o600);
  closeSync(descriptor);
}

/** SQLite would open a file that it may not write, and fail at the first write. */
function assertWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw readonlyError(path, error);
  }
}

function explain(error: unknown, path: string, readonly: boolean): unknown {
  const fail = (code: 'sqlite.path' | 'sqlite.permission' | 'sqlite.failed', message: string): SqliteStoreError =>
    new SqliteStoreError(code, path, message, {cause: error});
  const {code, message} = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return readonly
        ? fail('sqlite.path', `There is no file ${path}, and readonly makes none. Check the path.`)
        : fail(
            'sqlite.path',
            `${path} cannot be made: there is no folder ${dirname(path)}. Make it, or check the path.`,
          );
    case 'ENOTDIR':
      return fail('sqlite.path', `${path} cannot be: a part of ${dirname(path)} is not a folder. Check the path.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail(
        'sqlite.permission',
        `${path} cannot be ${readonly ? 'read' : 'opened or made'} by this process (${code}). Change the permissions of the file or of ${dirname(path)}, or name another path.`,
      );
    default:
      return error instanceof SqliteStoreError
        ? error
        : fail('sqlite.failed', `${path} cannot be opened (${message}).`);
  }
}
