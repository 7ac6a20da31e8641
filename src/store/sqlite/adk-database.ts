import type {Database} from 'better-sqlite3';
import type {SessionKey} from '../../session-key.ts';
import {connectForReading} from './read-connection.ts';
import {withSqliteErrors} from './sqlite-errors.ts';
import {STATE_PREFIXES} from './state-rows.ts';
import type {StoredSession} from './stored-session.ts';

/** Whose tables a database file holds. */
export type DatabaseKind = 'store' | 'adk' | 'empty' | 'foreign';

/** Sessions in a database of ADK's own `DatabaseSessionService`, schema version 1, open for reading. */
export interface AdkDatabase {
  /** Every session, the one updated last first. */
  keys(): SessionKey[];
  /** Events in the order of their times, then of storing; their JSON as ADK wrote it. */
  read(key: SessionKey): StoredSession;
  close(): void;
}

/** Looks at the tables of a file, and at nothing else. Throws `SqliteStoreError` when it cannot be read. */
export function databaseKind(path: string, busyTimeoutMs: number): DatabaseKind {
  return withConnection(path, busyTimeoutMs, (client) => {
    const tables = new Set(
      client.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all(),
    );
    if (tables.size === 0) {
      return 'empty';
    }
    if (tables.has('__drizzle_migrations') && tables.has('compaction_scopes')) {
      return 'store';
    }
    return hasColumn(client, 'events', 'event_data') && tables.has('sessions') ? 'adk' : 'foreign';
  });
}

/** Opens a database of ADK. Throws `SqliteStoreError` when it cannot be read. */
export function openAdkDatabase(path: string, busyTimeoutMs: number): AdkDatabase {
  const guard = <T>(work: () => T): T => withSqliteErrors(path, busyTimeoutMs, work);
  const {client, close} = guard(() => connectForReading(path, busyTimeoutMs));
  return {
    keys: () =>
      guard(() =>
        client
          .prepare<[], SessionKey>(
            `SELECT app_name AS appName, user_id AS userId, id AS sessionId FROM sessions
               ORDER BY update_time DESC, app_name, user_id, id`,
          )
          .all(),
      ),
    read: (key) => guard(() => readSession(client, key)),
    close,
  };
}

function readSession(client: Database, key: SessionKey): StoredSession {
  const state = (text: string | undefined, prefix: string): [string, unknown][] =>
    text === undefined ? [] : Object.entries(JSON.parse(text) as object).map(([name, value]) => [prefix + name, value]);
  const one = <Row>(statement: string, ...values: string[]): Row | undefined =>
    client.prepare<string[], Row>(statement).get(...values);
  const {appName, userId, sessionId} = key;
  const session = one<{state: string; time: unknown}>(
    'SELECT state, update_time AS time FROM sessions WHERE app_name = ? AND user_id = ? AND id = ?',
    appName,
    userId,
    sessionId,
  );
  const app = one<{state: string}>('SELECT state FROM app_states WHERE app_name = ?', appName);
  const user = one<{state: string}>(
    'SELECT state FROM user_states WHERE app_name = ? AND user_id = ?',
    appName,
    userId,
  );
  const events = client
    .prepare<string[], string>(
      'SELECT event_data FROM events WHERE app_name = ? AND user_id = ? AND session_id = ? ORDER BY timestamp, rowid',
    )
    .pluck()
    .all(appName, userId, sessionId);
  return {
    key,
    state: Object.fromEntries([
      ...state(app?.state, STATE_PREFIXES.app),
      ...state(user?.state, STATE_PREFIXES.user),
      ...state(session?.state, STATE_PREFIXES.session),
    ]),
    events: events.map((text) => JSON.parse(text) as unknown),
    updateTime: toMilliseconds(session?.time),
  };
}

/** ADK for TypeScript stores milliseconds, ADK for Python a text in UTC. */
function toMilliseconds(time: unknown): number {
  if (typeof time === 'number') {
    return time;
  }
  const parsed = typeof time === 'string' ? Date.parse(`${time.replace(' ', 'T')}Z`) : Number.NaN;
  return Number.isNaN(parsed) ? 0 : parsed;
}

function hasColumn(client: Database, table: string, column: string): boolean {
  return client.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;
}

function withConnection<T>(path: string, busyTimeoutMs: number, work: (client: Database) => T): T {
  return withSqliteErrors(path, busyTimeoutMs, () => {
    const {client, close} = connectForReading(path, busyTimeoutMs);
    try {
      return work(client);
    } finally {
      close();
    }
  });
}
