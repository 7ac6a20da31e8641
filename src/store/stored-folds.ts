import type {FailedFoldMemory, StoredFold} from './compaction-store.ts';
import type {CompactionRecord, FailedFoldRecord} from './records.ts';

/** What a scope's records say about folds. */
export interface StoredFolds {
  readonly folds: readonly StoredFold[];
  /** Absent when there was none, or when a fold was stored after it. */
  readonly failedFold?: FailedFoldMemory;
}

/** Reads the folds, and the failure to back off from, out of one scope's records in the order of writing. */
export function readStoredFolds(records: Iterable<CompactionRecord | FailedFoldRecord>): StoredFolds {
  const folds: StoredFold[] = [];
  let failedFold: FailedFoldMemory | undefined;
  for (const record of records) {
    if (record.kind === 'failed-fold') {
      failedFold = failedFoldMemory(record) ?? failedFold;
      continue;
    }
    const fold = storedFold(record);
    if (fold === undefined) {
      continue;
    }
    folds.push(fold);
    failedFold = undefined;
  }
  return failedFold === undefined ? {folds} : {folds, failedFold};
}

/** The fold a record describes; `undefined` when nothing can be recognised by it, as without a prefix hash. */
export function storedFold(record: CompactionRecord): StoredFold | undefined {
  const {split, prefixHash, output, pinned = []} = record;
  if (record.kind !== 'fold' || split === undefined || !prefixHash || output === undefined) {
    return undefined;
  }
  return {split, prefixHash, output, pinned};
}

function failedFoldMemory({split, prefixHash, tokensBefore}: FailedFoldRecord): FailedFoldMemory | undefined {
  return prefixHash ? {split, prefixHash, tokensBefore} : undefined;
}
