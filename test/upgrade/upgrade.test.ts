import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {ELISION, FAILED_FOLD, FOLD, LEARNED, OTHER_SCOPE, SAMPLE, SCOPE} from '../../src/testing/contract-records.ts';
import {fullEvent, KEY} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {createFromDump, nextMigrations, publishedSchemas} from './old-files.ts';

describe('a file made by a published version', () => {
  it.each(publishedSchemas())('opens with all it holds: $name', async (schema) => {
    const path = join(temporaryFolder(), 'store.db');
    createFromDump(path, schema);
    const store = openSqliteStore(path);
    const session = await store.sessions.getSession(KEY);
    expect(session?.events.map(({id}) => id)).toEqual(['full', 'second']);
    expect(JSON.stringify(session?.events[0])).toBe(JSON.stringify(fullEvent()));
    expect(session?.state).toMatchObject({'app:a': 1, 'user:u': 2, own: 3, 'app:shared': 'a', 'user:name': 'u'});
    expect(session?.state).not.toHaveProperty('removed');
    expect(await store.compaction.records(KEY)).toEqual([ELISION, FOLD]);
    expect(await store.compaction.failedFolds(KEY)).toEqual([FAILED_FOLD]);
    expect(await store.compaction.calibrations(KEY)).toEqual([SAMPLE]);
    expect(await store.compaction.scopes(KEY)).toEqual([SCOPE, OTHER_SCOPE]);
    expect(await store.compaction.load(KEY, SCOPE)).toMatchObject({
      decisions: [{kind: 'elision', identity: 'sha256:aa', occurrences: 2}],
      folds: [{split: 4, prefixHash: 'hash-1', pinned: [1, 2]}],
      calibrations: [LEARNED],
      unreadable: [],
    });
    expect(store.verify()).toEqual([]);
    store.close();
  });
});

describe('migrations', () => {
  it('are applied to an existing file, which keeps what it holds', async () => {
    const {path, migrationsFolder} = await makeFile();
    const store = openSqliteStore({path, migrationsFolder});
    expect((await store.sessions.getSession(KEY))?.state).toEqual({kept: 1});
    store.close();
    expect(columnsOfSessions(path)).toContain('next');
  });

  it('that fail leave the file as it was', async () => {
    const {path, folder} = await makeFile();
    const migrationsFolder = nextMigrations(
      join(folder, 'bad'),
      'CREATE TABLE half (id);--> statement-breakpoint\nNO SQL',
    );
    const before = readFileSync(path);
    expect(() => openSqliteStore({path, migrationsFolder})).toThrow(/syntax error/);
    expect(readFileSync(path).equals(before)).toBe(true);
    openSqliteStore(path).close();
  });

  it.each([true, false])('erase what they move where it was when secureDelete is on: %s', async (secureDelete) => {
    const {path, folder} = await makeFile();
    const migrationsFolder = nextMigrations(
      join(folder, 'moving'),
      'CREATE TABLE moved AS SELECT * FROM session_state;--> statement-breakpoint\nDROP TABLE moved',
    );
    const secret = 'the-secret-of-the-moved-row'.repeat(100);
    const client = new Database(path);
    client.prepare('UPDATE session_state SET value = ?').run(JSON.stringify(secret));
    client.close();
    openSqliteStore({path, migrationsFolder, secureDelete}).close();
    expect(readFileSync(path).toString('latin1').split(secret).length - 1).toBe(secureDelete ? 1 : 2);
  });

  it('refuse a file from a newer version, unharmed', async () => {
    const {path, migrationsFolder} = await makeFile();
    openSqliteStore({path, migrationsFolder}).close();
    const before = readFileSync(path);
    for (const readonly of [false, true]) {
      expect(() => openSqliteStore({path, readonly})).toThrow(
        expect.objectContaining({code: 'sqlite.schema.newer', message: expect.stringContaining('2096-10-02')}),
      );
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('name one that was changed after it was applied', async () => {
    const {path, migrationsFolder} = await makeFile();
    openSqliteStore({path, migrationsFolder}).close();
    writeFileSync(join(migrationsFolder, '9999_next.sql'), 'ALTER TABLE sessions ADD COLUMN other text');
    expect(() => openSqliteStore({path, migrationsFolder})).toThrow(
      expect.objectContaining({code: 'sqlite.schema.changed', message: expect.stringContaining('9999_next')}),
    );
  });

  it('are not applied by readonly, which names what is missing', async () => {
    const {path, migrationsFolder} = await makeFile();
    expect(() => openSqliteStore({path, migrationsFolder, readonly: true})).toThrow(
      expect.objectContaining({code: 'sqlite.schema.older', message: expect.stringContaining('9999_next')}),
    );
    expect(columnsOfSessions(path)).not.toContain('next');
  });

  it('say what to do when their folder is missing', () => {
    const path = join(temporaryFolder(), 'store.db');
    expect(() => openSqliteStore({path, migrationsFolder: '/nowhere'})).toThrow(
      expect.objectContaining({code: 'sqlite.migrations', message: expect.stringContaining('migrationsFolder')}),
    );
  });
});

/** A file with one session, and migrations that are one ahead of it. */
async function makeFile(): Promise<{path: string; folder: string; migrationsFolder: string}> {
  const folder = temporaryFolder();
  const path = join(folder, 'store.db');
  const store = openSqliteStore(path);
  await store.sessions.createSession({...KEY, state: {kept: 1}});
  store.close();
  return {path, folder, migrationsFolder: nextMigrations(join(folder, 'migrations'))};
}

function columnsOfSessions(path: string): unknown[] {
  const client = new Database(path, {readonly: true});
  const columns = client.prepare("SELECT name FROM pragma_table_info('sessions')").pluck().all();
  client.close();
  return columns;
}
