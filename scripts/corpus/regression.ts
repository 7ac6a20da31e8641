/** One text: how often each feature occurs in it, and its true count. */
export interface Observation {
  readonly features: Float64Array;
  readonly tokens: number;
  /** Weight of the text among all. */
  readonly share: number;
}

const SWEEPS = 1_000;

/**
 * Weights of at least 0 with the least squared relative error, drawn towards `prior` with the given strength, so that a
 * feature the texts say little about keeps a sensible weight. Coordinate descent on the normal equations.
 */
export function fitWeights(
  observations: readonly Observation[],
  prior: readonly number[],
  strength: number,
): Float64Array {
  const size = prior.length;
  const gram = Array.from({length: size}, () => new Float64Array(size));
  const target = new Float64Array(size);
  for (const {features, tokens, share} of observations) {
    const scaled = features.map((count) => count / tokens);
    for (let row = 0; row < size; row++) {
      const value = (scaled[row] as number) * share;
      if (value === 0) {
        continue;
      }
      target[row] = (target[row] as number) + value;
      const line = gram[row] as Float64Array;
      for (let column = 0; column < size; column++) {
        line[column] = (line[column] as number) + value * (scaled[column] as number);
      }
    }
  }
  const weights = Float64Array.from(prior);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let row = 0; row < size; row++) {
      const line = gram[row] as Float64Array;
      let residual = (target[row] as number) + strength * (prior[row] as number);
      for (let column = 0; column < size; column++) {
        if (column !== row) {
          residual -= (line[column] as number) * (weights[column] as number);
        }
      }
      weights[row] = Math.max(0, residual / ((line[row] as number) + strength));
    }
  }
  return weights;
}
