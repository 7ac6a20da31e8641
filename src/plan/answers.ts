import type {Content, Part} from '@google/genai';
import {contentSize, type MeasuredContent, partSize} from '../estimate/measure.ts';
import {type Size, subtractSizes} from '../estimate/size.ts';
import {jsonByteLength} from '../json/byte-length.ts';
import {answerOf, partsOf} from '../request/parts.ts';
import {elidePart} from './elide-part.ts';
import {identityOf} from './identity.ts';

const EMPTY_OBJECT_BYTES = 2;

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
      return answer ? [describeAnswer(measured, part, index, answer.name, wholeSize(measured, content, part))] : [];
    });
    factsByContent.set(measured, facts);
  }
  return facts;
}

/** What an answer says, beside its id and its name. */
interface Body {
  readonly response: unknown;
  readonly parts?: readonly unknown[];
}

function describeAnswer(
  measured: MeasuredContent,
  part: Part,
  index: number,
  toolName: string,
  whole: Size,
): AnswerFacts {
  const answer = part.functionResponse ?? part.toolResponse;
  const media = part.functionResponse?.parts;
  const body: Body = {response: answer?.response, ...(media ? {parts: media} : {})};
  return {
    part: index,
    toolName,
    isSigned: part.thoughtSignature !== undefined,
    body: bodySize(measured, part, body, whole),
    saved: subtractSizes(whole, partSize(elidePart(part))),
    identity: identityOf({...(answer?.id ? {id: answer.id} : {}), name: toolName, body}),
  };
}

/** The size of a part; where it is the only one of a content of plain values, known from the content's. */
function wholeSize(measured: MeasuredContent, content: Content, part: Part): Size {
  return measured.isPlain && content.parts?.length === 1
    ? subtractSizes({weight: measured, prediction: measured}, contentSize({...content, parts: []}))
    : partSize(part);
}

/** The part's size with the canonical bytes of everything but the body taken out of it. */
function bodySize({isPlain}: MeasuredContent, part: Part, body: Body, whole: Size): Size {
  const bare = withoutBody(part);
  const difference = subtractSizes(whole, partSize(bare));
  const isPlainBody = isPlain && body.parts === part.functionResponse?.parts;
  const canonicalBytes = isPlainBody ? bodyBytes(bare, difference) : jsonByteLength(body);
  return {...difference, weight: {...difference.weight, canonicalBytes}};
}

/** The members of the body stand in an answer like in an object of their own, but for the comma after those before them. */
function bodyBytes(bare: Part, {weight: {canonicalBytes}}: Size): number {
  if (canonicalBytes === 0) {
    return EMPTY_OBJECT_BYTES;
  }
  const isAlone = jsonByteLength(bare.functionResponse ?? bare.toolResponse) === EMPTY_OBJECT_BYTES;
  return EMPTY_OBJECT_BYTES + canonicalBytes - (isAlone ? 0 : 1);
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

/** The part as a turn's identity sees it: an answer without its body. */
export function answerSkeleton(part: Part): Part {
  return answerOf(part) ? withoutBody(part) : part;
}
