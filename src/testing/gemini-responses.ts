import type {Content, GenerateContentResponseUsageMetadata, Part} from '@google/genai';
import type {ScriptedAnswer} from './script.ts';

/** A response of the Gemini API as it stands on the wire. */
export interface WireResponse {
  readonly candidates?: readonly {readonly content?: Content; readonly finishReason?: string; readonly index: 0}[];
  readonly promptFeedback?: {readonly blockReason: string};
  readonly usageMetadata?: GenerateContentResponseUsageMetadata;
}

/** An error of the Gemini API as it stands on the wire. */
export interface WireError {
  readonly error: {readonly code: number; readonly message: string; readonly status: string};
}

/** The answer in one response. */
export function wholeResponse(answer: ScriptedAnswer, promptTokenCount: number): WireResponse {
  return response(answer.parts, answer.finishReason ?? 'STOP', answerUsage(answer, promptTokenCount));
}

/**
 * The answer as the API streams it: text in pieces, neighbouring parts of other kinds together, then an empty closing
 * chunk with the finish reason. The usage stands on every chunk.
 */
export function streamedResponses(answer: ScriptedAnswer, promptTokenCount: number): WireResponse[] {
  const usage = answerUsage(answer, promptTokenCount);
  const closing = response(answer.parts.length > 0 ? [{text: ''}] : [], answer.finishReason ?? 'STOP', usage);
  return [...chunks(answer.parts).map((parts) => response(parts, undefined, usage)), closing];
}

/** The refusal of a prompt, whole or as the only chunk of a stream. */
export function blockedResponse(blockReason: string, promptTokenCount: number): WireResponse {
  return {promptFeedback: {blockReason}, usageMetadata: {promptTokenCount, totalTokenCount: promptTokenCount}};
}

/** What the answer reports: counted, with the script's own members on top; nothing when the script says `null`. */
export function answerUsage(
  answer: ScriptedAnswer,
  promptTokenCount: number,
): GenerateContentResponseUsageMetadata | undefined {
  if (answer.usage === null) {
    return undefined;
  }
  const candidatesTokenCount = Math.ceil(Buffer.byteLength(JSON.stringify(answer.parts)) / 4);
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return {promptTokenCount, candidatesTokenCount, totalTokenCount, ...answer.usage};
}

/** Error body for an HTTP status. */
export function errorBody(code: number, message = `Scripted failure with status ${code}.`): WireError {
  return {error: {code, message, status: STATUS_NAMES[code] ?? 'UNKNOWN'}};
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

function response(
  parts: readonly Part[],
  finishReason: string | undefined,
  usageMetadata: GenerateContentResponseUsageMetadata | undefined,
): WireResponse {
  const content = parts.length > 0 ? {content: {role: 'model', parts: [...parts]}} : {};
  const candidate = {...content, ...(finishReason && {finishReason}), index: 0 as const};
  return {candidates: [candidate], ...(usageMetadata && {usageMetadata})};
}

function chunks(parts: readonly Part[]): Part[][] {
  const result: Part[][] = [];
  let gathering = false;
  for (const part of parts) {
    if (part.text) {
      result.push(...textPieces(part).map((piece) => [piece]));
      gathering = false;
    } else if (gathering) {
      result.at(-1)?.push(part);
    } else {
      result.push([part]);
      gathering = true;
    }
  }
  return result;
}

/** A text part as it is streamed: two halves, cut between code points; a signature stands on the last. */
export function textPieces(part: Part): Part[] {
  const points = Array.from(part.text ?? '');
  if (points.length < 2) {
    return [part];
  }
  const half = Math.ceil(points.length / 2);
  const {thoughtSignature: _, ...unsigned} = part;
  return [
    {...unsigned, text: points.slice(0, half).join('')},
    {...part, text: points.slice(half).join('')},
  ];
}
