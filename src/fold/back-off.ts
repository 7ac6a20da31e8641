import type {FailedFoldMemory} from '../store/compaction-store.ts';
import type {History} from './history.ts';

/** A fold that is being considered. */
export interface ConsideredFold {
  readonly split: number;
  /** Estimated tokens of what would go out without it. */
  readonly tokensBefore: number;
  /** Contents kept at the end, now. */
  readonly keepLast: number;
  /** Budget in tokens, now. */
  readonly budget: number;
}

/**
 * True when the last failure says that asking again is not worth it yet: the list begins with the failed prefix, the part
 * to fold has not grown by `keepLast` contents since, and the estimate has not grown by a quarter of the budget.
 */
export function isBackedOff(failed: FailedFoldMemory, now: ConsideredFold, history: History): boolean {
  return (
    failed.split <= history.contents.length &&
    now.split < failed.split + Math.max(now.keepLast, 1) &&
    now.tokensBefore < failed.tokensBefore + Math.max(Math.floor(now.budget / 4), 1) &&
    failed.prefixHash !== '' &&
    history.prefixHash(failed.split) === failed.prefixHash
  );
}
