import assert from 'node:assert/strict';
import type {BaseSessionService} from '@google/adk';
import type {Rules} from './contract.ts';
import {get, KEY, textEvent, texts} from './contract-sessions.ts';

/** How sessions come, are told apart and go. */
export const LIFE_RULES: Rules<BaseSessionService> = {
  'creates a session under the id it is given': async (service) => {
    const session = await service.createSession({...KEY, state: {a: 1}});
    assert.deepEqual([session.id, session.appName, session.userId, session.events], ['session', 'app', 'user', []]);
    assert.deepEqual({...session.state}, {a: 1});
    assert.ok(Number.isInteger(session.lastUpdateTime));
  },

  'makes an id when it is given none, or an empty one': async (service) => {
    const {sessionId: _, ...noId} = KEY;
    const [first, second] = [await service.createSession(noId), await service.createSession({...KEY, sessionId: ''})];
    assert.ok(first.id && second.id && first.id !== second.id);
  },

  'refuses to create a session whose id is taken, and leaves the other as it was': async (service) => {
    const session = await service.createSession({...KEY, state: {a: 1}});
    await service.appendEvent({session, event: textEvent('kept')});
    await assert.rejects(service.createSession({...KEY, state: {a: 2}}), /session/);
    const loaded = await get(service);
    assert.deepEqual([texts(loaded), {...loaded.state}], [['kept'], {a: 1}]);
  },

  'gets or creates one session however many ask for it at once': async (service) => {
    const sessions = await Promise.all(Array.from({length: 10}, () => service.getOrCreateSession(KEY)));
    assert.deepEqual(new Set(sessions.map(({id}) => id)), new Set(['session']));
    assert.equal((await service.listSessions({appName: 'app'})).totalItems, 1);
  },

  'gives undefined for a session it does not know': async (service) => {
    await service.createSession(KEY);
    assert.equal(await service.getSession({...KEY, sessionId: 'other'}), undefined);
    assert.equal(await service.getSession({...KEY, userId: 'other'}), undefined);
    assert.equal(await service.getSession({...KEY, appName: 'other'}), undefined);
  },

  'gives out copies': async (service) => {
    const session = await service.createSession({...KEY, state: {list: [1]}});
    await service.appendEvent({session, event: textEvent('kept')});
    const loaded = await get(service);
    (loaded.state.list as number[]).push(2);
    loaded.events.length = 0;
    assert.deepEqual([texts(await get(service)), (await get(service)).state.list], [['kept'], [1]]);
  },

  'deletes a session and its events, twice without complaint, and nothing else': async (service) => {
    for (const key of [KEY, {...KEY, userId: 'other'}]) {
      const session = await service.createSession({...key, state: {'app:a': 1, 'user:u': key.userId, own: 1}});
      await service.appendEvent({session, event: textEvent('hello')});
    }
    await service.deleteSession(KEY);
    await service.deleteSession(KEY);
    assert.equal(await service.getSession(KEY), undefined);
    assert.deepEqual(texts(await get(service, {...KEY, userId: 'other'})), ['hello']);
    const again = await service.createSession(KEY);
    assert.deepEqual(again.events, []);
    assert.deepEqual((await get(service)).events, []);
  },

  'keeps sessions whose ids look alike apart': async (service) => {
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
    ];
    const keys = [...ids, 'l'.repeat(300)].flatMap((id) => [
      {appName: 'a', userId: 'u', sessionId: id},
      {appName: 'a', userId: id, sessionId: 's'},
      {appName: id, userId: 'u', sessionId: 's'},
    ]);
    for (const [index, key] of keys.entries()) {
      const session = await service.createSession({...key, state: {index}});
      assert.equal(session.id, key.sessionId);
      await service.appendEvent({session, event: textEvent(`event ${index}`)});
    }
    for (const [index, key] of keys.entries()) {
      const loaded = await get(service, key);
      assert.deepEqual([texts(loaded), {...loaded.state}, loaded.id], [[`event ${index}`], {index}, key.sessionId]);
      await service.deleteSession(key);
      const left = await Promise.all(keys.map(async (other) => Boolean(await service.getSession(other))));
      assert.deepEqual(
        left,
        keys.map((_, other) => other > index),
      );
    }
  },

  'refuses ids with half a surrogate pair': async (service) => {
    await assert.rejects(service.createSession({...KEY, sessionId: 'x\ud83d'}));
    await assert.rejects(service.createSession({...KEY, userId: '\udc00'}));
    const session = await service.createSession(KEY);
    await assert.rejects(service.appendEvent({session, event: textEvent('a', {id: '\ud83d'})}));
    assert.deepEqual(session.events, []);
  },
};
