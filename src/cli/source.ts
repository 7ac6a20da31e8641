import {readFileSync} from 'node:fs';
import {eventFromJson} from '../replay/event-json.ts';
import type {RecordedSession} from '../replay/recorded-session.ts';
import {parseSessions, SessionFileError} from '../replay/session-file.ts';
import type {SessionKey} from '../session-key.ts';
import {type AdkDatabase, openAdkDatabase} from '../store/sqlite/adk-database.ts';
import type {SqliteDatabase} from '../store/sqlite/open.ts';
import {sessionOverviews} from '../store/sqlite/session-overview.ts';
import {readStoredSession, type StoredSession} from '../store/sqlite/stored-session.ts';
import {readCompaction} from './compaction.ts';
import {CommandError} from './failure.ts';
import {BUSY_TIMEOUT_MS, kindOf, openForReadingOnly} from './open-store.ts';
import {filterOf, isNarrow, noSession, type SessionSelection} from './selection.ts';

/** Sessions from wherever they were recorded; those of a database are read one at a time. */
export interface SessionSource {
  readonly kind: 'store' | 'adk' | 'file';
  readonly keys: readonly SessionKey[];
  read(key: SessionKey): Promise<RecordedSession>;
  close(): void;
}

/**
 * Opens a store, a database of ADK, session JSON or JSONL for reading. A file of events is named by the selection, or
 * `recorded`. Throws a `CommandError` when the file holds no sessions.
 */
export async function openSource(path: string, selection: SessionSelection, limit = -1): Promise<SessionSource> {
  const kind = kindOf(path);
  switch (kind) {
    case 'store':
      return storeSource(openForReadingOnly(path), selection, limit);
    case 'adk':
      return adkSource(openAdkDatabase(path, BUSY_TIMEOUT_MS), selection, limit);
    case 'file':
      return textSource(readSessions(path, readFileSync(path, 'utf8'), selection), selection, limit);
    case 'empty':
    case 'foreign':
      throw new CommandError(
        `${path} is a SQLite database of neither adk-compaction nor ADK. Name a store, a database of ADK (schema version 1), session JSON or JSONL of events.`,
      );
  }
}

/** The sessions that were asked for, of which there must be one. Throws a `CommandError` that says why there is none. */
export function requireSessions(
  {kind, keys}: SessionSource,
  path: string,
  selection: SessionSelection,
): readonly [SessionKey, ...SessionKey[]] {
  const [first, ...others] = keys;
  if (first !== undefined) {
    return [first, ...others];
  }
  const filter = filterOf(selection);
  if (kind === 'store') {
    throw new CommandError(noSession(path, filter));
  }
  throw new CommandError(
    isNarrow(filter)
      ? `No session of ${path} matches. Leave out --app, --user or --session.`
      : `${path} holds no sessions. Name a file that does: a store, a database of ADK, session JSON or JSONL of events.`,
  );
}

/** Sessions in a text. Throws a `CommandError` that says what is wrong with it. */
function readSessions(path: string, text: string, {app, user, session}: SessionSelection): RecordedSession[] {
  const names = {appName: app ?? 'recorded', userId: user ?? 'recorded', sessionId: session ?? 'recorded'};
  try {
    return parseSessions(text, names);
  } catch (error) {
    if (!(error instanceof SessionFileError)) {
      throw error;
    }
    throw new CommandError(`${path} holds no session. ${error.message}`, undefined, {cause: error});
  }
}

function storeSource(database: SqliteDatabase, selection: SessionSelection, limit: number): SessionSource {
  const {sessions} = sessionOverviews(database, filterOf(selection), {limit, offset: 0});
  return {
    kind: 'store',
    keys: sessions.map(({appName, userId, sessionId}) => ({appName, userId, sessionId})),
    read: async (key) => ({
      ...readRecordedSession(database, key),
      compaction: await readCompaction(database, key),
    }),
    close: () => database.close(),
  };
}

/** The events of a session in a store; none when only compaction knows it. */
export function readRecordedSession(database: SqliteDatabase, key: SessionKey): RecordedSession {
  return toRecorded(readStoredSession(database, key) ?? {key, state: {}, events: [], updateTime: 0});
}

function adkSource(database: AdkDatabase, selection: SessionSelection, limit: number): SessionSource {
  return {
    kind: 'adk',
    keys: selectKeys(database.keys(), selection, limit),
    read: async (key) => toRecorded(database.read(key)),
    close: () => database.close(),
  };
}

function textSource(sessions: readonly RecordedSession[], selection: SessionSelection, limit: number): SessionSource {
  return {
    kind: 'file',
    keys: selectKeys(
      sessions.map(({key}) => key),
      selection,
      limit,
    ),
    read: async (key) => sessions.find((session) => session.key === key) as RecordedSession,
    close: () => {},
  };
}

function selectKeys(keys: readonly SessionKey[], {app, user, session}: SessionSelection, limit: number): SessionKey[] {
  const isAsked = (asked: string | undefined, name: string): boolean => asked === undefined || asked === name;
  const matching = keys.filter(
    ({appName, userId, sessionId}) => isAsked(app, appName) && isAsked(user, userId) && isAsked(session, sessionId),
  );
  return limit < 0 ? matching : matching.slice(0, limit);
}

function toRecorded({key, state, events, updateTime}: StoredSession): RecordedSession {
  const read = events.flatMap((event) => eventFromJson(event) ?? []);
  return {key, state, events: read, lastUpdateTime: updateTime};
}
