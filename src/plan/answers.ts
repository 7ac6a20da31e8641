import type {Content, Part} from '@google/genai';
import {contentSize, type MeasuredContent, partSize} from '../estimate/measure.ts';
import {type Size, subtractSizes} from '../estimate/size.ts';
import {jsonByteLength} from '../json/byte-length.ts';
import {answerOf, partsOf} from '../request/parts.ts';
import {identityOf} from './identity.ts';

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

const factsByContent = new WeakMap<MeasuredContent, readonly AnswerFacts[]>();

/** The answers in a content, in order. */
export function answerFacts(measured: MeasuredContent, content: Content): readonly AnswerFacts[] {
  let facts = factsByContent.get(measured);
  if (!facts) {
    facts = partsOf(content).flatMap((part, index) => {
      const answer = answerOf(part);
      return answer ? [describeAnswer(part, index, answer.name, wholeSize(measured, content, part))] : [];
    });
    factsByContent.set(measured, facts);
  }
  return facts;
}

function describeAnswer(part: Part, index: number, toolName: string, whole: Size): AnswerFacts {
  const answer = part.functionResponse ?? part.toolResponse;
  const media = part.functionResponse?.parts;
  const body = {response: answer?.response, ...(media ? {parts: media} : {})};
  return {
    part: index,
    toolName,
    isSigned: part.thoughtSignature !== undefined,
    body: bodySize(part, body, whole),
    saved: subtractSizes(whole, partSize(elidePart(part))),
    identity: identityOf({...(answer?.id ? {id: answer.id} : {}), name: toolName, body}),
  };
}

/** The size of a part; where it is the only one of a content of plain values, known from the content's. */
function wholeSize(measured: MeasuredContent, content: Content, part: Part): Size {
  return measured.snapshot && content.parts?.length === 1
    ? subtractSizes({weight: measured, prediction: measured}, contentSize({...content, parts: []}))
    : partSize(part);
}

/** The part's size with the canonical bytes of everything but the body taken out of it. */
function bodySize(part: Part, body: object, whole: Size): Size {
  const bare = partSize(withoutBody(part));
  const difference = subtractSizes(whole, bare);
  return {...difference, weight: {...difference.weight, canonicalBytes: jsonByteLength(body)}};
}

function withoutBody(part: Part): Part {
  const {functionResponse, toolResponse} = part;
  if (functionResponse) {
    const {response: _body, parts: _media, ...answer} = functionResponse;
    return {...part, functionResponse: answer};
  }
  const {response: _body, ...answer} = toolResponse ?? {};
  return {...part, toolResponse: answer};
}

/** The part with its body replaced by the marker and its media removed; id, name and everything else stay. */
export function elidePart(part: Part): Part {
  const {functionResponse, toolResponse} = part;
  const response = {output: ELISION_MARKER};
  if (!functionResponse) {
    return {...part, toolResponse: {...toolResponse, response}};
  }
  if (!('parts' in functionResponse)) {
    return {...part, functionResponse: {...functionResponse, response}};
  }
  const {parts: _media, ...answer} = functionResponse;
  return {...part, functionResponse: {...answer, response}};
}

/** The part as a turn's identity sees it: an answer without its body. */
export function answerSkeleton(part: Part): Part {
  return answerOf(part) ? withoutBody(part) : part;
}
