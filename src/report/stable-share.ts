import type {Event} from '@google/adk';
import {predictContent} from '../estimate/predict-content.ts';
import type {CompactionRecord} from '../store/records.ts';
import type {HistoryCall} from './history.ts';

const ELIDED_MILLITOKENS = 12_000;

/**
 * How much of each request of a scope begins like the one before it, as a share. A store keeps no requests: where nothing
 * was cut it is all that was there before, and where something was, what stands before the first content that changed,
 * by the sizes of the session's events.
 *
 * @param calls of one scope, oldest first
 * @param events of the session; empty when they are not known
 * @param eventIndexOf how many events stood before a call; undefined where that is not known
 */
export function stableShares(
  calls: readonly HistoryCall[],
  events: readonly Event[],
  eventIndexOf: (call: HistoryCall) => number | undefined,
): (number | undefined)[] {
  const {sizes, contentsBefore} = contentSizes(events);
  let previous: number | undefined;
  return calls.map((call) => {
    const {sample, actions} = call;
    const cuts = actions.filter((action) => action.kind !== 'failed-fold');
    const before = previous;
    previous = sample?.reported ?? previous;
    const contents = contentsBefore[eventIndexOf(call) ?? events.length];
    const [first] = cuts;
    const prefixTokens = first ? shareBefore(firstChange(cuts), sizes.slice(0, contents)) * first.tokensBefore : 0;
    for (const cut of cuts) {
      applyCut(cut, sizes);
    }
    if (sample === undefined || before === undefined) {
      return undefined;
    }
    const last = cuts.at(-1);
    return Math.min(last === undefined ? before / sample.reported : prefixTokens / last.tokensAfter, 1);
  });
}

/** The predicted millitokens of each content, and at each index how many contents the events before it hold. */
function contentSizes(events: readonly Event[]): {
  readonly sizes: number[];
  readonly contentsBefore: readonly number[];
} {
  const sizes: number[] = [];
  const contentsBefore = [0];
  for (const {content, partial} of events) {
    if (content !== undefined && !partial) {
      sizes.push(predictContent(content).millitokens);
    }
    contentsBefore.push(sizes.length);
  }
  return {sizes, contentsBefore};
}

function firstChange(cuts: readonly CompactionRecord[]): number {
  return cuts.reduce(
    (first, {kind, covers}) => (kind === 'fold' ? 0 : covers.reduce((least, {index}) => Math.min(least, index), first)),
    Number.POSITIVE_INFINITY,
  );
}

function shareBefore(index: number, sizes: readonly number[]): number {
  const sum = (list: readonly number[]): number => list.reduce((total, size) => total + size, 0);
  const all = sum(sizes);
  return all === 0 || index === 0 ? 0 : sum(sizes.slice(0, index)) / all;
}

/** Leaves the sizes as they are once the cut is made. */
function applyCut({kind, covers, split = 0, output = []}: CompactionRecord, sizes: number[]): void {
  switch (kind) {
    case 'elision':
      for (const {index} of covers) {
        sizes[index] = Math.min(sizes[index] ?? 0, ELIDED_MILLITOKENS);
      }
      return;
    case 'fold':
      sizes.fill(0, 0, split);
      if (split > 0) {
        sizes[0] = output.reduce((total, content) => total + predictContent(content).millitokens, 0);
      }
      return;
    case 'drop':
      for (const {index} of covers) {
        sizes[index] = 0;
      }
  }
}
