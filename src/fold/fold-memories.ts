import type {Content} from '@google/genai';
import type {Scope, SessionKey} from '../session-key.ts';
import type {CompactionStore, FailedFoldMemory} from '../store/compaction-store.ts';
import {pinnedContents} from './applied-fold.ts';
import type {AppliedFoldMemory} from './fold.ts';
import {historyOf} from './history.ts';

/**
 * What a lone `FoldTransform` needs to go on with a scope that a manager has folded: its `appliedFolds` and `failedFold`
 * options. Folds that do not cover the beginning of `contents` are left out, since only `contents` holds what they pinned.
 *
 * Rejects with what the store rejects with.
 */
export async function foldMemories(
  store: CompactionStore,
  key: SessionKey,
  scope: Scope,
  contents: Content[],
): Promise<{appliedFolds: AppliedFoldMemory[]; failedFold?: FailedFoldMemory}> {
  const snapshot = await store.load(key, scope);
  const {prefixHash} = historyOf(contents);
  const appliedFolds = (snapshot?.folds ?? [])
    .filter(
      (fold) => fold.split <= contents.length && fold.prefixHash !== '' && prefixHash(fold.split) === fold.prefixHash,
    )
    .map((fold) => ({
      split: fold.split,
      prefixHash: fold.prefixHash,
      output: [...fold.output],
      pinned: pinnedContents(fold, contents),
    }));
  return snapshot?.failedFold ? {appliedFolds, failedFold: snapshot.failedFold} : {appliedFolds};
}
