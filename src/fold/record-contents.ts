import type {Content} from '@google/genai';
import {toNormalForm} from '../json/normal-form.ts';
import {type AnswerSite, type CallSite, pairUp} from '../request/pairs.ts';
import {hasAnswers, isThought, partsOf} from '../request/parts.ts';
import {partText} from './record-blocks.ts';

/**
 * The contents of an input as a model can be sent them: copies, without thoughts and empty contents; a call or an answer
 * that does not stand with its other half is written as text. `undefined` when they cannot be serialised.
 */
export function recordContents(contents: readonly Content[]): Content[] | undefined {
  const spoken = contents.flatMap((content) => {
    const parts = partsOf(content).filter((part) => !isThought(part));
    return parts.length > 0 ? [{...content, parts}] : [];
  });
  const lonely = lonelyParts(spoken);
  const sendable = spoken.map((content, contentIndex) => ({
    ...content,
    parts: content.parts.map((part, partIndex) =>
      lonely.has(placeOf(contentIndex, partIndex)) ? {text: partText(part).toWellFormed()} : part,
    ),
  }));
  try {
    return toNormalForm(sendable) as Content[];
  } catch {
    return undefined;
  }
}

/** Places of the calls and answers that the API would see without their other half. */
function lonelyParts(contents: readonly Content[]): Set<string> {
  const {calls, answers} = pairUp(contents);
  const answerOfCall = new Map(
    calls.map((call) => [call, call.answers.find((answer) => standsWith(answer, call, contents))]),
  );
  const lonelyCalls = calls.filter((call) => !answerOfCall.get(call));
  const lonelyAnswers = answers.filter((answer) => !answer.call || !isSame(answer, answerOfCall.get(answer.call)));
  return new Set([...lonelyCalls, ...lonelyAnswers].map(({content, part}) => placeOf(content, part)));
}

/** An answer stands with its call when nothing but answers stands between them. */
function standsWith(answer: AnswerSite, call: CallSite, contents: readonly Content[]): boolean {
  return contents.slice(call.content + 1, answer.content).every(hasAnswers);
}

function isSame(answer: AnswerSite, other: AnswerSite | undefined): boolean {
  return answer.content === other?.content && answer.part === other.part;
}

function placeOf(content: number, part: number): string {
  return `${content}:${part}`;
}
