import type {History} from './history.ts';

/** Contents from `start` up to, not including, `end`. */
export interface ContentRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Index of the first content that a fold keeps: `keepLast` contents from the end, or earlier where that would part a call
 * from an answer. A call in the live turn that nothing answers yet is kept; an older one folds with its turn.
 *
 * @param whole ranges that the split never falls inside of: it moves to their start
 */
export function chooseSplit(history: History, keepLast: number, whole: readonly ContentRange[] = []): number {
  let split = splitBeforeOpenCalls(Math.max(history.contents.length - keepLast, 0), history);
  for (;;) {
    split = splitBetweenPairs(split, history);
    const range = whole.find(({start, end}) => start < split && split < end);
    if (!range) {
      return split;
    }
    split = range.start;
  }
}

function splitBeforeOpenCalls(split: number, {liveUserIndex, pairs}: History): number {
  const open = pairs().calls.find((call) => call.answers.length === 0 && call.content >= liveUserIndex);
  return open ? Math.min(split, open.content) : split;
}

/** Answers come in the order of contents, so an answer that a move brings into the kept end is still ahead of the walk. */
function splitBetweenPairs(start: number, {pairs}: History): number {
  const {answers} = pairs();
  let split = start;
  for (let index = answers.length - 1; index >= 0; index -= 1) {
    const answer = answers[index];
    if (!answer || answer.content < split) {
      break;
    }
    split = Math.min(split, answer.call?.content ?? split);
  }
  return split;
}
