import {createRequire} from 'node:module';
import Database from 'better-sqlite3';
import {moduleUrl} from '../../package-root.ts';
import {SqliteStoreError} from './sqlite-errors.ts';

const FIRST_NODE_OF_VERSION_13 = 22;

/**
 * Opens a connection, and says what to do when the driver itself cannot run here: version 13 of better-sqlite3 crashes
 * the process on Node before 22, and a blocked install script leaves its binary out. Code `sqlite.driver`.
 */
export function connect(path: string, options: Database.Options): Database.Database {
  const require = createRequire(moduleUrl());
  const {version} = require('better-sqlite3/package.json') as {version: string};
  if (Number.parseInt(version, 10) >= 13 && Number.parseInt(process.versions.node, 10) < FIRST_NODE_OF_VERSION_13) {
    throw new SqliteStoreError(
      'sqlite.driver',
      path,
      `better-sqlite3 ${version} needs Node ${FIRST_NODE_OF_VERSION_13} or newer; this is Node ${process.versions.node}. Install better-sqlite3@12.`,
    );
  }
  try {
    return new Database(path, options);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('Could not locate the bindings file')) {
      throw error;
    }
    throw new SqliteStoreError(
      'sqlite.driver',
      path,
      'The binary of better-sqlite3 is missing: its install script did not run. Run `npm rebuild better-sqlite3` (with npm 12 first `npm install-scripts approve better-sqlite3`).',
      {cause: error},
    );
  }
}
