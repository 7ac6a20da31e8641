import type {SessionKey} from '../../session-key.ts';
import type {SqliteDatabase} from './open.ts';

/** Which sessions to look at. Every member narrows; none asks for all. */
export interface SessionFilter {
  readonly appName?: string | undefined;
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Only sessions last active at or after this time, in milliseconds since the epoch. */
  readonly activeSince?: number | undefined;
  /** Only sessions last active before this time, in milliseconds since the epoch. */
  readonly activeBefore?: number | undefined;
}

/** A part of a list. */
export interface Page {
  /** At most this many; -1 for all. */
  readonly limit: number;
  readonly offset: number;
}

/** One session, and what compaction did in it. */
export interface SessionOverview extends SessionKey {
  /** Milliseconds since the epoch; 0 when nothing in the file tells. */
  readonly lastActivity: number;
  /** False when only compaction knows the session: its events are kept elsewhere. */
  readonly isStored: boolean;
  readonly events: number;
  /** Model calls whose prompt token count was reported. */
  readonly calls: number;
  /** The prompt token count reported last; null before the first. */
  readonly tokens: number | null;
  /** The highest prompt token count reported; null before the first. */
  readonly peakTokens: number | null;
  /** Answers elided. */
  readonly elisions: number;
  readonly folds: number;
  /** Turns dropped. */
  readonly drops: number;
  readonly failedFolds: number;
}

const ALL: Page = {limit: -1, offset: 0};

/** The sessions that match, the one last active first, and how many match whatever the page. */
export function sessionOverviews(
  {client, read}: SqliteDatabase,
  filter: SessionFilter = {},
  page: Page = ALL,
): {readonly sessions: SessionOverview[]; readonly total: number} {
  const found = matching(filter);
  return read(() => ({
    sessions: client
      .prepare<[object], Omit<SessionOverview, 'isStored'> & {isStored: 0 | 1}>(
        `${found}, page AS (
          SELECT * FROM found ORDER BY last_activity DESC, app_name, user_id, session_id LIMIT @limit OFFSET @offset
        )
        SELECT app_name AS appName, user_id AS userId, session_id AS sessionId, last_activity AS lastActivity,
          session IS NOT NULL AS isStored,
          (SELECT count(*) FROM events WHERE events.session = page.session) AS events,
          (SELECT count(*) FROM compaction_samples JOIN ${SCOPES}) AS calls,
          (SELECT reported FROM compaction_samples AS sample JOIN ${SCOPES} ORDER BY sample.id DESC LIMIT 1) AS tokens,
          (SELECT max(reported) FROM compaction_samples JOIN ${SCOPES}) AS peakTokens,
          (SELECT total(occurrences) FROM compaction_decisions JOIN ${SCOPES} WHERE kind = 'elision') AS elisions,
          (SELECT total(occurrences) FROM compaction_decisions JOIN ${SCOPES} WHERE kind = 'drop') AS drops,
          (SELECT count(*) FROM compaction_records JOIN ${SCOPES} WHERE kind = 'fold') AS folds,
          (SELECT count(*) FROM compaction_records JOIN ${SCOPES} WHERE kind = 'failed-fold') AS failedFolds
        FROM page`,
      )
      .all({...filter, ...page})
      .map((row) => ({...row, isStored: row.isStored === 1})),
    total: client.prepare<[object], number>(`${found} SELECT count(*) FROM found`).pluck().get(filter) as number,
  }));
}

/** Joins rows of a compaction table to the session of `page`. */
const SCOPES = `compaction_scopes AS scopes ON scopes.id = scope AND scopes.app_name = page.app_name
  AND scopes.user_id = page.user_id AND scopes.session_id = page.session_id`;

/** A query's beginning that gives the sessions as `found`, those that only compaction knows included. */
function matching(filter: SessionFilter): string {
  const conditions = (conditions: Partial<Record<keyof SessionFilter, string>>): string => {
    const asked = Object.entries(conditions).filter(([name]) => filter[name as keyof SessionFilter] !== undefined);
    return asked.length === 0 ? '' : `WHERE ${asked.map(([, condition]) => condition).join(' AND ')}`;
  };
  const ofKey = conditions({
    appName: 'app_name = @appName',
    userId: 'user_id = @userId',
    sessionId: 'session_id = @sessionId',
  });
  return `WITH keys AS (
      SELECT app_name, user_id, session_id FROM sessions ${ofKey}
      UNION SELECT app_name, user_id, session_id FROM compaction_scopes ${ofKey}
    ), active AS (
      SELECT keys.*, sessions.id AS session, coalesce(sessions.update_time, (
        SELECT max(time) FROM compaction_samples JOIN compaction_scopes AS scopes ON scopes.id = scope
          WHERE scopes.app_name = keys.app_name AND scopes.user_id = keys.user_id AND scopes.session_id = keys.session_id
      ), 0) AS last_activity
      FROM keys LEFT JOIN sessions USING (app_name, user_id, session_id)
    ), found AS (
      SELECT * FROM active
      ${conditions({activeSince: 'last_activity >= @activeSince', activeBefore: 'last_activity < @activeBefore'})}
    )`;
}
