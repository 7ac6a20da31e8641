import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {toNormalForm} from '../../src/json/normal-form.ts';
import {openSqliteStore, type SqliteStore} from '../../src/sqlite.ts';
import {FAILED_FOLD, FOLD, LEARNED, SAMPLE, SCOPE} from '../../src/testing/contract-records.ts';
import {KEY, stateEvent, textEvent} from '../../src/testing/contract-sessions.ts';
import {withFaultAfter} from '../support/faulty-statements.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

const DELTA = {'app:a': 1, 'user:b': 2, c: 3};
const COMMIT = {records: [FOLD, FAILED_FOLD], decisions: [{kind: 'drop', identity: 'i', occurrences: 1}]} as const;

type Work = (store: SqliteStore) => Promise<unknown>;

const WRITES: [name: string, prepare: Work, write: Work][] = [
  ['createSession', async () => undefined, (store) => store.sessions.createSession({...KEY, state: DELTA})],
  [
    'appendEvent',
    (store) => store.sessions.createSession({...KEY, state: {'app:a': 0, c: 0}}),
    async (store) => store.sessions.appendEvent({session: await loaded(store), event: stateEvent(DELTA)}),
  ],
  [
    'appendEvent in the place of another',
    async (store) => {
      const session = await store.sessions.createSession(KEY);
      await store.sessions.appendEvent({session, event: textEvent('old', {id: 'same'})});
    },
    async (store) => store.sessions.appendEvent({session: await loaded(store), event: stateEvent(DELTA, {id: 'same'})}),
  ],
  [
    'deleteSession',
    async (store) => {
      const session = await store.sessions.createSession({...KEY, state: DELTA});
      await store.sessions.appendEvent({session, event: textEvent('event')});
      await store.compaction.commit(KEY, SCOPE, COMMIT);
      await store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    },
    (store) => store.sessions.deleteSession(KEY),
  ],
  ['the commit of a fold', async () => undefined, (store) => store.compaction.commit(KEY, SCOPE, COMMIT)],
  ['saveCalibration', async () => undefined, (store) => store.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED)],
  [
    'the deletion of compaction rows',
    (store) => store.compaction.commit(KEY, SCOPE, COMMIT),
    (store) => store.compaction.deleteSession(KEY),
  ],
];

describe('a fault after each single statement', () => {
  it.each(WRITES)('leaves the file as it was: %s', async (_, prepare, write) => {
    const path = join(temporaryFolder(), 'store.db');
    const store = openSqliteStore({path, durability: 'process'});
    onTestFinished(() => store.close());
    await prepare(store);
    const before = dump(path);

    let faults = 0;
    for (let nth = 1; ; nth++) {
      let error: unknown;
      const isFaulty = await withFaultAfter(nth, () => write(store).catch((reason) => (error = reason)));
      if (!isFaulty) {
        break;
      }
      expect(String(error)).toContain('fault');
      expect(dump(path)).toEqual(before);
      faults++;
    }
    expect(faults).toBeGreaterThanOrEqual(3);
    expect(dump(path)).not.toEqual(before);
    expect(store.verify()).toEqual([]);
  });

  it('leaves the session object and the event of a failed append as they were, and the next append works', async () => {
    const store = openSqliteStore(':memory:');
    onTestFinished(() => store.close());
    const session = await store.sessions.createSession({...KEY, state: {'app:a': 0, c: 0}});
    session.state['temp:alive'] = 1;
    const other = await loaded(store);
    await store.sessions.appendEvent({session: other, event: stateEvent({theirs: 1})});
    const event = stateEvent({...DELTA, 'temp:t': 1});
    const before = JSON.stringify([session, event]);

    let nth = 1;
    const append = () => store.sessions.appendEvent({session, event}).catch(() => undefined);
    const attempt = async (): Promise<boolean> => {
      let isUnchanged = true;
      const isFaulty = await withFaultAfter(nth++, async () => {
        isUnchanged = (await append()) === undefined && JSON.stringify([session, event]) === before;
      });
      if (isFaulty) {
        expect(isUnchanged).toBe(true);
      }
      return isFaulty;
    };
    while (await attempt()) {}
    expect(nth).toBeGreaterThan(5);
    expect(session.state).toEqual({...DELTA, theirs: 1, 'temp:alive': 1});
    expect(toNormalForm(session.events)).toEqual((await loaded(store)).events);
  });
});

async function loaded(store: SqliteStore) {
  const session = await store.sessions.getSession(KEY);
  if (session === undefined) {
    throw new Error('the session is not stored');
  }
  return session;
}

/** Every row of every table, read through another connection. */
function dump(path: string): unknown {
  const client = new Database(path, {readonly: true});
  try {
    const tables = client.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
    const rows = tables
      .filter((name) => name !== 'sqlite_sequence')
      .map((name) => [name, client.prepare(`SELECT * FROM "${name}"`).all()]);
    return Object.fromEntries(rows);
  } finally {
    client.close();
  }
}
