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
