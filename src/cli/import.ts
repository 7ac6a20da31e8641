import {existsSync, statSync} from 'node:fs';
import type {Session} from '@google/adk';
import type {SqliteSessionService} from '../adk/sqlite-session-service.ts';
import type {RecordedSession} from '../replay/recorded-session.ts';
import type {SessionKey} from '../session-key.ts';
import {SessionExistsError} from '../store/session-errors.ts';
import {openSqliteDatabase} from '../store/sqlite/open.ts';
import {plural, printable} from './format.ts';
import {BUSY_TIMEOUT_MS, kindOf, requireStore} from './open-store.ts';
import {note, print} from './output.ts';
import {startProgress} from './progress.ts';
import type {SessionSelection} from './selection.ts';
import {openSource, requireSessions} from './source.ts';

/** `import DB SOURCE`: copies sessions with their events and state into a store. One that is there is left alone. */
export async function importSessions(path: string, sourcePath: string, options: SessionSelection): Promise<void> {
  requireRoomFor(path);
  const source = await openSource(sourcePath, options);
  try {
    const keys = requireSessions(source, sourcePath, options);
    const {SqliteSessionService} = await import('../adk/sqlite-session-service.ts');
    const database = openSqliteDatabase({path, busyTimeoutMs: BUSY_TIMEOUT_MS});
    try {
      const service = new SqliteSessionService(database);
      let events = 0;
      let imported = 0;
      // The one last active comes last, so that its state of app and user is what stays.
      for (const key of keys.toReversed()) {
        const session = await source.read(key);
        if (!(await importSession(service, session))) {
          continue;
        }
        imported += 1;
        events += session.events.length;
      }
      const left = keys.length - imported;
      print(
        `Imported ${plural(imported, 'session')} with ${plural(events, 'event')}.${left > 0 ? ` Left alone: ${left}, there already.` : ''}\n`,
      );
    } finally {
      database.close();
    }
  } finally {
    source.close();
  }
}

/** False when the session is there already. A session that cannot be copied whole is not left behind. */
async function importSession(service: SqliteSessionService, {key, state, events}: RecordedSession): Promise<boolean> {
  const session = await createSession(service, key, state);
  if (session === undefined) {
    note(`${printable(key.sessionId)} of user ${printable(key.userId)} is there already.`);
    return false;
  }
  const progress = startProgress(printable(key.sessionId), events.length);
  try {
    for (const event of events) {
      await service.appendEvent({session, event});
      progress.advance();
    }
    return true;
  } catch (error) {
    await service.deleteSession(key);
    throw error;
  } finally {
    progress.stop();
  }
}

/** `undefined` when the session is there already. */
async function createSession(
  service: SqliteSessionService,
  key: SessionKey,
  state: RecordedSession['state'],
): Promise<Session | undefined> {
  try {
    return await service.createSession({...key, state: {...state}});
  } catch (error) {
    if (error instanceof SessionExistsError) {
      return undefined;
    }
    throw error;
  }
}

/** A store is made where there is no file; any other file must be a store. */
function requireRoomFor(path: string): void {
  const isFree = !existsSync(path) || (statSync(path).isFile() && statSync(path).size === 0);
  if (!isFree && kindOf(path) !== 'empty') {
    requireStore(path);
  }
}
