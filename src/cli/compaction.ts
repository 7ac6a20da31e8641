import type {StoredCompaction} from '../replay/recorded-session.ts';
import type {SessionKey} from '../session-key.ts';
import {SqliteCompactionStore} from '../store/sqlite/compaction-rows.ts';
import type {SqliteDatabase} from '../store/sqlite/open.ts';

/** Everything that a store knows of what compaction did in a session. */
export async function readCompaction(database: SqliteDatabase, key: SessionKey): Promise<StoredCompaction> {
  const store = new SqliteCompactionStore(database);
  const [records, failedFolds, samples] = await Promise.all([
    store.records(key),
    store.failedFolds(key),
    store.calibrations(key),
  ]);
  return {records, failedFolds, samples};
}

/** Why a session with events may have no counted model call. */
export const WHY_UNCOUNTED =
  'Either the plugin was made without store: store.compaction, or the session was imported, or its model reports no token counts.';
