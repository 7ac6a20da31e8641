import {join} from 'node:path';
import type {Event, Session} from '@google/adk';
import fc from 'fast-check';
import {describe, expect, it, onTestFinished} from 'vitest';
import {toNormalForm} from '../../src/json/normal-form.ts';
import {openSqliteStore, type SqliteStore, type SqliteStoreOptions} from '../../src/sqlite.ts';
import {get, KEY, stateEvent, textEvent, texts} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

function open(options: Partial<SqliteStoreOptions> = {}): SqliteStore {
  const store = openSqliteStore({path: ':memory:', ...options});
  onTestFinished(() => store.close());
  return store;
}

describe('redact', () => {
  const hideDigits = (event: Event): Event => JSON.parse(JSON.stringify(event).replace(/card-\d+/g, 'card-x'));

  it('decides what is stored, what enters the session object, and its state', async () => {
    const {sessions} = open({redact: hideDigits});
    const session = await sessions.createSession(KEY);
    const event = textEvent('my card-1234', {actions: stateEvent({number: 'card-99', 'temp:t': 'card-5'}).actions});
    const appended = await sessions.appendEvent({session, event});
    expect(texts(session)).toEqual(['my card-x']);
    expect(session.events[0]).toBe(appended);
    expect(session.state).toEqual({number: 'card-x'});
    const loaded = await get(sessions);
    expect(loaded.events).toEqual(toNormalForm(session.events));
    expect(loaded.state).toEqual({number: 'card-x'});
    expect(JSON.stringify(loaded)).not.toMatch(/card-\d/);
    expect(event.content?.parts?.[0]?.text).toBe('my card-1234');
  });

  it('cannot give the event another id', async () => {
    const {sessions} = open({redact: (event) => ({...event, id: 'other'})});
    const session = await sessions.createSession(KEY);
    for (const text of ['a', 'b']) {
      await sessions.appendEvent({session, event: textEvent(text, {id: `id ${text}`})});
    }
    expect((await get(sessions)).events.map(({id}) => id)).toEqual(['id a', 'id b']);
  });

  it.each([
    ['throws', () => fail('no')],
    ['gives nothing', () => undefined],
  ])('fails the append before anything changed when it %s', async (_, redact) => {
    const {sessions} = open({redact: redact as unknown as (event: Event) => Event});
    const session = await sessions.createSession(KEY);
    await expect(sessions.appendEvent({session, event: stateEvent({a: 1})})).rejects.toThrow();
    expect([session.events, session.state]).toEqual([[], {}]);
    expect((await get(sessions)).events).toEqual([]);
  });
});

describe('the session object', () => {
  it('holds the very event that was appended, as with the services of ADK', async () => {
    const {sessions} = open();
    const session = await sessions.createSession(KEY);
    const event = textEvent('mine');
    expect(await sessions.appendEvent({session, event})).toBe(event);
    expect(session.events[0]).toBe(event);
  });

  it('keeps what a tool has written to state and not yet sent with an event', async () => {
    const {sessions} = open();
    const session = await sessions.createSession({...KEY, state: {shared: 0}});
    session.state.pending = 'mine';
    await sessions.appendEvent({session: await get(sessions), event: stateEvent({shared: 1})});
    await sessions.appendEvent({session, event: textEvent('next')});
    expect(session.state).toEqual({shared: 1, pending: 'mine'});
  });

  it.each(['app:a', 'user:u'])('sees %s that another session has changed', async (name) => {
    const {sessions} = open();
    const session = await sessions.createSession(KEY);
    const other = await sessions.createSession({...KEY, sessionId: 'other'});
    await sessions.appendEvent({session: other, event: stateEvent({[name]: 1})});
    await sessions.appendEvent({session, event: textEvent('next')});
    expect(session.state).toEqual({[name]: 1});
  });

  it('replaces an event that it does not hold, whichever store has appended it', async () => {
    const path = join(temporaryFolder(), 'store.db');
    const [mine, theirs] = [open({path}), open({path})];
    const session = await mine.sessions.createSession(KEY);
    await mine.sessions.appendEvent({session, event: textEvent('first', {id: 'first'})});
    const other = await get(theirs.sessions, KEY, {numRecentEvents: 0});
    await theirs.sessions.appendEvent({session: other, event: textEvent('first again', {id: 'first'})});
    await theirs.sessions.appendEvent({session: other, event: textEvent('second', {id: 'second'})});
    await mine.sessions.appendEvent({session, event: textEvent('second again', {id: 'second'})});
    expect(texts(session)).toEqual(['first again', 'second again']);
    expect(texts(await get(theirs.sessions))).toEqual(['first again', 'second again']);
  });

  it.each([-1, 1.5, Number.NaN])('is not loaded with numRecentEvents %d', async (numRecentEvents) => {
    const {sessions} = open();
    await sessions.createSession(KEY);
    await expect(sessions.getSession({...KEY, config: {numRecentEvents}})).rejects.toMatchObject({
      field: 'config.numRecentEvents',
      message: `config.numRecentEvents: must be a whole number, 0 or more (seen: ${numRecentEvents}).`,
    });
  });

  it.each<[what: string, freeze: (session: Session) => void]>([
    ['session', (session) => Object.freeze(session)],
    ['session.events', (session) => Object.freeze(session.events)],
    ['session.state', (session) => Object.freeze(session.state)],
    ['session.state', (session) => Object.seal(session.state)],
    ['session.state', (session) => Object.preventExtensions(session.state)],
    ['session.state', ({state}) => Object.defineProperty(state, 'mine', {value: 0})],
    ['session.state', ({state}) => Object.defineProperty(state, 'theirs', {value: 0})],
    [
      'session.state',
      (session) => {
        session.state = new Proxy({}, {defineProperty: () => false});
      },
    ],
  ])('that cannot take an event has nothing stored: %s, case %#', async (what, freeze) => {
    const {sessions} = open();
    const session = await sessions.createSession(KEY);
    await sessions.appendEvent({session: await get(sessions), event: stateEvent({theirs: 1}, {id: 'theirs'})});
    freeze(session);
    const event = stateEvent({mine: 1}, {id: 'mine'});
    await expect(sessions.appendEvent({session, event})).rejects.toMatchObject({
      code: 'session.frozen',
      message: expect.stringMatching(`^${what.replace('.', '\\.')} of session .*nothing was stored`),
    });
    const stored = await get(sessions);
    expect([stored.events.map(({id}) => id), stored.state]).toEqual([['theirs'], {theirs: 1}]);
    expect(session.events).toEqual([]);
  });

  it('takes a frozen event: as it is, or a copy with the id it lacks', async () => {
    const {sessions} = open();
    const session = await sessions.createSession(KEY);
    const frozen = (delta: Record<string, unknown>, id: string) => {
      const event = stateEvent(delta, {id});
      Object.freeze(event.actions);
      return Object.freeze(event);
    };
    const whole = frozen({a: 1}, 'whole');
    expect(await sessions.appendEvent({session, event: whole})).toBe(whole);
    const copies = [
      await sessions.appendEvent({session, event: frozen({b: 2}, '')}),
      await sessions.appendEvent({session, event: frozen({c: 3, 'temp:t': 4}, 'temporary')}),
    ];
    expect(session.events).toEqual([whole, ...copies]);
    expect(session.state).toEqual({a: 1, b: 2, c: 3});
    expect((await get(sessions)).events).toEqual(toNormalForm(session.events));
  });
});

// One step of a random life: through which of two objects, with which event id, time and state change.
const step = fc.record({
  handle: fc.nat(1),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  timestamp: fc.integer({min: 0, max: 3}),
  state: fc.dictionary(
    fc.constantFrom('x', 'y', 'app:x', 'user:x', 'temp:x', '__proto__'),
    fc.option(fc.jsonValue(), {nil: undefined}),
  ),
  text: fc.string({unit: 'binary'}),
});

describe('any sequence of appends through two objects of one session', () => {
  it('leaves the file, and the object that appended last, with what a plain list and map would hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, {maxLength: 12}), async (steps) => {
        const store = openSqliteStore(':memory:');
        try {
          const {sessions} = store;
          const handles = [await sessions.createSession(KEY), await get(sessions)];
          const model: {id: string; text: string}[] = [];
          const state = new Map<string, unknown>();
          for (const {handle, id, timestamp, state: delta, text} of steps) {
            const session = handles[handle] as Session;
            await sessions.appendEvent({
              session,
              event: stateEvent(delta, {id, timestamp, content: {parts: [{text}]}}),
            });
            const known = model.find((event) => event.id === id);
            if (known === undefined) {
              model.push({id, text});
            } else {
              known.text = text;
            }
            for (const [key, value] of Object.entries(delta)) {
              if (key.startsWith('temp:')) {
                continue;
              }
              if (value === undefined) {
                state.delete(key);
              } else {
                state.set(key, toNormalForm(value));
              }
            }
            for (const seen of [session, await get(sessions)]) {
              expect(seen.events.map((event) => [event.id, event.content?.parts?.[0]?.text])).toEqual(
                model.map((event) => [event.id, event.text]),
              );
              const entries = Object.entries(seen.state).filter(([, value]) => value !== undefined);
              expect(new Map(toNormalForm(entries) as [string, unknown][])).toEqual(state);
            }
          }
          expect(store.verify()).toEqual([]);
        } finally {
          store.close();
        }
      }),
      {numRuns: 200},
    );
  });

  it('gives back the bytes of any event', async () => {
    const store = open();
    const session = await store.sessions.createSession(KEY);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.string({unit: 'binary'}), async (json, text) => {
        const event = {...textEvent(text, {id: `event ${count++}`}), customMetadata: {value: JSON.parse(json)}};
        const expected = JSON.stringify(event);
        await store.sessions.appendEvent({session, event});
        const loaded = await get(store.sessions, KEY, {numRecentEvents: 1});
        expect(JSON.stringify(loaded.events[0])).toBe(expected);
      }),
      {numRuns: 500},
    );
  });
});

function fail(message: string): never {
  throw new Error(message);
}
