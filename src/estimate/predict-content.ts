import type {Content} from '@google/genai';
import {contentCost, partCost} from './content-cost.ts';
import type {Prediction} from './prediction.ts';

/** The prediction for one content: its parts and a constant. Null-safe; never throws. */
export function predictContent(content: Content | null | undefined): Prediction {
  const {millitokens, signatureCharacters} = contentCost(content);
  return {millitokens, signatureCharacters};
}

/** The prediction for one part. Null-safe; never throws. */
export function predictPart(part: unknown): Prediction {
  const {millitokens, signatureCharacters} = partCost(part);
  return {millitokens, signatureCharacters};
}
