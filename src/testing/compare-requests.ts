import {isDeepStrictEqual} from 'node:util';
import type {Content, FunctionResponse, Part, ToolResponse} from '@google/genai';

/**
 * How a compacted request breaks faith with the one that came in, each fault one sentence that names the index. Empty
 * when the last content is untouched and everything that is still there is whole and in its order, save for elided
 * bodies of answers. Added may be: summaries, answers `{error: 'interrupted'}`, and what `isAdded` says; answers
 * may be missing from a content that held orphans.
 *
 * Written apart from the code it checks: it shares none of its constants.
 */
export function compactionFaults(
  before: readonly Content[],
  after: readonly Content[],
  isAdded: (content: Content) => boolean = isSummary,
): string[] {
  const faults: string[] = [];
  if (!isDeepStrictEqual(after.at(-1), before.at(-1))) {
    faults.push('The last content is not the one that came in.');
  }
  let next = 0;
  after.forEach((content, index) => {
    const found = before.findIndex((original, at) => at >= next && stemsFrom(content, original));
    if (found >= 0) {
      next = found + 1;
    } else if (!isAdded(content) && !isRepair(content)) {
      faults.push(`contents[${index}] is no content of the request before, or stands in another order.`);
    }
  });
  return faults;
}

function isSummary(content: Content): boolean {
  return content.role === 'user' && (content.parts?.[0]?.text ?? '').startsWith('Summary of the conversation so far:');
}

function isRepair(content: Content): boolean {
  return content.role === 'user' && content.parts?.length !== 0 && content.parts?.every(isInterrupted) === true;
}

function isInterrupted(part: Part): boolean {
  return isDeepStrictEqual(part.functionResponse?.response, {error: 'interrupted'});
}

/** The content itself, with bodies elided, interrupted answers put in or orphan answers left out. */
function stemsFrom(content: Content, original: Content): boolean {
  if (content.role !== original.role || !content.parts || !original.parts) {
    return isDeepStrictEqual(content, original);
  }
  const originals = [...original.parts];
  for (const part of content.parts) {
    let candidate = originals.shift();
    if (isInterrupted(part) && !(candidate && isWhole(part, candidate))) {
      if (candidate) {
        originals.unshift(candidate);
      }
      continue;
    }
    while (candidate && !isWhole(part, candidate) && candidate.functionResponse) {
      candidate = originals.shift();
    }
    if (!candidate || !isWhole(part, candidate)) {
      return false;
    }
  }
  return originals.every((left) => left.functionResponse) && originals.length < original.parts.length;
}

function isWhole(part: Part, original: Part): boolean {
  return (
    isDeepStrictEqual(part, original) ||
    (isElision(part.functionResponse, original.functionResponse) &&
      isDeepStrictEqual({...part, functionResponse: null}, {...original, functionResponse: null})) ||
    (isElision(part.toolResponse, original.toolResponse) &&
      isDeepStrictEqual({...part, toolResponse: null}, {...original, toolResponse: null}))
  );
}

type Answer = (FunctionResponse | ToolResponse) & {readonly parts?: unknown; readonly response?: unknown};

function isElision(answer: Answer | undefined, original: Answer | undefined): boolean {
  if (!answer || !original) {
    return false;
  }
  const {response, parts: _, ...rest} = original;
  return isDeepStrictEqual(answer, {...rest, response: {output: '[elided]'}});
}
