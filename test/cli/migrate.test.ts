import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {expect, it, vi} from 'vitest';
import {migrateStore} from '../../src/cli/migrate.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

it('a migrate that fails after the store was opened closes it all the same', async () => {
  const path = join(temporaryFolder(), 'agent.db');
  openSqliteStore({path}).close();
  const {prepare} = Database.prototype;
  using spy = vi.spyOn(Database.prototype, 'prepare');
  spy.mockImplementation(function (this: Database.Database, source: string) {
    if (source.startsWith('SELECT count(*) AS count FROM __drizzle_migrations')) {
      throw new Error('I/O error');
    }
    return prepare.call(this, source);
  });
  await expect(migrateStore(path)).rejects.toThrow('I/O error');
  // The last connection to close folds the -wal back into the file.
  expect(readdirSync(dirname(path))).toEqual(['agent.db']);
});
