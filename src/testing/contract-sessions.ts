import assert from 'node:assert/strict';
import {type BaseSessionService, createEvent, type Event, type GetSessionConfig, type Session} from '@google/adk';

/** The session most rules use. */
export const KEY = {appName: 'app', userId: 'user', sessionId: 'session'};

let count = 0;

/** An event of the user's with one text part. Fields in `fields` go before the defaults. */
export function textEvent(text: string, fields: Partial<Event> = {}): Event {
  return createEvent({author: 'user', content: {role: 'user', parts: [{text}]}, id: `event-${++count}`, ...fields});
}

/** An event that changes state. */
export function stateEvent(stateDelta: Record<string, unknown>, fields: Partial<Event> = {}): Event {
  const event = textEvent('state', fields);
  event.actions.stateDelta = stateDelta;
  return event;
}

/** The stored session under `key`, which must be there. */
export async function get(service: BaseSessionService, key = KEY, config?: GetSessionConfig): Promise<Session> {
  const session = await service.getSession(config === undefined ? key : {...key, config});
  assert.ok(session, `session ${JSON.stringify(key)} is stored`);
  return session;
}

/** The text of each event. */
export function texts({events}: Session): (string | undefined)[] {
  return events.map((event) => event.content?.parts?.[0]?.text);
}

/** Creates the session and appends one event per timestamp, `event 0`, `event 1`, … */
export async function appendEvents(service: BaseSessionService, timestamps: readonly number[]): Promise<Session> {
  const session = await service.createSession(KEY);
  for (const [index, timestamp] of timestamps.entries()) {
    await service.appendEvent({session, event: textEvent(`event ${index}`, {timestamp})});
  }
  return session;
}

/** An event with every field that ADK documents, fields it does not know, and text that a careless store damages. */
export function fullEvent(): Event {
  const twins = {my_meta: 1, myMeta: 2, _x: 3, X: 4, 'app:y': null, deep: [{a_b: [], aB: {}}]};
  const proto = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c", "a": {"__proto__": 1}}');
  return {
    ...createEvent({
      id: 'full',
      invocationId: 'invocation',
      author: 'agent',
      branch: 'root.agent',
      timestamp: 1_700_000_000_123,
      longRunningToolIds: ['call-1'],
      content: {
        role: 'model',
        parts: [
          {text: 'thinking', thought: true, thoughtSignature: 'c2lnbmF0dXJl'},
          {functionCall: {id: 'call-1', name: 'read', args: {z: 2, a: 1, ...twins}}, thoughtSignature: 'AAEC'},
          {functionResponse: {id: 'call-1', name: 'read', response: {...twins, proto, half: 'bad \ud83d tail'}}},
          {inlineData: {mimeType: 'image/png', data: 'AAEC', displayName: 'p'}, videoMetadata: {fps: 1}},
          {fileData: {fileUri: 'gs://bucket/file', mimeType: 'application/pdf'}},
          {executableCode: {code: 'print(1)'}, partMetadata: twins},
          {codeExecutionResult: {output: 'W\u0000s\u0000l\u0000 a\u2028b \ud83c\udf89'}},
        ],
      },
      usageMetadata: {promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10},
      groundingMetadata: {webSearchQueries: ['q']},
      citationMetadata: {citations: [{uri: 'u', startIndex: 0}]},
      customMetadata: twins,
      errorCode: 'CODE',
      errorMessage: 'message',
      turnComplete: true,
      interrupted: false,
      inputTranscription: {text: 'in', finished: true},
      outputTranscription: {text: 'out'},
      output: {answer: [1, null, false, '']},
      route: ['left', 2, true],
      nodeInfo: {path: 'wf.child.0', outputFor: ['wf'], messageAsOutput: true},
      isolationScope: 'node-1',
      actions: {
        stateDelta: {plain: twins, 'app:shared': 'a', 'user:name': 'u', half: '\ud83d', 'nul\u0000key': '\u0000'},
        artifactDelta: {'file.txt': 3},
        skipSummarization: true,
        transferToAgent: 'other',
        escalate: false,
        requestedToolConfirmations: {},
        requestedAuthConfigs: {},
        agentState: {step: 2, ...twins},
        endOfAgent: true,
      },
    }),
    ...{unknownField: twins, snake_field: 1, snakeField: 2, nothing: null, proto},
  } as Event;
}
