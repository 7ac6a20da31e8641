import type {Content} from '@google/genai';
import {startsTurn} from './parts.ts';

/** Indices of the contents from `from` on that start a turn, in order. A turn ends before the next start. */
export function turnStarts(contents: readonly (Content | null | undefined)[], from = 0): number[] {
  const starts: number[] = [];
  for (let index = from; index < contents.length; index += 1) {
    if (startsTurn(contents[index])) {
      starts.push(index);
    }
  }
  return starts;
}

/**
 * Index of the live user content: where the turn starts that the invocation's own user message belongs to; without one the
 * last turn start; -1 when no turn starts at all. ADK hands on other agents' words as user contents, so the last user content
 * alone is not it.
 *
 * @param messageIndex of the invocation's user message; -1 without one
 */
export function liveUserIndex(starts: readonly number[], messageIndex = -1): number {
  return (messageIndex < 0 ? starts.at(-1) : starts.findLast((start) => start <= messageIndex)) ?? -1;
}
