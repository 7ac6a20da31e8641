import {MILLITOKENS} from './text-cost.ts';

/** What a request, or a piece of one, is predicted to cost. Predictions add up exactly, in any order. */
export interface Prediction {
  /** Tokens without thought signatures, in thousandths: an integer. */
  readonly millitokens: number;
  /** Base64 characters of the thought signatures; what they cost depends on the model. */
  readonly signatureCharacters: number;
}

/** Predicted to cost nothing. */
export const ZERO_PREDICTION: Prediction = {millitokens: 0, signatureCharacters: 0};

const MILLITOKENS_PER_SIGNATURE_CHARACTER = 150;

/** `first + second`. */
export function addPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    millitokens: first.millitokens + second.millitokens,
    signatureCharacters: first.signatureCharacters + second.signatureCharacters,
  };
}

/** `first - second`. */
export function subtractPredictions(first: Prediction, second: Prediction): Prediction {
  return {
    millitokens: first.millitokens - second.millitokens,
    signatureCharacters: first.signatureCharacters - second.signatureCharacters,
  };
}

/** `start` and all the others. */
export function sumPredictions(predictions: readonly Prediction[], start = ZERO_PREDICTION): Prediction {
  let {millitokens, signatureCharacters} = start;
  for (const prediction of predictions) {
    millitokens += prediction.millitokens;
    signatureCharacters += prediction.signatureCharacters;
  }
  return {millitokens, signatureCharacters};
}

/**
 * Gives predictions as tokens of a model, integers of at least 0. A thought signature costs nothing on Gemini 2.5, and a token
 * per 7 base64 characters on other models and where the model is not known.
 */
export function tokensOfModel(model: string | undefined): (prediction: Prediction) => number {
  const perCharacter = /gemini-2\.5/u.test(model ?? '') ? 0 : MILLITOKENS_PER_SIGNATURE_CHARACTER;
  return ({millitokens, signatureCharacters}) =>
    Math.max(0, Math.round((millitokens + perCharacter * signatureCharacters) / MILLITOKENS));
}

/** `prediction` as tokens of a model: see `tokensOfModel`. */
export function tokensOf(prediction: Prediction, model: string | undefined): number {
  return tokensOfModel(model)(prediction);
}
