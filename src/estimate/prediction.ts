import type {LlmRequest} from '@google/adk';
import type {Content, FunctionDeclaration, Blob as MediaBlob, Part} from '@google/genai';
import {predictText} from './predict-text.ts';
import {predictValue} from './predict-value.ts';

/** What a request, or a piece of one, is predicted to cost. Predictions add up. */
export interface Prediction {
  /** Tokens without thought signatures, as a float. */
  readonly tokens: number;
  /** Base64 characters of the thought signatures; what they cost depends on the model. */
  readonly signatureCharacters: number;
}

const CONTENT_TOKENS = 3;
const PART_TOKENS = 1;
const CALL_TOKENS = 8;
const DECLARATION_TOKENS = 12;
const FILE_TOKENS = 300;
const NOTHING: Prediction = {tokens: 0, signatureCharacters: 0};

/** The prediction for one content: its parts and a constant. Null-safe; never throws. */
export function predictContent(content: Content | null | undefined): Prediction {
  const parts = Array.isArray(content?.parts) ? content.parts : [];
  return parts.reduce((sum, part) => addPredictions(sum, predictPart(part)), {
    tokens: CONTENT_TOKENS,
    signatureCharacters: 0,
  });
}

/** The prediction for one part. Null-safe; never throws. */
export function predictPart(part: Part | null | undefined): Prediction {
  if (part === null || typeof part !== 'object') return NOTHING;
  const {thoughtSignature, ...rest} = part;
  return {
    tokens: PART_TOKENS + predictMembers(rest),
    signatureCharacters: typeof thoughtSignature === 'string' ? thoughtSignature.length : 0,
  };
}

function predictMembers(part: Part): number {
  if (typeof part.text === 'string') return predictText(part.text);
  if (part.inlineData) return predictBlob(part.inlineData);
  if (part.fileData) return FILE_TOKENS;
  if (part.functionCall) {
    return CALL_TOKENS + predictText(part.functionCall.name ?? '') + predictValue(part.functionCall.args);
  }
  if (part.functionResponse) {
    const {name, response, parts} = part.functionResponse;
    const media = Array.isArray(parts) ? parts.reduce((sum, item) => sum + predictMembers(item as Part), 0) : 0;
    return CALL_TOKENS + predictText(name ?? '') + predictValue(response) + media;
  }
  return predictValue(part);
}

function predictBlob(blob: MediaBlob): number {
  return typeof blob.data === 'string' ? 258 : 0;
}

/** The prediction for all of a request but its contents: system instruction, tools, response schema. */
export function predictEnvelope(request: LlmRequest): Prediction {
  const config = request.config;
  if (!config) return NOTHING;
  const declarations = (Array.isArray(config.tools) ? config.tools : []).flatMap(
    (tool) => (tool as {functionDeclarations?: FunctionDeclaration[]} | null)?.functionDeclarations ?? [],
  );
  return {
    tokens:
      predictValue(config.systemInstruction) +
      predictValue(config.responseSchema ?? config.responseJsonSchema) +
      declarations.length * DECLARATION_TOKENS +
      predictValue(declarations),
    signatureCharacters: 0,
  };
}

export function addPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    tokens: first.tokens + second.tokens,
    signatureCharacters: first.signatureCharacters + second.signatureCharacters,
  };
}

export function subtractPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    tokens: first.tokens - second.tokens,
    signatureCharacters: first.signatureCharacters - second.signatureCharacters,
  };
}

/** The sum of an envelope and its contents. */
export function totalPrediction(envelope: Prediction, contents: readonly Prediction[]): Prediction {
  return contents.reduce(addPredictions, envelope);
}

/**
 * The prediction as tokens of a model, an integer of at least 0. A thought signature costs next to nothing on Gemini
 * 2.5 and about a token per 10 base64 characters on other models.
 */
export function predictedTokens(prediction: Prediction, model: string | undefined): number {
  const perCharacter = model?.includes('gemini-2.5') ? 0 : 0.1;
  return Math.max(0, Math.round(prediction.tokens + perCharacter * prediction.signatureCharacters));
}
