import type {Content} from '@google/genai';
import {answersFollowCalls} from './answers-follow-calls.ts';
import {partsOf} from './parts.ts';

/**
 * True when all answers of a content belong to the content before it, and no call is left without one: whatever parts a call
 * from its answer does so between two neighbours. A quick look at what nearly every request is; server tools, whose answers may
 * stand beside their calls, are none of it. What stands before `start` is taken to be so.
 */
export function arePairsInPlace(contents: readonly (Content | null | undefined)[], start = 0): boolean {
  return answersFollowCalls(contents, start) && !hasToolParts(contents, start);
}

function hasToolParts(contents: readonly (Content | null | undefined)[], start: number): boolean {
  for (let index = start; index < contents.length; index += 1) {
    if (partsOf(contents[index]).some((part) => part?.toolCall || part?.toolResponse)) {
      return true;
    }
  }
  return false;
}
