import {isDeepStrictEqual} from 'node:util';
import type {Content} from '@google/genai';
import {predictContent} from '../estimate/predict-content.ts';
import {addPredictions, type Prediction, ZERO_PREDICTION} from '../estimate/prediction.ts';

/**
 * The lists of contents that go out one after the other in a scope. Nobody writes into the contents of a replay, so what
 * was seen before is known by its object, and only what was rendered anew is compared.
 */
export class PredictedContents {
  #contents: readonly Content[] = [];
  /** At each index the sum over the contents before it. */
  #sums: Prediction[] = [ZERO_PREDICTION];

  /** Takes the next list. Gives the prediction of its contents, and of those that it and the list before begin with. */
  next(contents: readonly Content[]): {readonly all: Prediction; readonly shared: Prediction} {
    const before = this.#contents;
    const changed = contents.findIndex((content, index) => !isSame(content, before[index]));
    const kept = changed < 0 ? contents.length : changed;
    const shared = this.#sums[kept] ?? ZERO_PREDICTION;
    this.#sums.length = kept + 1;
    for (const content of contents.slice(kept)) {
      this.#sums.push(addPredictions(this.#sums.at(-1) ?? ZERO_PREDICTION, predictContent(content)));
    }
    this.#contents = contents;
    return {all: this.#sums.at(-1) ?? ZERO_PREDICTION, shared};
  }
}

function isSame(one: Content, other: Content | undefined): boolean {
  return one === other || isDeepStrictEqual(one, other);
}
