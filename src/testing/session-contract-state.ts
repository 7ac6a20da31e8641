import assert from 'node:assert/strict';
import {type BaseSessionService, type Event, type Session, State} from '@google/adk';
import {toNormalForm} from '../json/normal-form.ts';
import type {Rules} from './contract.ts';
import {appendEvents, get, KEY, stateEvent, textEvent, texts} from './contract-sessions.ts';

/** How state is shared, and how a session object that others have left behind is brought up to date. */
export const STATE_RULES: Rules<BaseSessionService> = {
  'applies the state changes of an event to the session object and to what is stored': async (service) => {
    const session = await service.createSession({...KEY, state: {a: 1, b: 1}});
    await service.appendEvent({session, event: stateEvent({b: 2, c: {deep: [3]}})});
    assert.deepEqual({...session.state}, {a: 1, b: 2, c: {deep: [3]}});
    assert.deepEqual({...(await get(service)).state}, {a: 1, b: 2, c: {deep: [3]}});
  },

  'shares app: state with all users of the app and user: state with all sessions of the user': async (service) => {
    const session = await service.createSession({...KEY, state: {'app:a': 1, 'user:u': 1, own: 1}});
    await service.appendEvent({session, event: stateEvent({'app:b': 2, 'user:v': 2})});
    const [sameUser, otherUser, otherApp] = [
      await service.createSession({...KEY, sessionId: 'second'}),
      await service.createSession({...KEY, userId: 'other'}),
      await service.createSession({...KEY, appName: 'other'}),
    ];
    assert.deepEqual({...sameUser.state}, {'app:a': 1, 'app:b': 2, 'user:u': 1, 'user:v': 2});
    assert.deepEqual({...otherUser.state}, {'app:a': 1, 'app:b': 2});
    assert.deepEqual({...otherApp.state}, {});
  },

  'leaves app: and user: state when the session is deleted': async (service) => {
    await service.createSession({...KEY, state: {'app:a': 1, 'user:u': 2, own: 3}});
    await service.deleteSession(KEY);
    assert.deepEqual({...(await service.createSession(KEY)).state}, {'app:a': 1, 'user:u': 2});
  },

  'keeps temp: keys in the running session object and nowhere else': async (service) => {
    const session = await service.createSession({...KEY, state: {'temp:created': 1}});
    assert.deepEqual({...session.state}, {});
    session.state['temp:alive'] = 'secret';
    const event = stateEvent({'temp:delta': 'secret', kept: 1});
    await service.appendEvent({session, event});
    await service.appendEvent({session, event: textEvent('next')});
    assert.equal(session.state['temp:alive'], 'secret');
    const loaded = await get(service);
    assert.deepEqual({...loaded.state}, {kept: 1});
    assert.doesNotMatch(JSON.stringify([loaded, session.events]), /temp:|secret/);
  },

  'changes the session object in place': async (service) => {
    const session = await service.createSession(KEY);
    const {state, events} = session;
    await service.appendEvent({session, event: stateEvent({a: 1})});
    await service.appendEvent({session: await get(service), event: stateEvent({b: 1})});
    await service.appendEvent({session, event: stateEvent({c: 1})});
    assert.equal(session.state, state);
    assert.equal(session.events, events);
    assert.deepEqual({...state}, {a: 1, b: 1, c: 1});
  },

  'stores the newer of two writes to a key when their events come in the other order': async (service) => {
    const session = await service.createSession(KEY);
    const [first, second] = [textEvent('first'), textEvent('second')];
    new State(session.state, first.actions.stateDelta).set('key', 1);
    new State(session.state, second.actions.stateDelta).set('key', 2);
    await service.appendEvent({session, event: second});
    await service.appendEvent({session, event: first});
    assert.equal(session.state.key, 2);
    assert.equal((await get(service)).state.key, 2);
  },

  'removes a key that is set to undefined': async (service) => {
    const session = await service.createSession({...KEY, state: {a: 1, 'app:b': 1}});
    await service.appendEvent({session, event: stateEvent({a: undefined, 'app:b': undefined})});
    assert.deepEqual({...(await get(service)).state}, {});
  },

  'takes __proto__ for a key like any other': async (service) => {
    const state = JSON.parse('{"__proto__": {"polluted": 1}}');
    const session = await service.createSession({...KEY, state});
    await service.appendEvent({session, event: stateEvent(JSON.parse('{"__proto__": {"polluted": 2}}'))});
    for (const {state} of [session, await get(service)]) {
      assert.equal('polluted' in state, false);
      assert.deepEqual(Object.getOwnPropertyDescriptor(state, '__proto__')?.value, {polluted: 2});
    }
  },

  'brings a session object that is behind up to date and goes on': async (service) => {
    await service.createSession(KEY);
    const [first, second] = [await get(service), await get(service)];
    const again = stateEvent({n: 1}, {timestamp: 5});
    await service.appendEvent({session: first, event: again});
    await service.appendEvent({session: second, event: stateEvent({m: 2, 'app:a': 1, 'user:u': 1}, {timestamp: 5})});
    await service.appendEvent({session: first, event: textEvent('last', {timestamp: 4})});
    await service.appendEvent({session: first, event: again});
    const stored = await get(service);
    assert.equal(stored.events.length, 3);
    assert.deepEqual(ids(first), ids(stored));
    assert.deepEqual(toNormalForm(first), toNormalForm({...stored, state: first.state}));
    for (const {state} of [first, stored]) {
      assert.deepEqual(new Set(Object.entries(state)), new Set(Object.entries({n: 1, m: 2, 'app:a': 1, 'user:u': 1})));
    }
  },

  'shows an object that is behind what was replaced and removed': async (service) => {
    const behind = await appendEvents(service, [1, 2]);
    await service.appendEvent({session: behind, event: stateEvent({gone: 1, kept: 1})});
    const other = await get(service);
    const replacement = textEvent('new', {id: behind.events[0]?.id ?? ''});
    await service.appendEvent({session: other, event: replacement});
    await service.appendEvent({session: other, event: stateEvent({gone: undefined})});
    await service.appendEvent({session: behind, event: textEvent('last')});
    assert.deepEqual(texts(behind), ['new', 'event 1', 'state', 'state', 'last']);
    assert.deepEqual({...behind.state}, {kept: 1});
    assert.deepEqual(texts(await get(service)), texts(behind));
  },

  'gives an object that was loaded in part only what was appended since': async (service) => {
    const full = await appendEvents(service, [1, 2, 3]);
    const [two, none] = [await get(service, KEY, {numRecentEvents: 2}), await get(service, KEY, {numRecentEvents: 0})];
    await service.appendEvent({session: full, event: textEvent('theirs')});
    await service.appendEvent({session: two, event: textEvent('mine')});
    await service.appendEvent({session: none, event: textEvent('last')});
    assert.deepEqual(texts(two), ['event 1', 'event 2', 'theirs', 'mine']);
    assert.deepEqual(texts(none), ['theirs', 'mine', 'last']);
  },

  'adds an event once that a compactor has put into the session object before': async (service) => {
    const session = await appendEvents(service, [1, 2]);
    const summary = textEvent('summary');
    session.events.push(summary);
    await service.appendEvent({session, event: summary});
    await service.appendEvent({session, event: textEvent('next')});
    assert.deepEqual(texts(session), ['event 0', 'event 1', 'summary', 'next']);
    assert.deepEqual(texts(await get(service)), texts(session));
  },

  'brings an object that it did not make up to date': async (service) => {
    const session = await appendEvents(service, [1, 2]);
    await service.appendEvent({session, event: stateEvent({a: 1})});
    const foreign: Session = {...KEY, id: KEY.sessionId, state: {}, events: [] as Event[], lastUpdateTime: 0};
    await service.appendEvent({session: foreign, event: textEvent('foreign')});
    assert.deepEqual(texts(foreign), ['event 0', 'event 1', 'state', 'foreign']);
    assert.deepEqual({...foreign.state}, {a: 1});
  },

  'never sets lastUpdateTime back': async (service) => {
    const session = await service.createSession(KEY);
    const future = session.lastUpdateTime + 60_000;
    for (const timestamp of [future, 5]) {
      await service.appendEvent({session, event: textEvent('', {timestamp})});
    }
    assert.equal(session.lastUpdateTime, future);
    assert.equal((await get(service)).lastUpdateTime, future);
  },
};

function ids({events}: Session): string[] {
  return events.map(({id}) => id);
}
