import type {Content} from '@google/genai';
import {hasAnswers} from '../request/parts.ts';
import type {History} from './history.ts';

/** A fold in memory. `StoredFold` and `AppliedFoldMemory` are two ways to write one down. */
export interface AppliedFold {
  readonly split: number;
  readonly prefixHash: string;
  /** What stands for the first `split` contents. */
  readonly output: readonly Content[];
  /** What is kept beside it: by index into the prefix, or the content itself when that is what was handed over. */
  readonly pinned: readonly (number | Content)[];
}

/** The longest fold that may be used for this list. Folds are never stacked. */
export function longestUsable<Applied extends AppliedFold>(
  folds: readonly Applied[],
  history: History,
): Applied | undefined {
  return folds.toSorted((one, other) => other.split - one.split).find((fold) => isUsable(fold, history));
}

/** True when the list begins with what the fold covers and nothing it needs would be taken from it. */
export function isUsable(fold: AppliedFold, history: History): boolean {
  return (
    fold.split > 0 &&
    fold.split <= history.contents.length &&
    !hidesLiveContent(fold, history) &&
    fold.prefixHash !== '' &&
    history.prefixHash(fold.split) === fold.prefixHash &&
    !orphansAnswer(fold.split, history)
  );
}

function hidesLiveContent({split, pinned}: AppliedFold, {contents, liveUserIndex, protectLive}: History): boolean {
  return (
    protectLive &&
    (split === contents.length || (liveUserIndex >= 0 && liveUserIndex < split && !pinned.includes(liveUserIndex)))
  );
}

function orphansAnswer(split: number, history: History): boolean {
  if (history.arePairsInPlace()) {
    return hasAnswers(history.contents[split]);
  }
  return history
    .pairs()
    .answers.some(({content, call}) => content >= split && call !== undefined && call.content < split);
}

/** The pinned contents, in order. */
export function pinnedContents(fold: AppliedFold, contents: readonly Content[]): Content[] {
  return fold.pinned.flatMap((pin) => (typeof pin === 'number' ? (contents[pin] ?? []) : pin));
}

/** The list with the fold in place of its prefix: output, pinned contents, then everything from the split. */
export function foldedContents(fold: AppliedFold, contents: readonly Content[]): Content[] {
  return [...fold.output, ...pinnedContents(fold, contents), ...contents.slice(fold.split)];
}
