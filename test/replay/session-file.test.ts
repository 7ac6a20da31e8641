import {describe, expect, it} from 'vitest';
import {modelCalls} from '../../src/replay/model-calls.ts';
import {parseSessions, SessionFileError} from '../../src/replay/session-file.ts';

const NAMES = {appName: 'app', userId: 'user', sessionId: 'session'};

const SNAKE = {
  id: 's1',
  app_name: 'shop',
  user_id: 'ann',
  state: {some_key: {inner_key: 1}},
  last_update_time: 1743871946.5,
  events: [
    {
      id: 'e1',
      invocation_id: 'i1',
      author: 'user',
      timestamp: 1743871931.7,
      content: {role: 'user', parts: [{text: 'hi'}]},
    },
    {
      id: 'e2',
      invocation_id: 'i1',
      author: 'agent',
      timestamp: 1743871932,
      usage_metadata: {prompt_token_count: 12, cached_content_token_count: 3},
      content: {role: 'model', parts: [{function_call: {name: 'find', args: {max_price: 5}}}]},
      actions: {state_delta: {last_seen: 1}},
    },
    {
      id: 'e3',
      author: 'agent',
      content: {role: 'user', parts: [{function_response: {name: 'find', response: {item_list: [{unit_price: 3}]}}}]},
    },
  ],
};

const CAMEL = {
  id: 's1',
  appName: 'shop',
  userId: 'ann',
  state: {some_key: {inner_key: 1}},
  lastUpdateTime: 1743871946500,
  events: [
    {
      id: 'e1',
      invocationId: 'i1',
      author: 'user',
      timestamp: 1743871931700,
      content: {role: 'user', parts: [{text: 'hi'}]},
    },
    {
      id: 'e2',
      invocationId: 'i1',
      author: 'agent',
      timestamp: 1743871932000,
      usageMetadata: {promptTokenCount: 12, cachedContentTokenCount: 3},
      content: {role: 'model', parts: [{functionCall: {name: 'find', args: {max_price: 5}}}]},
      actions: {stateDelta: {last_seen: 1}},
    },
    {
      id: 'e3',
      author: 'agent',
      content: {role: 'user', parts: [{functionResponse: {name: 'find', response: {item_list: [{unit_price: 3}]}}}]},
    },
  ],
};

describe('parseSessions', () => {
  it('reads both styles of field names alike, and renames no key of state, arguments and results', () => {
    const [snake] = parseSessions(JSON.stringify(SNAKE), NAMES);
    const [camel] = parseSessions(JSON.stringify(CAMEL), NAMES);
    expect(snake).toEqual(camel);
    expect(snake).toMatchObject({
      key: {appName: 'shop', userId: 'ann', sessionId: 's1'},
      state: {some_key: {inner_key: 1}},
      lastUpdateTime: 1743871946500,
    });
    const {content} = snake?.events[2] ?? {};
    expect(content?.parts?.[0]?.functionResponse?.response).toEqual({item_list: [{unit_price: 3}]});
    expect(snake?.events[1]?.actions.stateDelta).toEqual({last_seen: 1});
    expect(modelCalls(snake?.events ?? [])).toMatchObject([{eventIndex: 1, reported: 12, cached: 3}]);
  });

  it.each([
    ['events one a line', SNAKE.events.map((event) => JSON.stringify(event)).join('\n\n'), 1, 3],
    ['a list of events', JSON.stringify(CAMEL.events), 1, 3],
    ['a list of sessions', JSON.stringify([SNAKE, CAMEL]), 2, 3],
    ['sessions one a line', `${JSON.stringify(SNAKE)}\n${JSON.stringify(CAMEL)}\n`, 2, 3],
    ['one event', JSON.stringify(CAMEL.events[0]), 1, 1],
    ['a session without events', JSON.stringify({...SNAKE, events: []}), 1, 0],
  ])('reads %s', (_, text, sessions, events) => {
    const read = parseSessions(text, NAMES);
    expect(read).toHaveLength(sessions);
    expect(read[0]?.events).toHaveLength(events);
  });

  it('names a session that does not name itself as it is told', () => {
    expect(parseSessions(JSON.stringify(CAMEL.events), NAMES)[0]?.key).toEqual(NAMES);
    expect(parseSessions(JSON.stringify({events: []}), NAMES)[0]?.key).toEqual(NAMES);
  });

  it.each([
    ['an empty text', '', 'no session'],
    ['an empty list', '[]', 'no session'],
    ['a number', '42', 'Item 1 is not an ADK event'],
    ['another object', '{"name": "adk-compaction"}', 'Item 1 is not an ADK event'],
    ['a session with a strange event', '{"events": [{"author": "user"}, 7]}', 'Event 2 is not an ADK event'],
    ['a line that is not JSON', '{"author": "user"}\nhello', 'Line 2 is not JSON'],
    ['events and a session', '[{"events": []}, {"author": "user"}]', 'Item 1 is not an ADK event'],
  ])('refuses %s and says what it is', (_, text, message) => {
    expect(() => parseSessions(text, NAMES)).toThrow(SessionFileError);
    expect(() => parseSessions(text, NAMES)).toThrow(message);
  });
});

describe('modelCalls', () => {
  const model = (text: string, promptTokenCount?: number, more: object = {}): object => ({
    author: 'agent',
    invocationId: 'i1',
    content: {role: 'model', parts: [{text}]},
    ...(promptTokenCount === undefined ? {} : {usageMetadata: {promptTokenCount}}),
    ...more,
  });
  it.each<[string, object[], number[]]>([
    [
      'takes the events of a streamed answer for one call',
      [model('a', 10), model('b', 10), {...model('', 10), content: undefined}],
      [0],
    ],
    ['takes answers with counts of their own for calls of their own', [model('a', 10), model('b', 12)], [0, 1]],
    ['takes answers without counts for calls of their own', [model('a'), model('b')], [0, 1]],
    ['keeps branches apart', [model('a', 10, {branch: 'x'}), model('b', 10, {branch: 'y'})], [0, 1]],
    ['keeps invocations apart', [model('a', 10), model('b', 10, {invocationId: 'i2'})], [0, 1]],
    [
      'leaves out partial events, users and answers of tools',
      [
        model('a', 10, {partial: true}),
        {author: 'user', content: {role: 'user', parts: [{text: 'hi'}]}},
        {author: 'agent', content: {role: 'user', parts: [{functionResponse: {name: 'f', response: {}}}]}},
        model('b', 10),
      ],
      [3],
    ],
  ])('%s', (_, events, expected) => {
    const [session] = parseSessions(JSON.stringify(events), NAMES);
    expect(modelCalls(session?.events ?? []).map((call) => call.eventIndex)).toEqual(expected);
  });
});
