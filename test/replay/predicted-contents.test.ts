import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it, vi} from 'vitest';
import * as content from '../../src/estimate/predict-content.ts';
import {addPredictions, type Prediction, ZERO_PREDICTION} from '../../src/estimate/prediction.ts';
import {PredictedContents} from '../../src/replay/predicted-contents.ts';

vi.mock(import('../../src/estimate/predict-content.ts'), {spy: true});

const contentOf = (text: string): Content => ({role: 'user', parts: [{text}]});
const sumOf = (contents: readonly Content[]): Prediction =>
  contents.map(content.predictContent).reduce(addPredictions, ZERO_PREDICTION);

describe('PredictedContents', () => {
  it('adds up each list, and what it begins with like the one before', () => {
    const texts = fc.array(fc.constantFrom('a', 'one two', 'three four five'), {maxLength: 8});
    fc.assert(
      fc.property(fc.array(texts), (lists) => {
        const predicted = new PredictedContents();
        let before: readonly string[] = [];
        for (const list of lists) {
          const contents = list.map(contentOf);
          const change = list.findIndex((text, index) => text !== before[index]);
          const shared = sumOf(contents.slice(0, change < 0 ? list.length : change));
          expect(predicted.next(contents)).toEqual({all: sumOf(contents), shared});
          before = list;
        }
      }),
    );
  });

  it('a replay of many calls predicts each content once, and not once a call', () => {
    const contents = Array.from({length: 50}, (_, index) => contentOf(`Content ${index}`));
    const predicted = new PredictedContents();
    vi.mocked(content.predictContent).mockClear();
    // Made anew for every other call, as elided answers are.
    for (let end = 1; end <= contents.length; end += 1) {
      predicted.next(end % 2 === 0 ? contents.slice(0, end) : structuredClone(contents.slice(0, end)));
    }
    expect(content.predictContent).toHaveBeenCalledTimes(contents.length);
  });
});
