import {createEvent, createEventActions, type Event, type Session} from '@google/adk';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {canonicalJson, type SessionKey} from '../../src/index.ts';
import {openSqliteStore, type SqliteStore} from '../../src/sqlite.ts';
import {model, user} from '../../src/testing.ts';
import {databasePath, onDatabase} from '../support/agent-rig.ts';
import {CaseManager, chat, policyOf, RawModel, summarizer, textOf, wordsOf} from '../support/case-kit.ts';
import {withFaultAfter} from '../support/faulty-statements.ts';
import {KEY} from '../support/manager-harness.ts';

const policy = policyOf(4_000, 0.8, 0.5, 4);

function eventOf(text: string, more: Partial<Event> = {}, stateDelta: Record<string, unknown> = {}): Event {
  return createEvent({author: 'user', content: user(text), actions: createEventActions({stateDelta}), ...more});
}

describe('half a transaction (case 18)', () => {
  /** Every row of every table. */
  function rowsOf(path: string): unknown {
    const tables = onDatabase<{name: string}>(
      path,
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
    );
    return tables.map(({name}) => [name, onDatabase(path, `SELECT * FROM "${name}"`)]);
  }

  async function prepared(): Promise<{path: string; store: SqliteStore; session: Session}> {
    const path = databasePath();
    const store = openSqliteStore(path);
    const session = await store.sessions.createSession({...KEY, state: {'app:a': 0, c: 0}});
    await store.sessions.appendEvent({session, event: eventOf('first')});
    return {path, store, session};
  }

  const delta = {'app:a': 1, 'user:b': 2, c: 3};
  const fold = {
    kind: 'fold',
    scope: {agentName: 'agent'},
    time: 1,
    tokensBefore: 2,
    tokensAfter: 1,
    covers: [],
    split: 1,
    prefixHash: 'h',
    output: [user('S')],
    pinned: [],
    attempts: 1,
  } as const;
  const commit = {records: [fold], decisions: [{kind: 'drop', identity: 'i', occurrences: 1}]} as const;
  const works: [string, (store: SqliteStore, session: Session) => Promise<unknown>][] = [
    ['appendEvent', (store, session) => store.sessions.appendEvent({session, event: eventOf('second', {}, delta)})],
    ['createSession', (store) => store.sessions.createSession({...KEY, sessionId: 's2', state: delta})],
    ['deleteSession', (store) => store.sessions.deleteSession(KEY)],
    ['the writing of a fold', (store) => store.compaction.commit(KEY, fold.scope, commit)],
  ];

  it.each(works)('%s: a fault after any statement leaves the file and the handle as they were', async (_, work) => {
    const {path, store, session} = await prepared();
    await store.compaction.commit(KEY, fold.scope, {records: [{...fold, prefixHash: 'earlier'}], decisions: []});
    const rows = rowsOf(path);
    const handle = canonicalJson(session);
    let faults = 0;
    for (;;) {
      const failed = await withFaultAfter(faults + 1, async () => {
        await work(store, session);
      }).catch((error: unknown) => String(error));
      if (failed === false) {
        break;
      }
      expect(failed).toContain('fault');
      expect(rowsOf(path)).toEqual(rows);
      expect(canonicalJson(session)).toBe(handle);
      faults += 1;
    }
    expect(faults).toBeGreaterThan(2);
    expect(rowsOf(path)).not.toEqual(rows);
    store.close();
  });

  it('the next append works after one that failed', async () => {
    const {store, session} = await prepared();
    const failing = withFaultAfter(2, () => store.sessions.appendEvent({session, event: eventOf('lost', {}, delta)}));
    await expect(failing).rejects.toThrow('fault');
    await store.sessions.appendEvent({session, event: eventOf('second', {}, delta)});
    const read = await store.sessions.getSession(KEY);
    expect(read?.events.map((event) => textOf(event.content))).toEqual(['first', 'second']);
    expect(read?.state).toEqual({...delta});
    store.close();
  });
});

describe('other users, odd ids (case 19)', () => {
  const history = (word: string): ReturnType<typeof chat> => [user(word), ...chat(10, 700), user('go')];
  const said = (): RawModel =>
    new RawModel((request) => {
      const words = wordsOf(request.contents).match(/word-of-\S+?\//g) ?? [];
      return [{content: model(`summary: ${[...new Set(words)].join(' ')}`)}];
    });

  it("nobody gets another's: user, app and session are the key together", async () => {
    const path = databasePath();
    const store = openSqliteStore(path);
    const keys = ['x', 'y'].flatMap((appName) =>
      ['ann', 'bob'].map((userId): SessionKey => ({appName, userId, sessionId: 's1'})),
    );
    const manager = new CaseManager(policy, {store: store.compaction, fold: {summarizer: said()}});
    const [ann = KEY, ...others] = keys;
    for (const key of keys) {
      const session = await store.sessions.createSession({...key, state: {'user:name': key.userId, own: key.appName}});
      await store.sessions.appendEvent({session, event: eventOf(`${key.appName} ${key.userId}`)});
    }
    const sent = await manager.contents(history('word-of-ann/'), {key: ann});
    expect(textOf(sent[0])).toContain('word-of-ann/');
    for (const key of others) {
      expect(await store.compaction.records(key)).toEqual([]);
      expect((await manager.manager.status(key)).scopes).toEqual([]);
      const read = await store.sessions.getSession(key);
      expect(read?.events.map((event) => textOf(event.content))).toEqual([`${key.appName} ${key.userId}`]);
      expect(read?.state).toEqual({'user:name': key.userId, own: key.appName});
      const small = [user('word-of-ann/'), model('hi'), user('go')];
      expect(await manager.contents(small, {key})).toEqual(small);
    }
    const {sessions} = await store.sessions.listSessions({appName: 'x', userId: 'ann'});
    expect(sessions.map(({userId, id}) => [userId, id])).toEqual([['ann', 's1']]);
    store.close();
  });

  it('every id is itself and no other', async () => {
    const path = databasePath();
    const ids = [
      'a_b',
      'aXb',
      'a%',
      'a%b',
      "a'b",
      'a"; drop table events;--',
      ' s1 ',
      's1',
      'S1',
      '日本',
      'x\u0000y',
      'x',
      'n'.repeat(300),
    ];
    let store = openSqliteStore(path);
    const keyOf = (sessionId: string): SessionKey => ({...KEY, sessionId});
    const manager = new CaseManager(policy, {store: store.compaction, fold: {summarizer: said()}});
    for (const [at, id] of ids.entries()) {
      const session = await store.sessions.createSession(keyOf(id));
      await store.sessions.appendEvent({session, event: eventOf(`event of ${at}`)});
      const sent = await manager.contents(history(`word-of-${at}/`), {key: keyOf(id)});
      expect(textOf(sent[0])).toBe(`Summary of the conversation so far:\n\nsummary: word-of-${at}/`);
    }
    store.close();
    store = openSqliteStore(path);
    const {sessions} = await store.sessions.listSessions({appName: KEY.appName, userId: KEY.userId});
    expect(new Set(sessions.map(({id}) => id))).toEqual(new Set(ids));
    const left = new Set(ids);
    for (const [at, id] of ids.entries()) {
      const read = await store.sessions.getSession(keyOf(id));
      expect([read?.id, read?.events.map((event) => textOf(event.content))]).toEqual([id, [`event of ${at}`]]);
      await store.sessions.deleteSession(keyOf(id));
      left.delete(id);
      for (const [other, otherId] of ids.entries()) {
        const records = await store.compaction.records(keyOf(otherId));
        expect(records.map(({summary}) => summary?.match(/word-of-\d+/)?.[0])).toEqual(
          left.has(otherId) ? [`word-of-${other}`] : [],
        );
        expect((await store.sessions.getSession(keyOf(otherId))) !== undefined).toBe(left.has(otherId));
      }
    }
    store.close();
  });
});

describe('two handles on one session (case 20)', () => {
  it('the handle that is behind is brought up to date, and nothing is lost or doubled', async () => {
    const path = databasePath();
    const store = openSqliteStore(path);
    const other = openSqliteStore(path);
    await store.sessions.createSession(KEY);
    const h1 = (await store.sessions.getSession(KEY)) as Session;
    const h2 = (await other.sessions.getSession(KEY)) as Session;
    const timestamp = 1_700_000_000_000;
    const e1 = eventOf('e1', {id: 'e1', timestamp}, {n: 1});
    const times: number[] = [];
    const append = async (on: SqliteStore, session: Session, event: Event): Promise<void> => {
      await on.sessions.appendEvent({session, event});
      times.push(session.lastUpdateTime);
    };

    await append(store, h1, e1);
    await append(other, h2, eventOf('e2', {id: 'e2', timestamp}, {m: 2}));
    const manager = new CaseManager(policy, {store: store.compaction, fold: {summarizer: summarizer('S')}});
    await manager.contents([...chat(10, 700), user('go')]);
    expect(manager.kinds()).toEqual(['fold']);
    await append(store, h1, eventOf('e3', {id: 'e3', timestamp: timestamp - 1}));
    await append(store, h1, structuredClone(e1));

    const read = await store.sessions.getSession(KEY);
    for (const session of [h1, read]) {
      expect(session?.events.map(({id}) => id)).toEqual(['e1', 'e2', 'e3']);
      expect(session?.state).toEqual({n: 1, m: 2});
    }
    expect(times).toEqual(times.toSorted((one, two) => one - two));
    expect(new Database(path, {readonly: true}).pragma('integrity_check', {simple: true})).toBe('ok');
    store.close();
    other.close();
  });
});
