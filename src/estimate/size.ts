import type {EstimatorName} from '../estimator-name.ts';
import {
  addPredictions,
  type Prediction,
  subtractPredictions,
  sumPredictions,
  tokensOfModel,
  ZERO_PREDICTION,
} from './prediction.ts';
import {addWeights, modalityTokens, subtractWeights, sumWeights, type Weight, ZERO_WEIGHT} from './weight.ts';

/** What something costs, by both estimators. Sizes add up, so a change to a request is a difference of sizes. */
export interface Size {
  readonly weight: Weight;
  readonly prediction: Prediction;
}

export const ZERO_SIZE: Size = {weight: ZERO_WEIGHT, prediction: ZERO_PREDICTION};

/** What a content adds to a request beyond its own size: the comma before or after it. */
export const SEPARATOR: Size = {
  weight: {...ZERO_WEIGHT, canonicalBytes: 1},
  prediction: ZERO_PREDICTION,
};

export function addSizes(one: Size, other: Size): Size {
  return {
    weight: addWeights(one.weight, other.weight),
    prediction: addPredictions(one.prediction, other.prediction),
  };
}

export function subtractSizes(from: Size, what: Size): Size {
  return {
    weight: subtractWeights(from.weight, what.weight),
    prediction: subtractPredictions(from.prediction, what.prediction),
  };
}

export function sumSizes(sizes: readonly Size[]): Size {
  return {
    weight: sumWeights(sizes.map((size) => size.weight)),
    prediction: sumPredictions(sizes.map((size) => size.prediction)),
  };
}

/** Turns a size into tokens: the uncalibrated figure that decides. */
export type Figure = (size: Size) => number;

/** The deciding figure of an estimator for one model. */
export function decidingFigure(estimator: EstimatorName, model: string | undefined): Figure {
  switch (estimator) {
    case 'bytes':
      return (size) => modalityTokens(size.weight);
    case 'features': {
      const toTokens = tokensOfModel(model);
      return ({prediction}) => toTokens(prediction);
    }
  }
}
