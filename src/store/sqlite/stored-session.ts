import type {SessionKey} from '../../session-key.ts';
import {checkedKey} from './checked-ids.ts';
import {prepareCompactionDeletion} from './compaction-statements.ts';
import type {SqliteDatabase} from './open.ts';
import {SessionRows} from './session-rows.ts';
import {NOTHING_SEEN, STATE_PREFIXES, StateRows} from './state-rows.ts';

/** A session as it is stored, as plain data. */
export interface StoredSession {
  readonly key: SessionKey;
  /** Keys with their `app:` and `user:` prefixes. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Parsed bodies, in the order of appending. */
  readonly events: readonly unknown[];
  /** Milliseconds since the epoch. */
  readonly updateTime: number;
}

/** Reads a whole session without ADK; `undefined` when there is none. */
export function readStoredSession(database: SqliteDatabase, key: SessionKey): StoredSession | undefined {
  const rows = new SessionRows(database);
  const states = new StateRows(database);
  const checked = checkedKey(key);
  return database.read(() => {
    const head = rows.head(checked);
    if (head === undefined) {
      return undefined;
    }
    const state = states
      .changedSince(head.id, checked, head, NOTHING_SEEN)
      .flatMap(({owner, key: name, valueJson}) =>
        valueJson === null ? [] : [[STATE_PREFIXES[owner] + name, JSON.parse(valueJson) as unknown] as const],
      );
    return {
      key: checked,
      state: Object.fromEntries(state),
      events: rows.events(head.id, {}, (body) => JSON.parse(body) as unknown),
      updateTime: head.updateTime,
    };
  });
}

/** Deletes sessions, their events and all that compaction knows of them, in one transaction. */
export function deleteStoredSessions(database: SqliteDatabase, keys: readonly SessionKey[]): void {
  const rows = new SessionRows(database);
  const deleteCompactionRows = prepareCompactionDeletion(database.orm);
  database.write(() => {
    for (const key of keys.map(checkedKey)) {
      rows.remove(key);
      deleteCompactionRows(key);
    }
  });
  database.eraseDeleted();
}
