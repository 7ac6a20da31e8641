import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {readItems, readMember, readNames} from '../json/read-member.ts';
import {fileDataTokens, inlineDataCost} from './media.ts';
import {predictValue} from './predict-value.ts';

/** What a request, or a piece of one, is predicted to cost. Predictions add up exactly, in any order. */
export interface Prediction {
  /** Tokens without thought signatures: a float, in steps of 1/1024. */
  readonly tokens: number;
  /** Base64 characters of the thought signatures; what they cost depends on the model. */
  readonly signatureCharacters: number;
}

// The constants of structure were fitted to token counts that the Gemini API reported: see docs/accuracy.md.
const CONTENT_TOKENS = 3;
const CALL_TOKENS = 3;
const DECLARATION_TOKENS = 3;
const TOKENS_PER_SIGNATURE_CHARACTER = 0.15;
const STEP = 1_024;

const NOTHING: Prediction = {tokens: 0, signatureCharacters: 0};

/** The prediction for one content: its parts and a constant. Null-safe; never throws. */
export function predictContent(content: Content | null | undefined): Prediction {
  return predictParts(readItems(readMember(content, 'parts')) ?? []);
}

function predictParts(parts: readonly unknown[]): Prediction {
  return parts.map(predictPart).reduce(addPredictions, {tokens: CONTENT_TOKENS, signatureCharacters: 0});
}

/** The prediction for one part. Null-safe; never throws. */
export function predictPart(part: unknown): Prediction {
  const signature = readMember(part, 'thoughtSignature');
  const tokens = readNames(part).reduce((sum, name) => sum + predictMember(name, readMember(part, name)), 0);
  return {tokens: inSteps(tokens), signatureCharacters: typeof signature === 'string' ? signature.length : 0};
}

function predictMember(name: string, value: unknown): number {
  switch (name as keyof Part) {
    case 'thoughtSignature':
    case 'thought':
      return 0;
    case 'functionCall':
    case 'functionResponse':
    case 'toolCall':
    case 'toolResponse':
      return predictCall(value);
    case 'inlineData':
      return inlineDataCost(value).tokens || predictValue(value);
    case 'fileData':
      return fileDataTokens(value) || predictValue(value);
    default:
      return predictValue(value);
  }
}

/** A call or an answer: its name and its values. The id is not shown to the model. */
function predictCall(call: unknown): number {
  return readNames(call).reduce((sum, name) => {
    if (name === 'id') {
      return sum;
    }
    const value = readMember(call, name);
    if (name !== 'parts') {
      return sum + predictValue(value);
    }
    return (readItems(value) ?? []).reduce<number>((media, part) => media + predictPart(part).tokens, sum);
  }, CALL_TOKENS);
}

/**
 * The prediction for all of a request but its contents: system instruction, function declarations and response schema.
 * Never throws.
 */
export function predictEnvelope(request: LlmRequest | null | undefined): Prediction {
  const config = readMember(request, 'config');
  const declarations = (readItems(readMember(config, 'tools')) ?? []).flatMap(
    (tool) => readItems(readMember(tool, 'functionDeclarations')) ?? [],
  );
  const instruction = predictInstruction(readMember(config, 'systemInstruction'));
  const tokens =
    declarations.reduce<number>((sum, declaration) => sum + DECLARATION_TOKENS + predictValue(declaration), 0) +
    predictValue(readMember(config, 'responseSchema')) +
    predictValue(readMember(config, 'responseJsonSchema'));
  return addPredictions(instruction, {tokens: inSteps(tokens), signatureCharacters: 0});
}

/** A string, a part, a list of both, or a content. */
function predictInstruction(instruction: unknown): Prediction {
  if (instruction === undefined || instruction === null || instruction === '') {
    return NOTHING;
  }
  const parts = readItems(readMember(instruction, 'parts')) ?? readItems(instruction) ?? [instruction];
  if (parts.length === 0) {
    return NOTHING;
  }
  return predictParts(parts.map((part) => (typeof part === 'string' ? {text: part} : part)));
}

/** `first + second`. */
export function addPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    tokens: first.tokens + second.tokens,
    signatureCharacters: first.signatureCharacters + second.signatureCharacters,
  };
}

/** `first - second`. */
export function subtractPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    tokens: first.tokens - second.tokens,
    signatureCharacters: first.signatureCharacters - second.signatureCharacters,
  };
}

/** The sum of an envelope and its contents. */
export function sumPredictions(envelope: Prediction, contents: readonly Prediction[]): Prediction {
  let {tokens, signatureCharacters} = envelope;
  for (const prediction of contents) {
    tokens += prediction.tokens;
    signatureCharacters += prediction.signatureCharacters;
  }
  return {tokens, signatureCharacters};
}

/**
 * The prediction as tokens of a model, an integer of at least 0. A thought signature costs nothing on Gemini 2.5, and a
 * token per 7 base64 characters on other models and where the model is not known.
 */
export function tokensOf(prediction: Prediction, model: string | undefined): number {
  const perCharacter = /gemini-2\.5/u.test(model ?? '') ? 0 : TOKENS_PER_SIGNATURE_CHARACTER;
  return Math.max(0, Math.round(prediction.tokens + perCharacter * prediction.signatureCharacters));
}

function inSteps(tokens: number): number {
  return Math.round(tokens * STEP) / STEP;
}
