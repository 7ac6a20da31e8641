import {join} from 'node:path';
import {FunctionTool, LlmAgent, Runner} from '@google/adk';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {CompactionPlugin} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {openSqliteDatabase, type SqliteDatabase} from '../../src/store/sqlite/open.ts';
import {LEARNED, SAMPLE, SCOPE} from '../../src/testing/contract-records.ts';
import {appendEvents, KEY, textEvent} from '../../src/testing/contract-sessions.ts';
import {call, model, ScriptedModel, user} from '../../src/testing.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {transactionsIn} from '../support/write-ahead-log.ts';

describe('work that may wait', () => {
  it('is written by the next transaction, before its own work, and needs none of its own', async () => {
    const {database, path} = open();
    const earlier = transactionsIn(path);
    const first = database.writeLater(() => note(database, 'first'));
    const second = database.writeLater(() => note(database, 'second'));
    expect(transactionsIn(path)).toBe(earlier);

    database.write(() => note(database, 'now'));
    expect(transactionsIn(path)).toBe(earlier + 1);
    await Promise.all([first, second]);
    expect(notes(path)).toEqual(['first', 'second', 'now']);
    await nextTask();
    expect(transactionsIn(path)).toBe(earlier + 1);
  });

  it('is written when the current task of the process has ended, all of it at once', async () => {
    const {database, path} = open();
    const earlier = transactionsIn(path);
    const works = ['first', 'second'].map((text) => database.writeLater(() => note(database, text)));
    await Promise.resolve();
    expect(notes(path)).toEqual([]);
    await Promise.all(works);
    expect(transactionsIn(path)).toBe(earlier + 1);
    expect(notes(path)).toEqual(['first', 'second']);
  });

  it('leaves nothing behind for each time that it was written before the task ended', () => {
    const {database} = open();
    const immediates = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Immediate').length;
    const earlier = immediates();
    for (let round = 0; round < 100; round += 1) {
      void database.writeLater(() => note(database, 'late'));
      database.write(() => note(database, 'now'));
    }
    expect(immediates() - earlier).toBe(1);
  });

  it.each([
    ['a transaction', (database: SqliteDatabase) => database.read(() => written(database))],
    ['a single statement', (database: SqliteDatabase) => database.glance(() => written(database))],
  ])('is seen by who reads next on the same connection, in %s', (_, read) => {
    const {database} = open();
    void database.writeLater(() => note(database, 'late'));
    expect(read(database)).toEqual(['late']);
  });

  it('is written on closing', async () => {
    const {database, path} = open();
    const late = database.writeLater(() => note(database, 'late'));
    database.close();
    await late;
    expect(notes(path)).toEqual(['late']);
  });

  it('is left out when it throws, with all it has written; the others are not', async () => {
    const {database, path} = open();
    const works = [
      database.writeLater(() => note(database, 'good')),
      database.writeLater(() => {
        note(database, 'bad');
        throw new Error('bad');
      }),
      database.writeLater(() => note(database, 'good too')),
    ];
    const settled = Promise.allSettled(works);
    database.write(() => note(database, 'now'));
    expect(await settled).toMatchObject([
      {status: 'fulfilled'},
      {reason: expect.objectContaining({message: 'bad'})},
      {status: 'fulfilled'},
    ]);
    expect(notes(path)).toEqual(['good', 'good too', 'now']);
  });

  it('waits on when the transaction it was to join is rolled back', async () => {
    const {database, path} = open();
    const late = database.writeLater(() => note(database, 'late'));
    expect(() =>
      database.write(() => {
        throw new Error('rolled back');
      }),
    ).toThrow('rolled back');
    expect(notes(path)).toEqual([]);
    await late;
    expect(notes(path)).toEqual(['late']);
  });

  it('is refused when others hold the file, or it is open for reading or closed', async () => {
    const {database, path} = open(0);
    const other = new Database(path);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(database.writeLater(() => note(database, 'locked'))).rejects.toMatchObject({code: 'sqlite.busy'});
    other.exec('COMMIT');
    database.close();
    await expect(database.writeLater(() => note(database, 'closed'))).rejects.toMatchObject({code: 'sqlite.closed'});

    const reader = openSqliteDatabase({path, readonly: true});
    onTestFinished(() => reader.close());
    await expect(reader.writeLater(() => note(reader, 'read'))).rejects.toMatchObject({code: 'sqlite.readonly'});
    expect(notes(path)).toEqual([]);
  });
});

it('a sample is stored in one transaction with the event that is appended next', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  const session = await appendEvents(store.sessions, [1]);
  const earlier = transactionsIn(path);
  const saved = store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
  await store.sessions.appendEvent({session, event: textEvent('answer')});
  await saved;
  expect(transactionsIn(path)).toBe(earlier + 1);
  expect(await store.compaction.calibrations(KEY)).toEqual([SAMPLE]);
});

it("calls in ADK's runner take no transaction beyond those of the events", async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  const runner = new Runner({
    appName: KEY.appName,
    agent: new LlmAgent({
      name: 'agent',
      model: new ScriptedModel([call('read'), call('read'), model('done')]),
      tools: [new FunctionTool({name: 'read', description: 'Reads on.', execute: () => ({output: 'text'})})],
    }),
    sessionService: store.sessions,
    plugins: [new CompactionPlugin({policy: {contextTokens: 100_000}, store: store.compaction})],
  });
  await store.sessions.createSession(KEY);
  const earlier = transactionsIn(path);
  for await (const _event of runner.runAsync({...KEY, newMessage: user('go')})) {
    // Each is stored before it is given out.
  }
  const session = await store.sessions.getSession(KEY);
  expect(await store.compaction.calibrations(KEY)).toHaveLength(3);
  expect(transactionsIn(path) - earlier).toBe(session?.events.length);
});

it('a sample of a session that was deleted meanwhile is refused, and the event of another is stored', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = openSqliteStore(path);
  const other = openSqliteStore(path);
  onTestFinished(() => {
    store.close();
    other.close();
  });
  const session = await store.sessions.createSession({...KEY, sessionId: 'another'});
  const known = await store.compaction.load(KEY, SCOPE);
  await other.compaction.deleteSession(KEY);
  const saved = store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED, known?.revision);
  const refused = expect(saved).rejects.toMatchObject({code: 'session.deleted'});
  await store.sessions.appendEvent({session, event: textEvent('kept')});
  await refused;
  expect((await other.sessions.getSession({...KEY, sessionId: 'another'}))?.events).toHaveLength(1);
  expect(await other.compaction.calibrations(KEY)).toEqual([]);
});

function open(busyTimeoutMs = 1_000): {readonly database: SqliteDatabase; readonly path: string} {
  const path = join(temporaryFolder(), 'notes.db');
  const database = openSqliteDatabase({path, busyTimeoutMs});
  onTestFinished(() => database.close());
  database.write(() => database.client.exec('CREATE TABLE notes (text TEXT)'));
  return {database, path};
}

function note({client}: SqliteDatabase, text: string): void {
  client.prepare('INSERT INTO notes VALUES (?)').run(text);
}

function written({client}: Pick<SqliteDatabase, 'client'>): unknown[] {
  return client.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all();
}

/** What another connection sees. */
function notes(path: string): unknown[] {
  const client = new Database(path, {readonly: true});
  try {
    return written({client});
  } finally {
    client.close();
  }
}

function nextTask(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
