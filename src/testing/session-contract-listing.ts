import assert from 'node:assert/strict';
import type {BaseSessionService, ListSessionsRequest} from '@google/adk';
import type {Rules} from './contract.ts';
import {textEvent} from './contract-sessions.ts';

/** How sessions are listed. */
export const LISTING_RULES: Rules<BaseSessionService> = {
  'lists the sessions of one user, or of all, in the order of creation': async (service) => {
    await createFive(service);
    assert.deepEqual(await list(service, {userId: 'u'}), ['c', 'a', 'b']);
    assert.deepEqual(await list(service, {userId: ''}), ['e']);
    assert.deepEqual(await list(service, {userId: 'nobody'}), []);
    assert.deepEqual(new Set(await list(service, {})), new Set(['c', 'a', 'b', 'd', 'e']));
    assert.deepEqual(await list(service, {appName: 'nothing'}), []);
  },

  'lists without events and state': async (service) => {
    await createFive(service);
    const {sessions} = await service.listSessions({appName: 'app', userId: 'u'});
    assert.deepEqual(
      sessions.map(({events, state, appName, userId}) => ({events, state: {...state}, appName, userId})),
      Array.from({length: 3}, () => ({events: [], state: {}, appName: 'app', userId: 'u'})),
    );
  },

  'orders by the time of the last update, then by id': async (service) => {
    await createFive(service);
    assert.deepEqual(await list(service, {userId: 'u', order: 'asc'}), ['a', 'b', 'c']);
    assert.deepEqual(await list(service, {userId: 'u', order: 'desc'}), ['c', 'a', 'b']);
  },

  'pages by limit with page or offset, and counts all': async (service) => {
    await createFive(service);
    const cases: [Partial<ListSessionsRequest>, string[], {page: number; limit: number; totalPages: number}][] = [
      [{}, ['a', 'b', 'c'], {page: 1, limit: 3, totalPages: 1}],
      [{offset: 1}, ['b', 'c'], {page: 1, limit: 3, totalPages: 1}],
      [{limit: 2}, ['a', 'b'], {page: 1, limit: 2, totalPages: 2}],
      [{limit: 2, page: 2}, ['c'], {page: 2, limit: 2, totalPages: 2}],
      [{limit: 2, page: 3}, [], {page: 3, limit: 2, totalPages: 2}],
      [{limit: 2, page: 1, offset: 2}, ['a', 'b'], {page: 1, limit: 2, totalPages: 2}],
      [{limit: 1, offset: 2}, ['c'], {page: 3, limit: 1, totalPages: 3}],
      [{limit: 0}, [], {page: 1, limit: 0, totalPages: 0}],
    ];
    for (const [paging, ids, expected] of cases) {
      const {sessions, ...rest} = await service.listSessions({appName: 'app', userId: 'u', order: 'asc', ...paging});
      assert.deepEqual([sessions.map(({id}) => id), rest], [ids, {...expected, totalItems: 3}], JSON.stringify(paging));
    }
  },

  'refuses a page, limit or offset that is no position': async (service) => {
    await createFive(service);
    for (const paging of [
      {limit: 2, page: 0},
      {limit: -1},
      {limit: 1.5},
      {limit: 1, offset: -1},
      {limit: Number.NaN},
    ]) {
      await assert.rejects(service.listSessions({appName: 'app', ...paging}), JSON.stringify(paging));
    }
  },
};

/** Sessions c, a, b of user u (c was updated last), d of user v, e of user ''. */
async function createFive(service: BaseSessionService): Promise<void> {
  const users = {c: 'u', a: 'u', b: 'u', d: 'v', e: ''};
  const future = Date.now() + 60_000;
  for (const [sessionId, userId] of Object.entries(users)) {
    const session = await service.createSession({appName: 'app', userId, sessionId, state: {a: 1}});
    await service.appendEvent({session, event: textEvent('', {timestamp: sessionId === 'c' ? future + 1 : future})});
  }
}

async function list(service: BaseSessionService, request: Partial<ListSessionsRequest>): Promise<string[]> {
  const {sessions} = await service.listSessions({appName: 'app', ...request});
  return sessions.map(({id}) => id);
}
