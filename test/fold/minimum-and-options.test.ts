import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {InvalidOptionsError} from '../../src/errors.ts';
import {FoldTransform} from '../../src/fold/fold-transform.ts';
import {contents, FakeModel, ownText, rig, summaryItem, summaryOf, weigh, withoutNotes} from './notation.ts';

const weights = (list: readonly Content[]): number[] => list.map((item) => weigh([item]));

describe('minFold and options', () => {
  it('14, 16: folds from the floor on', async () => {
    const answers = [summaryOf(3)];
    expect(weights(await rig(40, 1, {answers}).fold.transform(contents('u8 u40')))).toEqual([7, 40]);
    const counting = rig(1, 1, {answers, estimate: (list) => list.length});
    expect(await counting.fold.transform(contents('u9 u9 u9'))).toHaveLength(2);
  });

  it('15: minFold 0 folds whatever is over budget, also when that makes it larger', async () => {
    const {fold} = rig(100, 1, {minFold: 0, answers: [summaryOf(3)]});
    expect(weigh(await fold.transform(contents('u5 u200')))).toBe(207);
  });

  it.each([
    [800, 100],
    [400, 50],
    [100, 12],
    [99, 12],
    [72, 9],
    [64, 8],
    [40, 8],
    [1, 8],
  ])('the default minFold of budget %i is %i', async (budget, minimum) => {
    for (const [folded, expected] of [
      [minimum - 1, 0],
      [minimum, 1],
    ] as const) {
      const {fold, calls} = rig(budget, 1, {answers: [summaryOf(1)]});
      await fold.transform(contents(`u${folded} u${budget + 1}`));
      expect(calls()).toBe(expected);
    }
  });

  it('the default minFold is worked out once, when first needed', async () => {
    const asked: string[] = [];
    const {fold} = rig(800, 1, {
      summaryItem: (summary) => {
        asked.push(summary);
        return summaryItem(summary);
      },
    });
    await fold.transform(contents('u100 u700'));
    expect(asked).toEqual([]);
    await fold.transform(contents('u99 u702'));
    await fold.transform(contents('u99 u703'));
    expect(asked).toEqual(['']);
  });

  it.each([
    [{minFold: -1}, 'minFold'],
    [{keepLast: -1}, 'keepLast'],
    [{keepLast: 1.5}, 'keepLast'],
    [{budget: 0.5}, 'budget'],
    [{budget: Number.NaN}, 'budget'],
    [{budget: Number.POSITIVE_INFINITY}, 'budget'],
    [{timeoutMs: 0}, 'timeoutMs'],
    [{summarizer: undefined}, 'summarizer'],
    [{summarizer: {}}, 'summarizer'],
    [{summarizer: {models: {generateContent: () => {}}}}, 'model'],
    [{keepFirst: 1}, 'keepFirst'],
    [{onFold: 'log'}, 'onFold'],
  ])('19: refuses %j and names %s', (options, field) => {
    const create = (): FoldTransform => new FoldTransform({summarizer: new FakeModel().asLlm(), ...options} as never);
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(expect.objectContaining({field}));
  });

  it('19: undefined asks for the default, in whatever order the options stand', async () => {
    const model = new FakeModel();
    const fold = new FoldTransform({
      minFold: undefined,
      keepLast: 1,
      budget: 1,
      estimate: (list) => list.length,
      summarizer: model.asLlm(),
    });
    await fold.transform(contents('u9 u9'));
    expect(model.requests).toHaveLength(0);
    await fold.transform(contents('u9 u9 u9'));
    expect(model.requests).toHaveLength(1);
  });
});

it('follows the estimate it is given, not one of its own', async () => {
  const model = new FakeModel([summaryOf(1)]);
  const fold = new FoldTransform({summarizer: model.asLlm(), filter: withoutNotes, summaryItem});
  const list = Array.from({length: 8}, () => ({role: 'user', parts: [{text: ownText(300_000)}]}));
  const result = await fold.transform(list);
  expect(result.slice(1)).toEqual(list.slice(4));
  expect(model.requests).toHaveLength(1);
});
