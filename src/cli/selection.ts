import type {SessionKey} from '../session-key.ts';
import type {SqliteDatabase} from '../store/sqlite/open.ts';
import {type SessionFilter, sessionOverviews} from '../store/sqlite/session-overview.ts';
import {CommandError, EXIT} from './failure.ts';
import {plural} from './format.ts';

/** `--app`, `--user`, `--session`. */
export interface SessionSelection {
  readonly app?: string;
  readonly user?: string;
  readonly session?: string;
}

/** The selection in the store's words. */
export function filterOf({app, user, session}: SessionSelection): SessionFilter {
  return {appName: app, userId: user, sessionId: session};
}

/** Why a store gave no session: nothing is in it yet, or nothing that was asked for. Says the way out. */
export function noSession(path: string, filter: SessionFilter): string {
  return isNarrow(filter)
    ? `No session of ${path} matches. List them with: adk-compaction sessions ${path}`
    : `${path} holds no sessions yet. An agent puts them there whose Runner gets sessionService: store.sessions, and so does: adk-compaction import ${path} SOURCE`;
}

/** True when less than everything was asked for. */
export function isNarrow(filter: SessionFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** The one session that matches. Throws a `CommandError` that says how to narrow when several do. */
export function selectSession(database: SqliteDatabase, selection: SessionSelection): SessionKey {
  const filter = filterOf(selection);
  const {sessions, total} = sessionOverviews(database, filter, {limit: 2, offset: 0});
  const [only] = sessions;
  if (only === undefined) {
    throw new CommandError(noSession(database.path, filter));
  }
  if (total > 1) {
    throw new CommandError(
      `${plural(total, 'session')} of ${database.path} match. Choose one with --app, --user and --session.`,
      EXIT.usage,
    );
  }
  const {appName, userId, sessionId} = only;
  return {appName, userId, sessionId};
}
