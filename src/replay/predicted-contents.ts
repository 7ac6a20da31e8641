import {isDeepStrictEqual} from 'node:util';
import type {Content} from '@google/genai';
import {addPredictions, type Prediction, predictContent} from '../estimate/prediction.ts';

const NOTHING: Prediction = {tokens: 0, signatureCharacters: 0};

/**
 * The lists of contents that go out one after the other in a scope. Nobody writes into the contents of a replay, so what
 * was seen before is known by its object, and only what was rendered anew is compared.
 */
export class PredictedContents {
  #contents: readonly Content[] = [];
  /** At each index the sum over the contents before it. */
  #sums: Prediction[] = [NOTHING];

  /** Takes the next list. Gives the prediction of its contents, and of those that it and the list before begin with. */
  next(contents: readonly Content[]): {readonly all: Prediction; readonly shared: Prediction} {
    const before = this.#contents;
    const changed = contents.findIndex((content, index) => !isSame(content, before[index]));
    const kept = changed < 0 ? contents.length : changed;
    const shared = this.#sums[kept] ?? NOTHING;
    this.#sums.length = kept + 1;
    for (const content of contents.slice(kept)) {
      this.#sums.push(addPredictions(this.#sums.at(-1) ?? NOTHING, predictContent(content)));
    }
    this.#contents = contents;
    return {all: this.#sums.at(-1) ?? NOTHING, shared};
  }
}

function isSame(one: Content, other: Content | undefined): boolean {
  return one === other || isDeepStrictEqual(one, other);
}
