import type {Content} from '@google/genai';
import type {FailedFoldMemory} from '../store/compaction-store.ts';
import {type AppliedFold, longestUsable} from './applied-fold.ts';
import type {History} from './history.ts';

/** Whether the store knows of it too. */
interface Kept {
  readonly isStored: boolean;
}

/** What a fold, made or failed, is known by. */
export type FoldedPrefix = Pick<AppliedFold, 'split' | 'prefixHash'>;

/** What one scope remembers of its folds. Every method is one step that nothing can come between. */
export class FoldMemory {
  readonly #capacity: number;
  #applied: readonly (AppliedFold & Kept)[] = [];
  #failed: (FailedFoldMemory & Kept) | undefined;
  #last: Content | undefined;

  /** @param capacity how many folds are remembered; the oldest is forgotten first */
  constructor(capacity = Number.POSITIVE_INFINITY) {
    this.#capacity = capacity;
  }

  /** The summary content installed last. */
  get last(): Content | undefined {
    return this.#last;
  }

  /** The failure the back-off goes by. */
  get failed(): FailedFoldMemory | undefined {
    return this.#failed;
  }

  /** The fold that stands for the beginning of this list. A fold that does not match is kept: the list may come back. */
  inUse(history: History): AppliedFold | undefined {
    return longestUsable(this.#applied, history);
  }

  /** A fold was made or found: it takes the place of one of the same prefix, and no failure is remembered any more. */
  install(fold: AppliedFold, isStored: boolean, summary?: Content): void {
    this.#failed = undefined;
    this.#last = summary ?? this.#last;
    if (fold.prefixHash !== '') {
      const others = this.#applied.filter((other) => !isSameFold(other, fold));
      this.#applied = [...others, {...fold, isStored}].slice(-this.#capacity);
    }
  }

  /** A fold failed. Without a hash there is nothing to recognise the failure by. */
  remember(failed: FailedFoldMemory, isStored: boolean): void {
    if (failed.prefixHash !== '' && failed.split >= 0) {
      this.#failed = {...failed, isStored};
    }
  }

  /** The store has been told of everything by now: from here on it has the last word. */
  markStored(): void {
    this.#applied = this.#applied.map((fold) => ({...fold, isStored: true}));
    this.#failed = this.#failed && {...this.#failed, isStored: true};
  }

  /**
   * Takes over what the store knows. What it could not be told yet stays, unless a fold has vanished from it: then the session
   * was deleted, and nothing of it is used again. What it refused goes: it is of a session that was deleted. What was read before
   * the last save must not be given here.
   *
   * @param isPending tells what is still to be written; default: all that the store does not know
   */
  restore(
    folds: readonly AppliedFold[],
    failed: FailedFoldMemory | undefined,
    isPending: (fold: FoldedPrefix) => boolean = () => true,
  ): void {
    const isKnown = (fold: AppliedFold): boolean => folds.some((stored) => isSameFold(stored, fold));
    const isDeleted = this.#applied.some((fold) => fold.isStored && !isKnown(fold));
    const unstored = isDeleted ? [] : this.#applied.filter((fold) => !isKnown(fold) && isPending(fold));
    this.#applied = [...folds.map((fold) => ({...fold, isStored: true})), ...unstored].slice(-this.#capacity);
    const isFailurePending = this.#failed?.isStored === false && isPending(this.#failed);
    if (isDeleted || !isFailurePending) {
      this.#failed = undefined;
      if (failed) {
        this.remember(failed, true);
      }
    }
  }
}

/** True for the same prefix. */
export function isSameFold(one: FoldedPrefix, other: FoldedPrefix): boolean {
  return one.split === other.split && one.prefixHash === other.prefixHash;
}
