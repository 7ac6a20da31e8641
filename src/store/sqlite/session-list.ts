import type {SqliteDatabase} from './open.ts';

/** Which sessions of an app to list, and in what order. */
export interface SessionListQuery {
  readonly appName: string;
  /** Those of every user when it is undefined. */
  readonly userId: string | undefined;
  /** By time of the last update, then by ids; by creation when it is undefined. */
  readonly order: 'asc' | 'desc' | undefined;
  /** At most this many; -1 for all. */
  readonly limit: number;
  readonly offset: number;
}

/** One session in a list. */
export interface SessionListRow {
  readonly userId: string;
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly updateTime: number;
}

const ORDER = {
  created: 'id',
  asc: 'update_time, session_id, user_id',
  desc: 'update_time DESC, session_id, user_id',
};

/** Lists sessions, and counts all that match whatever `limit` and `offset` say. */
export function listSessions(
  {client, read}: SqliteDatabase,
  {appName, userId, order, limit, offset}: SessionListQuery,
): {sessions: SessionListRow[]; total: number} {
  const matching = `FROM sessions WHERE app_name = ?${userId === undefined ? '' : ' AND user_id = ?'}`;
  const names = userId === undefined ? [appName] : [appName, userId];
  return read(() => ({
    sessions: client
      .prepare<unknown[], SessionListRow>(
        `SELECT user_id AS userId, session_id AS sessionId, update_time AS updateTime ${matching}
           ORDER BY ${ORDER[order ?? 'created']} LIMIT ? OFFSET ?`,
      )
      .all(...names, limit, offset),
    total: client
      .prepare<unknown[], number>(`SELECT count(*) ${matching}`)
      .pluck()
      .get(...names) as number,
  }));
}
