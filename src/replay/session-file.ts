import type {Event} from '@google/adk';
import {CompactionError} from '../errors.ts';
import type {SessionKey} from '../session-key.ts';
import {camelCaseKeys, eventFromJson, toMilliseconds} from './event-json.ts';
import type {RecordedSession} from './recorded-session.ts';

/** A file that holds no session. `code` is `session-file.unreadable`. */
export class SessionFileError extends CompactionError {
  constructor(message: string, options?: ErrorOptions) {
    super('session-file.unreadable', message, options);
  }
}

/**
 * Reads the sessions of a text: a session as JSON, a list of sessions, a list of events, or events or sessions one a line.
 * Field names may be in either of ADK's styles.
 *
 * @param names what to call a session that does not name itself
 * Throws `SessionFileError` when the text holds anything else, with the line where there is one.
 */
export function parseSessions(text: string, names: SessionKey): RecordedSession[] {
  const document = parseJson(text);
  const values = document.isJson ? [document.value].flat() : parseLines(text);
  if (values.length === 0) {
    throw new SessionFileError(`It holds no session and no event. ${EXPECTED}`);
  }
  if (values.every(isSession)) {
    return values.map((value) => sessionFromJson(value, names));
  }
  const events = values.map((value, index) => toEvent(value, `Item ${index + 1}`));
  return [{key: names, state: {}, events, lastUpdateTime: events.at(-1)?.timestamp ?? 0}];
}

const EXPECTED = 'Expected ADK session JSON (an object with a list of events), or events as JSON, one a line.';

interface SessionJson {
  readonly events: readonly unknown[];
  readonly [member: string]: unknown;
}

function isSession(value: unknown): value is SessionJson {
  return typeof value === 'object' && value !== null && Array.isArray((value as {events?: unknown}).events);
}

function sessionFromJson(value: SessionJson, names: SessionKey): RecordedSession {
  const {id, appName, userId, state, lastUpdateTime} = camelCaseKeys({...value, events: []}) as Record<string, unknown>;
  const name = (given: unknown, otherwise: string): string =>
    typeof given === 'string' && given !== '' ? given : otherwise;
  const events = value.events.map((event, index) => toEvent(event, `Event ${index + 1}`));
  return {
    key: {
      appName: name(appName, names.appName),
      userId: name(userId, names.userId),
      sessionId: name(id, names.sessionId),
    },
    state: typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {},
    events,
    lastUpdateTime: toMilliseconds(lastUpdateTime) ?? events.at(-1)?.timestamp ?? 0,
  };
}

function toEvent(value: unknown, where: string): Event {
  const event = eventFromJson(value);
  if (event === undefined) {
    throw new SessionFileError(`${where} is not an ADK event. ${EXPECTED}`);
  }
  return event;
}

function parseJson(text: string): {readonly isJson: boolean; readonly value?: unknown} {
  try {
    return {isJson: true, value: JSON.parse(text)};
  } catch {
    // Then it may be JSON line by line.
    return {isJson: false};
  }
}

function parseLines(text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') {
      return [];
    }
    try {
      return [JSON.parse(line) as unknown];
    } catch (error) {
      throw new SessionFileError(`Line ${index + 1} is not JSON. ${EXPECTED}`, {cause: error});
    }
  });
}
