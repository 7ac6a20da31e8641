import {createInterface} from 'node:readline/promises';
import {type SessionOverview, sessionOverviews} from '../store/sqlite/session-overview.ts';
import {deleteStoredSessions} from '../store/sqlite/stored-session.ts';
import {CommandError, EXIT} from './failure.ts';
import {formatTime, plural, printable} from './format.ts';
import {writing} from './open-store.ts';
import {note, print} from './output.ts';
import {filterOf, type SessionSelection} from './selection.ts';

export interface PurgeOptions extends SessionSelection {
  readonly olderThan?: number;
  readonly yes?: boolean;
}

const NAMES_SHOWN = 10;

/** `purge DB`: deletes sessions, their events and all that compaction knows of them, after a question. */
export async function purgeSessions(path: string, options: PurgeOptions): Promise<void> {
  const {app, user, session, olderThan, yes} = options;
  if ([app, user, session, olderThan].every((given) => given === undefined)) {
    throw new CommandError('Say which sessions: --app, --user, --session or --older-than.', EXIT.usage);
  }
  await writing(path, async (database) => {
    const {sessions} = sessionOverviews(database, {...filterOf(options), activeBefore: olderThan});
    if (sessions.length === 0) {
      print('No sessions match; nothing was deleted.\n');
      return;
    }
    note(describe(sessions));
    if (!yes && !(await isConfirmed(`Delete ${plural(sessions.length, 'session')} from ${path}?`))) {
      throw new CommandError('Nothing was deleted.');
    }
    deleteStoredSessions(database, sessions);
    print(`Deleted ${plural(sessions.length, 'session')}.\n`);
  });
}

function describe(sessions: readonly SessionOverview[]): string {
  const lines = sessions
    .slice(0, NAMES_SHOWN)
    .map(({appName, userId, sessionId, lastActivity}) =>
      printable(`  ${sessionId}  user ${userId}, app ${appName}, last active ${formatTime(lastActivity)}`),
    );
  const more = sessions.length - NAMES_SHOWN;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError('There is nobody to ask: give --yes to delete without a question.', EXIT.usage);
  }
  const terminal = createInterface({input: process.stdin, output: process.stderr});
  try {
    return /^y(es)?$/iu.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
