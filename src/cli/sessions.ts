import {type SessionFilter, type SessionOverview, sessionOverviews} from '../store/sqlite/session-overview.ts';
import {WHY_UNCOUNTED} from './compaction.ts';
import {formatCount, formatTable, formatTime, paint, plural} from './format.ts';
import {reading} from './open-store.ts';
import {print, printJson} from './output.ts';
import type {SessionSelection} from './selection.ts';
import {filterOf, isNarrow, noSession} from './selection.ts';

export interface SessionsOptions extends SessionSelection {
  readonly since?: number;
  readonly limit: number;
  readonly page: number;
  readonly json?: boolean;
}

/** `sessions DB`: the sessions of a store, the one last active first. */
export async function listSessions(path: string, options: SessionsOptions): Promise<void> {
  const {limit, page} = options;
  const filter = {...filterOf(options), activeSince: options.since};
  const found = await reading(path, (database) =>
    sessionOverviews(database, filter, {limit, offset: (page - 1) * limit}),
  );
  const pages = Math.max(Math.ceil(found.total / limit), 1);
  if (options.json) {
    printJson({...found, page, pages});
  } else {
    print(found.total === 0 ? noneFound(path, filter) : describe(found.sessions, found.total, page, pages));
  }
}

function noneFound(path: string, filter: SessionFilter): string {
  return isNarrow(filter)
    ? 'No sessions match. Leave out --app, --user, --session or --since to see all.\n'
    : `${noSession(path, filter)}\n`;
}

function describe(sessions: readonly SessionOverview[], total: number, page: number, pages: number): string {
  if (sessions.length === 0) {
    return `There is no page ${page}; ${plural(total, 'session')} fill ${plural(pages, 'page')}.\n`;
  }
  const columns = [
    {title: 'SESSION'},
    {title: 'USER'},
    {title: 'APP'},
    {title: 'LAST ACTIVITY (UTC)'},
    ...['EVENTS', 'CALLS', 'TOKENS', 'PEAK', 'ELIDED', 'FOLDS', 'DROPS', 'FAILED'].map((title) => ({
      title,
      align: 'right' as const,
    })),
  ];
  const rows = sessions.map((session) => [
    session.sessionId,
    session.userId,
    session.appName,
    formatTime(session.lastActivity),
    session.isStored ? formatCount(session.events) : '–',
    formatCount(session.calls),
    formatCount(session.tokens),
    formatCount(session.peakTokens),
    formatCount(session.elisions),
    formatCount(session.folds),
    formatCount(session.drops),
    formatCount(session.failedFolds),
  ]);
  const more = pages > 1 ? `, page ${page} of ${pages}` : '';
  const foot = [paint('dim', `${plural(total, 'session')}${more}`), ...untouchedHint(sessions)];
  return `${formatTable(columns, rows)}\n${foot.join('\n')}\n`;
}

/** Sessions with events and without a call: most often the plugin was not given the store. */
function untouchedHint(sessions: readonly SessionOverview[]): string[] {
  const untouched = sessions.filter(({events, calls}) => events > 0 && calls === 0);
  return untouched.length === 0
    ? []
    : [
        paint(
          'yellow',
          `${plural(untouched.length, 'session')} with 0 CALLS: compaction counted none there. ${WHY_UNCOUNTED}`,
        ),
      ];
}
