import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openSqliteStore, type SqliteStoreOptions} from '../../src/sqlite.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {verifySqliteDatabase} from '../../src/store/sqlite/verify.ts';
import {FOLD, LEARNED, SAMPLE, SCOPE} from '../../src/testing/contract-records.ts';
import {appendEvents, KEY, textEvent} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

function newPath(): string {
  return join(temporaryFolder(), 'store.db');
}

describe('opening', () => {
  it('makes the file, its -wal and its -shm for the owner alone, whatever the umask', async () => {
    for (const umask of [0o000, 0o022, 0o777]) {
      const before = process.umask(umask);
      try {
        const path = newPath();
        const store = openSqliteStore(path);
        await store.sessions.createSession(KEY);
        const modes = ['', '-wal', '-shm'].map((suffix) => (statSync(path + suffix).mode & 0o777).toString(8));
        store.close();
        expect(modes).toEqual(['600', '600', '600']);
      } finally {
        process.umask(before);
      }
    }
  });

  it('leaves one file behind when it is closed, also twice', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    await store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    await store.sessions.createSession(KEY);
    store.close();
    store.close();
    expect(readdirSync(join(path, '..'))).toEqual(['store.db']);
  });

  it('says that a closed store is closed', async () => {
    const store = openSqliteStore(':memory:');
    store.close();
    await expect(store.sessions.getSession(KEY)).rejects.toMatchObject({code: 'sqlite.closed'});
    await expect(store.compaction.load(KEY, SCOPE)).rejects.toMatchObject({code: 'sqlite.closed'});
  });

  it.each([
    [{path: ''}, 'path'],
    [{path: ':memory:', readonly: true}, 'readonly'],
    [{path: ':memory:', busyTimeoutMs: -1}, 'busyTimeoutMs'],
    [{path: ':memory:', busyTimeoutMs: Number.NaN}, 'busyTimeoutMs'],
    [{path: ':memory:', durability: 'none'}, 'durability'],
    [{path: ':memory:', durabilty: 'process'}, 'durabilty'],
    [{path: 'store.db', readonly: 'false'}, 'readonly'],
    [{path: ':memory:', secureDelete: 0}, 'secureDelete'],
    [{path: ':memory:', migrationsFolder: ''}, 'migrationsFolder'],
    [{path: ':memory:', redact: true}, 'redact'],
    [{}, 'path'],
    [undefined, 'options'],
  ])('refuses options it cannot use, naming the field: %o', (options, field) => {
    expect(() => openSqliteStore(options as SqliteStoreOptions)).toThrow(expect.objectContaining({field}));
  });

  it('refuses what is no database, and leaves it as it was', () => {
    const path = newPath();
    writeFileSync(path, 'x'.repeat(5000));
    expect(() => openSqliteStore(path)).toThrow(expect.objectContaining({code: 'sqlite.corrupt', path}));
    expect(readFileSync(path, 'utf8')).toBe('x'.repeat(5000));
  });
});

describe('readonly', () => {
  it('reads, and refuses every write', async () => {
    const path = newPath();
    const writer = openSqliteStore(path);
    await appendEvents(writer.sessions, [1]);
    await writer.compaction.commit(KEY, SCOPE, {records: [FOLD], decisions: []});
    writer.close();
    const before = readFileSync(path);

    const store = openSqliteStore({path, readonly: true});
    onTestFinished(() => store.close());
    const session = await store.sessions.getSession(KEY);
    expect(session?.events).toHaveLength(1);
    expect(await store.compaction.records(KEY)).toEqual([FOLD]);
    expect((await store.sessions.listSessions({appName: KEY.appName})).totalItems).toBe(1);
    expect(store.verify()).toEqual([]);
    if (session === undefined) {
      return;
    }
    for (const write of [
      () => store.sessions.createSession({...KEY, sessionId: 'new'}),
      () => store.sessions.appendEvent({session, event: textEvent('')}),
      () => store.sessions.deleteSession(KEY),
      () => store.compaction.commit(KEY, SCOPE, {records: [], decisions: []}),
      () => store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED),
    ]) {
      await expect(write()).rejects.toMatchObject({code: 'sqlite.readonly'});
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('does not make a missing file', () => {
    const path = newPath();
    expect(() => openSqliteStore({path, readonly: true})).toThrow(expect.objectContaining({code: 'sqlite.path'}));
    expect(existsSync(path)).toBe(false);
  });
});

describe('a lock that another connection holds', () => {
  it('gives an error that says so once the busy timeout is over, and changes nothing', async () => {
    const path = newPath();
    const store = openSqliteStore({path, busyTimeoutMs: 20});
    onTestFinished(() => store.close());
    const session = await store.sessions.createSession(KEY);
    const before = JSON.stringify(session);
    const rival = new Database(path);
    rival.exec('BEGIN IMMEDIATE');
    const busy = {code: 'sqlite.busy', message: expect.stringContaining('busyTimeoutMs = 20')};
    await expect(store.sessions.appendEvent({session, event: textEvent('late')})).rejects.toMatchObject(busy);
    await expect(store.compaction.commit(KEY, SCOPE, {records: [], decisions: []})).rejects.toMatchObject(busy);
    await expect(store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED)).rejects.toMatchObject(busy);
    expect(JSON.stringify(session)).toBe(before);
    rival.exec('COMMIT');
    rival.close();
    await store.sessions.appendEvent({session, event: textEvent('now')});
    expect((await store.sessions.getSession(KEY))?.events).toHaveLength(1);
  });
});

describe('the write-ahead log', () => {
  it('stays below 16 MB, and shrinks again after a larger transaction', async () => {
    const path = newPath();
    const store = openSqliteStore({path, durability: 'process'});
    onTestFinished(() => store.close());
    const session = await store.sessions.createSession(KEY);
    const walBytes = (): number => statSync(`${path}-wal`).size;
    let largest = 0;
    for (let count = 0; count < 100; count++) {
      await store.sessions.appendEvent({session, event: textEvent('x'.repeat(500_000))});
      largest = Math.max(largest, walBytes());
    }
    expect(largest).toBeLessThan(16 * 1024 * 1024);
    await store.sessions.appendEvent({session, event: textEvent('x'.repeat(30_000_000))});
    for (let count = 0; count < 3; count++) {
      await store.sessions.appendEvent({session, event: textEvent('small')});
    }
    expect(walBytes()).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});

describe('deletion', () => {
  it.each([true, false])(
    'overwrites what was deleted in every file when secureDelete is on: %s',
    async (secureDelete) => {
      const path = newPath();
      const store = openSqliteStore({path, secureDelete});
      onTestFinished(() => store.close());
      const secret = 'the-secret-of-the-dead-session';
      const session = await store.sessions.createSession({...KEY, state: {key: secret}});
      for (const text of [secret, secret.repeat(1000)]) {
        await store.sessions.appendEvent({session, event: textEvent(text)});
      }
      await store.compaction.commit(KEY, SCOPE, {records: [{...FOLD, summary: secret}], decisions: []});
      await store.sessions.deleteSession(KEY);
      const files = ['', '-wal', '-shm'].map((suffix) => readFileSync(path + suffix).includes(secret));
      expect(files.some(Boolean)).toBe(!secureDelete);
    },
  );

  it('removes every row of the session in every table, also without a session row', async () => {
    const store = openSqliteStore(newPath());
    onTestFinished(() => store.close());
    await store.compaction.commit(KEY, SCOPE, {
      records: [FOLD],
      decisions: [{kind: 'drop', identity: 'i', occurrences: 1}],
    });
    await store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    await store.sessions.deleteSession(KEY);
    expect(await store.compaction.scopes(KEY)).toEqual([]);
    expect(await store.compaction.calibrations(KEY)).toEqual([]);
  });
});

describe('verify', () => {
  it('names rows whose parent is gone, and damage to the file', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    await appendEvents(store.sessions, [1, 2]);
    await store.compaction.commit(KEY, SCOPE, {records: [FOLD], decisions: []});
    store.close();
    const client = new Database(path);
    client.pragma('foreign_keys = OFF');
    client.exec('DELETE FROM sessions; DELETE FROM compaction_scopes');
    client.close();
    const database = openSqliteDatabase({path});
    onTestFinished(() => database.close());
    const faults = verifySqliteDatabase(database);
    expect(faults).toHaveLength(3);
    expect(faults.join()).toMatch(/events.*sessions/s);
    expect(faults.join()).toMatch(/compaction_records.*compaction_scopes/s);
  });

  it('names an event that is there twice', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    onTestFinished(() => store.close());
    await appendEvents(store.sessions, [1, 2]);
    const client = new Database(path);
    client.exec("UPDATE events SET event_id = 'same'");
    client.close();
    expect(store.verify()).toEqual(['Session 1 has event "same" twice.']);
  });
});

describe('rows that cannot be read', () => {
  it('are named, taken for absent, kept, and replaced by a fold of the same prefix', async () => {
    const path = newPath();
    const store = openSqliteStore(path);
    onTestFinished(() => store.close());
    for (const prefixHash of ['hash-1', 'hash-2', 'hash-3', 'hash-4']) {
      await store.compaction.commit(KEY, SCOPE, {records: [{...FOLD, prefixHash}], decisions: []});
    }
    await store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    const client = new Database(path);
    onTestFinished(() => void client.close());
    client.prepare('UPDATE compaction_records SET record_json = ? WHERE id = 1').run('{"kind":"fold"');
    client
      .prepare("UPDATE compaction_records SET record_json = json_set(record_json, '$.pinned[0]', 99) WHERE id = 2")
      .run();
    client
      .prepare("UPDATE compaction_records SET record_json = json_set(record_json, '$.output', 'text') WHERE id = 3")
      .run();
    client.prepare(`UPDATE compaction_calibrations SET state_json = '{"factor":"x"}'`).run();

    const snapshot = await store.compaction.load(KEY, SCOPE);
    expect(snapshot?.unreadable).toEqual(['fold 1', 'fold 2', 'fold 3', 'calibration of gemini']);
    expect(snapshot?.folds.map(({prefixHash}) => prefixHash)).toEqual(['hash-4']);
    expect(snapshot?.calibrations).toEqual([]);
    expect(await store.compaction.records(KEY)).toHaveLength(1);

    const result = await store.compaction.commit(KEY, SCOPE, {records: [FOLD], decisions: []});
    expect(result.existingFold).toBeUndefined();
    const ids = client.prepare('SELECT id FROM compaction_records ORDER BY id').pluck().all();
    expect(ids).toEqual([2, 3, 4, 5]);
    expect((await store.compaction.load(KEY, SCOPE))?.folds.map(({prefixHash}) => prefixHash)).toEqual([
      'hash-4',
      'hash-1',
    ]);
  });
});
