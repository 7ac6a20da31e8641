import assert from 'node:assert/strict';
import type {BaseSessionService, Event} from '@google/adk';
import {toNormalForm} from '../json/normal-form.ts';
import type {Rules} from './contract.ts';
import {appendEvents, fullEvent, get, KEY, stateEvent, textEvent, texts} from './contract-sessions.ts';

/** How events are appended, kept and given back. */
export const EVENT_RULES: Rules<BaseSessionService> = {
  'gives events in the order of appending, also for equal and backward times': async (service) => {
    const session = await service.createSession(KEY);
    for (const [text, timestamp] of [
      ['a', 50],
      ['b', 50],
      ['c', 10],
      ['d', 50],
      ['e', 9],
    ] as const) {
      await service.appendEvent({session, event: textEvent(text, {timestamp})});
    }
    assert.deepEqual(texts(session), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(texts(await get(service)), ['a', 'b', 'c', 'd', 'e']);
  },

  'keeps the order of appends that are made at once': async (service) => {
    const session = await service.createSession(KEY);
    const names = Array.from({length: 50}, (_, index) => `event ${index}`);
    await Promise.all(names.map((name) => service.appendEvent({session, event: textEvent(name)})));
    assert.deepEqual(texts(session), names);
    assert.deepEqual(texts(await get(service)), names);
  },

  'gives the last N events, and none for 0': async (service) => {
    await appendEvents(service, [1, 2, 3, 4]);
    assert.deepEqual(texts(await get(service, KEY, {numRecentEvents: 0})), []);
    assert.deepEqual(texts(await get(service, KEY, {numRecentEvents: 3})), ['event 1', 'event 2', 'event 3']);
    assert.equal((await get(service, KEY, {numRecentEvents: 9})).events.length, 4);
  },

  'gives what follows the last event before afterTimestamp, that time included': async (service) => {
    await appendEvents(service, [10, 30, 20, 20, 40]);
    assert.deepEqual(texts(await get(service, KEY, {afterTimestamp: 20})), [
      'event 1',
      'event 2',
      'event 3',
      'event 4',
    ]);
    assert.deepEqual(texts(await get(service, KEY, {afterTimestamp: 21})), ['event 4']);
    assert.deepEqual(texts(await get(service, KEY, {afterTimestamp: 41})), []);
    assert.equal((await get(service, KEY, {afterTimestamp: 1})).events.length, 5);
  },

  'gives the shorter tail when both limits are set': async (service) => {
    await appendEvents(service, [10, 20, 30, 40]);
    const limits = [
      [3, 30, ['event 2', 'event 3']],
      [1, 20, ['event 3']],
    ] as const;
    for (const [numRecentEvents, afterTimestamp, expected] of limits) {
      assert.deepEqual(texts(await get(service, KEY, {numRecentEvents, afterTimestamp})), expected);
    }
  },

  'refuses to append to a session it does not know, and leaves the session object alone': async (service) => {
    const session = await service.createSession(KEY);
    const stranger = {...session, id: 'stranger', events: [], state: {}};
    await assert.rejects(service.appendEvent({session: stranger, event: stateEvent({a: 1})}), /stranger/);
    assert.deepEqual([stranger.events, stranger.state], [[], {}]);
    await service.deleteSession(KEY);
    await assert.rejects(service.appendEvent({session, event: stateEvent({a: 1})}), /session/);
    assert.deepEqual([session.events, {...session.state}], [[], {}]);
  },

  'refuses to append through an object of a session that was deleted and created again': async (service) => {
    const old = await service.createSession(KEY);
    await service.deleteSession(KEY);
    await service.createSession(KEY);
    await assert.rejects(service.appendEvent({session: old, event: textEvent('late')}), /session/);
    assert.deepEqual((await get(service)).events, []);
  },

  'leaves no trace of a partial event': async (service) => {
    const session = await service.createSession(KEY);
    const before = structuredClone(session);
    const partial = stateEvent({a: 1, 'app:b': 2}, {partial: true, timestamp: session.lastUpdateTime + 1000});
    assert.equal(await service.appendEvent({session, event: partial}), partial);
    assert.deepEqual(toNormalForm(session), toNormalForm(before));
    assert.deepEqual((await get(service)).events, []);
    assert.deepEqual({...(await service.createSession({...KEY, sessionId: 'next'})).state}, {});
  },

  'replaces an event in place when its id comes again': async (service) => {
    const session = await service.createSession(KEY);
    for (const id of ['a', 'b', 'c']) {
      await service.appendEvent({session, event: textEvent(id, {id, timestamp: 5})});
    }
    await service.appendEvent({session, event: textEvent('new a', {id: 'a', timestamp: 9})});
    assert.deepEqual(texts(session), ['new a', 'b', 'c']);
    assert.deepEqual(texts(await get(service)), ['new a', 'b', 'c']);
  },

  'gives an event without an id one': async (service) => {
    const session = await service.createSession(KEY);
    for (const text of ['a', 'b']) {
      const {id: _, ...event} = textEvent(text);
      await service.appendEvent({session, event: event as Event});
    }
    assert.equal(new Set(session.events.map(({id}) => id)).size, 2);
    assert.deepEqual(texts(await get(service)), ['a', 'b']);
  },

  'gives every field of an event back as it was': async (service) => {
    const session = await service.createSession(KEY);
    const expected = JSON.stringify(fullEvent());
    await service.appendEvent({session, event: fullEvent()});
    assert.equal(JSON.stringify((await get(service)).events[0]), expected);
    assert.equal(JSON.stringify(session.events[0]), expected);
  },

  'gives values that are not JSON back in the normal form': async (service) => {
    const session = await service.createSession(KEY);
    const response = {
      n: 10n,
      when: new Date(0),
      u: undefined,
      nan: Number.NaN,
      inf: Number.NEGATIVE_INFINITY,
      f() {},
      m: new Map([[1, 2]]),
      buffer: new Uint8Array(3),
      list: [undefined, () => 1],
    };
    const parts = [{functionResponse: {name: 'tool', response}}];
    await service.appendEvent({session, event: textEvent('', {content: {role: 'user', parts}})});
    const loaded = await get(service);
    assert.deepEqual(loaded.events[0]?.content?.parts?.[0]?.functionResponse?.response, {
      n: '10',
      when: '1970-01-01T00:00:00.000Z',
      nan: null,
      inf: null,
      m: {},
      buffer: 'AAAA',
      list: [null, null],
    });
    assert.deepEqual(toNormalForm(session.events), loaded.events);
  },

  'refuses an event with a cycle, naming it, before anything changed': async (service) => {
    const session = await service.createSession(KEY);
    const response: Record<string, unknown> = {};
    response.self = response;
    const parts = [{functionResponse: {name: 'tool', response}}];
    const bad = textEvent('', {id: 'bad-event', content: {role: 'user', parts}});
    bad.actions.stateDelta = {a: 1};
    await assert.rejects(service.appendEvent({session, event: bad}), /bad-event.*response\.self/s);
    await assert.rejects(
      service.appendEvent({session, event: stateEvent({a: response}, {id: 'bad-state'})}),
      /bad-state/,
    );
    assert.deepEqual([session.events, {...session.state}], [[], {}]);
    assert.deepEqual((await get(service)).events, []);
  },
};
