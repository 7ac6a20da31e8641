import type {LlmRequest} from '@google/adk';
import {readItems, readMember} from '../json/read-member.ts';
import {contentCost} from './content-cost.ts';
import {addPredictions, type Prediction, ZERO_PREDICTION} from './prediction.ts';
import {MILLITOKENS} from './text-cost.ts';
import {valueCost} from './value-cost.ts';

// The constant was fitted to token counts that the Gemini API reported: see docs/accuracy.md.
const DECLARATION_MILLITOKENS = 3 * MILLITOKENS;

/**
 * The prediction for all of a request but its contents: system instruction, function declarations and response schema.
 * Never throws.
 */
export function predictEnvelope(request: LlmRequest | null | undefined): Prediction {
  const config = readMember(request, 'config');
  const declarations = (readItems(readMember(config, 'tools')) ?? []).flatMap(
    (tool) => readItems(readMember(tool, 'functionDeclarations')) ?? [],
  );
  const schemas = [readMember(config, 'responseSchema'), readMember(config, 'responseJsonSchema')];
  const millitokens = [...declarations, ...schemas].reduce<number>(
    (sum, value) => sum + valueCost(value).millitokens,
    declarations.length * DECLARATION_MILLITOKENS,
  );
  return addPredictions(predictInstruction(readMember(config, 'systemInstruction')), {
    millitokens,
    signatureCharacters: 0,
  });
}

/** A string, a part, a list of both, or a content. */
function predictInstruction(instruction: unknown): Prediction {
  if (instruction === undefined || instruction === null || instruction === '') {
    return ZERO_PREDICTION;
  }
  const parts = readItems(readMember(instruction, 'parts')) ?? readItems(instruction) ?? [instruction];
  if (parts.length === 0) {
    return ZERO_PREDICTION;
  }
  return contentCost({parts: parts.map((part) => (typeof part === 'string' ? {text: part} : part))});
}
