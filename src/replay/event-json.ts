import type {Event} from '@google/adk';

/** Members whose values are somebody's data: their keys are nobody's to rename. */
const VERBATIM = new Set([
  'agentState',
  'args',
  'artifactDelta',
  'customMetadata',
  'output',
  'partMetadata',
  'requestedAuthConfigs',
  'requestedToolConfirmations',
  'response',
  'route',
  'state',
  'stateDelta',
]);

/** Times below this are seconds: as milliseconds they would lie in 1973 or before. */
const FIRST_MILLISECONDS = 1e11;

/**
 * Reads an event written by any ADK: field names in snake_case (Python, ADK's databases) or camelCase (TypeScript), times
 * in seconds or milliseconds. `undefined` when the value is no event.
 */
export function eventFromJson(value: unknown): Event | undefined {
  const event = camelCaseKeys(value);
  if (!isObject(event)) {
    return undefined;
  }
  const {author, content, timestamp, id, invocationId, actions} = event;
  const isEvent = typeof author === 'string' || isObject(content);
  if (!isEvent || (content !== undefined && content !== null && !isObject(content))) {
    return undefined;
  }
  return {
    ...event,
    id: typeof id === 'string' ? id : '',
    invocationId: typeof invocationId === 'string' ? invocationId : '',
    author: typeof author === 'string' ? author : authorOf(content),
    timestamp: toMilliseconds(timestamp) ?? 0,
    actions: {
      stateDelta: {},
      artifactDelta: {},
      requestedAuthConfigs: {},
      requestedToolConfirmations: {},
      ...(isObject(actions) ? actions : {}),
    },
  } as Event;
}

/** Milliseconds since the epoch from seconds or milliseconds; `undefined` when the value is no time. */
export function toMilliseconds(time: unknown): number | undefined {
  if (typeof time !== 'number' || !Number.isFinite(time)) {
    return undefined;
  }
  return Math.round(time < FIRST_MILLISECONDS ? time * 1000 : time);
}

/** Renames the keys of an ADK value to camelCase, those of state, arguments, results and metadata excepted. */
export function camelCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(camelCaseKeys);
  }
  if (!isObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const key = name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase());
      return [key, VERBATIM.has(key) ? member : camelCaseKeys(member)];
    }),
  );
}

function authorOf(content: unknown): string {
  return isObject(content) && content.role === 'user' ? 'user' : 'model';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
