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

/** The one session that matches. Throws a `CommandError` that says how to narrow when several do. */
export function selectSession(database: SqliteDatabase, selection: SessionSelection): SessionKey {
  const {sessions, total} = sessionOverviews(database, filterOf(selection), {limit: 2, offset: 0});
  const [only] = sessions;
  if (only === undefined) {
    throw new CommandError(`No session of ${database.path} matches. List them with: adk-compaction sessions FILE.`);
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
