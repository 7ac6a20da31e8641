import {sql} from 'drizzle-orm';
import type {CheckedKey} from './checked-ids.ts';
import type {SqliteDatabase} from './open.ts';
import {appState, sessionState, userState} from './schema.ts';

/** Whose a state key is. */
export type StateOwner = 'app' | 'user' | 'session';

/** What the names of each owner's keys begin with, as ADK has it. */
export const STATE_PREFIXES: Readonly<Record<StateOwner, string>> = {app: 'app:', user: 'user:', session: ''};

/** One key of state, without its prefix. */
export interface StateEntry {
  readonly owner: StateOwner;
  readonly key: string;
  /** JSON text; null when the key was removed. */
  readonly valueJson: string | null;
}

/** The counters of one session's three kinds of state. */
export interface StateVersions {
  readonly version: number;
  readonly appVersion: number;
  readonly userVersion: number;
}

/** Those of one who has seen nothing yet: all that there is was written since. */
export const NOTHING_SEEN: StateVersions = {version: 0, appVersion: 0, userVersion: 0};

type Statements = ReturnType<typeof prepare>;

/** Reads and writes state rows, inside transactions of the caller's. */
export class StateRows {
  readonly #statements: Statements;

  constructor(database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  /** What was written after `since`, removed keys included. */
  changedSince(session: number, key: CheckedKey, now: StateVersions, since: StateVersions): StateEntry[] {
    const {readApp, readUser, readSession} = this.#statements;
    const {appName, userId} = key;
    return [
      ...(now.appVersion > since.appVersion ? readApp.all(appName, since.appVersion).map(entryOf('app')) : []),
      ...(now.userVersion > since.userVersion
        ? readUser.all(appName, userId, since.userVersion).map(entryOf('user'))
        : []),
      ...(now.version > since.version ? readSession.all(session, since.version).map(entryOf('session')) : []),
    ];
  }

  /** Writes `entries` under the version that goes with the owner of each. */
  write(session: number, key: CheckedKey, entries: readonly StateEntry[], versions: StateVersions): void {
    const {writeApp, writeUser, writeSession} = this.#statements;
    const {appName, userId} = key;
    for (const {owner, key: name, valueJson: value} of entries) {
      const stateKey = JSON.stringify(name);
      switch (owner) {
        case 'app':
          writeApp.run({appName, key: stateKey, value, version: versions.appVersion});
          break;
        case 'user':
          writeUser.run({appName, userId, key: stateKey, value, version: versions.userVersion});
          break;
        case 'session':
          writeSession.run({session, key: stateKey, value, version: versions.version});
          break;
      }
    }
  }
}

interface Row {
  readonly key: string;
  readonly value: string | null;
}

function entryOf(owner: StateOwner): (row: Row) => StateEntry {
  return ({key, value}) => ({owner, key: JSON.parse(key) as string, valueJson: value});
}

// What runs on every load goes past drizzle, whose mapping would double its cost.
function prepare({client, orm}: SqliteDatabase) {
  const {placeholder} = sql;
  const written = {
    key: placeholder('key'),
    value: placeholder('value'),
    version: placeholder('version'),
  };
  const set = {value: sql`excluded.value`, version: sql`excluded.version`};
  return {
    readApp: client.prepare<[appName: string, since: number], Row>(
      'SELECT key, value FROM app_state WHERE app_name = ? AND version > ? ORDER BY rowid',
    ),
    readUser: client.prepare<[appName: string, userId: string, since: number], Row>(
      'SELECT key, value FROM user_state WHERE app_name = ? AND user_id = ? AND version > ? ORDER BY rowid',
    ),
    readSession: client.prepare<[session: number, since: number], Row>(
      'SELECT key, value FROM session_state WHERE session = ? AND version > ? ORDER BY rowid',
    ),
    writeApp: orm
      .insert(appState)
      .values({appName: placeholder('appName'), ...written})
      .onConflictDoUpdate({target: [appState.appName, appState.key], set})
      .prepare(),
    writeUser: orm
      .insert(userState)
      .values({appName: placeholder('appName'), userId: placeholder('userId'), ...written})
      .onConflictDoUpdate({target: [userState.appName, userState.userId, userState.key], set})
      .prepare(),
    writeSession: orm
      .insert(sessionState)
      .values({session: placeholder('session'), ...written})
      .onConflictDoUpdate({target: [sessionState.session, sessionState.key], set})
      .prepare(),
  };
}
