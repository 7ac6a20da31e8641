import type {Content, Part} from '@google/genai';
import type {MeasuredContent, MeasuredRequest} from '../estimate/measure.ts';
import {predictPart} from '../estimate/prediction.ts';
import {type Size, subtractSizes} from '../estimate/size.ts';
import {weighPart} from '../estimate/weight.ts';
import {jsonByteLength} from '../json/byte-length.ts';
import {answerOf, partsOf} from '../request/parts.ts';
import {identityOf, OccurrenceCounter} from './identity.ts';

/** What stands in place of an elided body. */
export const ELISION_MARKER = '[elided]';

/** One answer in a request, with what eliding it would save. Worked out once per content. */
export interface AnswerFacts {
  /** Index of the part in its content. */
  readonly part: number;
  readonly toolName: string;
  /** Signed parts are never changed. */
  readonly isSigned: boolean;
  /** Size of the body alone: `{response, parts?}`. */
  readonly body: Size;
  /** What the request loses when the body is elided. */
  readonly saved: Size;
  /** `undefined` when the body cannot be serialised. */
  readonly identity: string | undefined;
}

/** An answer at its place, with which occurrence of its identity it is (0 without an identity). */
export interface PlacedAnswer extends AnswerFacts {
  /** Index of the content. */
  readonly content: number;
  readonly occurrence: number;
}

const factsByContent = new WeakMap<MeasuredContent, readonly AnswerFacts[]>();

/** Every answer of the request in order. */
export function placedAnswers(request: MeasuredRequest): PlacedAnswer[] {
  const counter = new OccurrenceCounter();
  const placed: PlacedAnswer[] = [];
  for (const [index, content] of request.contents.entries()) {
    const measured = request.measured[index];
    for (const facts of measured ? answerFacts(measured, content) : []) {
      const occurrence = facts.identity === undefined ? 0 : counter.next(facts.identity);
      placed.push({...facts, content: index, occurrence});
    }
  }
  return placed;
}

function answerFacts(measured: MeasuredContent, content: Content): readonly AnswerFacts[] {
  let facts = factsByContent.get(measured);
  if (!facts) {
    facts = partsOf(content).flatMap((part, index) => {
      const answer = answerOf(part);
      return answer ? [describeAnswer(part, index, answer.name)] : [];
    });
    factsByContent.set(measured, facts);
  }
  return facts;
}

function describeAnswer(part: Part, index: number, toolName: string): AnswerFacts {
  const answer = part.functionResponse ?? part.toolResponse;
  const media = part.functionResponse?.parts;
  const body = {response: answer?.response, ...(media ? {parts: media} : {})};
  const whole = partSize(part);
  return {
    part: index,
    toolName,
    isSigned: part.thoughtSignature !== undefined,
    body: bodySize(part, body, whole),
    saved: subtractSizes(whole, partSize(elidePart(part))),
    identity: identityOf({...(answer?.id ? {id: answer.id} : {}), name: toolName, body}),
  };
}

function partSize(part: Part): Size {
  return {weight: weighPart(part), prediction: predictPart(part)};
}

/** The part's size with the canonical bytes of everything but the body taken out of it. */
function bodySize(part: Part, body: object, whole: Size): Size {
  const bare = partSize(withoutBody(part));
  const difference = subtractSizes(whole, bare);
  return {...difference, weight: {...difference.weight, canonicalBytes: jsonByteLength(body)}};
}

function withoutBody(part: Part): Part {
  return changeAnswer(part, (answer) => {
    delete answer.response;
  });
}

/** The part with its body replaced by the marker and its media removed; id, name and everything else stay. */
export function elidePart(part: Part): Part {
  return changeAnswer(part, (answer) => {
    answer.response = {output: ELISION_MARKER};
  });
}

function changeAnswer(part: Part, change: (answer: {response?: Record<string, unknown>}) => void): Part {
  if (part.functionResponse) {
    const {parts: _media, ...answer} = part.functionResponse;
    change(answer);
    return {...part, functionResponse: answer};
  }
  const toolResponse = {...part.toolResponse};
  change(toolResponse);
  return {...part, toolResponse};
}

/** The part as a turn's identity sees it: an answer without its body. */
export function answerSkeleton(part: Part): Part {
  return answerOf(part) ? withoutBody(part) : part;
}
