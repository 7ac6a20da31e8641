import type {Content, Part} from '@google/genai';
import {partsOf} from './parts.ts';

/**
 * True when each content with function calls is followed by one that answers just these, one by one, and there are no other
 * answers: nothing to repair then. A quick look at what nearly every request is, without pairing it up. What stands before
 * `start` is taken to be so.
 */
export function answersFollowCalls(contents: readonly (Content | null | undefined)[], start = 0): boolean {
  let open: readonly Part[] = [];
  for (let index = start; index < contents.length; index += 1) {
    const parts = partsOf(contents[index]);
    let answered = 0;
    for (const part of parts) {
      const answer = part?.functionResponse;
      if (!answer) {
        continue;
      }
      const call = open[answered]?.functionCall;
      if (!call || call.name !== answer.name || (call.id || undefined) !== (answer.id || undefined)) {
        return false;
      }
      answered += 1;
    }
    if (answered !== open.length) {
      return false;
    }
    open = parts.some(isFunctionCall) ? parts.filter(isFunctionCall) : [];
  }
  return open.length === 0;
}

function isFunctionCall(part: Part): boolean {
  return Boolean(part?.functionCall);
}
