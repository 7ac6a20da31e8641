import type {Content} from '@google/genai';
import {startsTurn} from './parts.ts';

/** Indices of the contents that start a turn, in order. A turn ends before the next start. */
export function turnStarts(contents: readonly (Content | null | undefined)[]): number[] {
  const starts: number[] = [];
  contents.forEach((content, index) => {
    if (startsTurn(content)) {
      starts.push(index);
    }
  });
  return starts;
}

/**
 * Index of the live user content: where the turn starts that `isUserContent` (the invocation's own user message) belongs to; without a
 * match the last turn start; -1 when no turn starts at all. ADK hands on other agents' words as user contents, so the last
 * user content alone is not it.
 */
export function liveUserIndex(
  contents: readonly (Content | null | undefined)[],
  isUserContent?: (content: Content, index: number) => boolean,
): number {
  const starts = turnStarts(contents);
  if (isUserContent) {
    for (let index = contents.length - 1; index >= 0; index -= 1) {
      const content = contents[index];
      if (content?.role === 'user' && isUserContent(content, index)) {
        return starts.findLast((start) => start <= index) ?? -1;
      }
    }
  }
  return starts.at(-1) ?? -1;
}
