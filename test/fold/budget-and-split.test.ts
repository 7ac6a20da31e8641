import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import type {FoldTransformOptions} from '../../src/fold/fold-transform.ts';
import {DEFAULT_SUMMARY_PROMPT} from '../../src/fold/prompt.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {contents, frozen, rig, textOf, weigh} from './notation.ts';

const U5 = (): Content[] => frozen(contents('u20 u20 u20 u20 u20'));
const weights = (list: readonly Content[]): number[] => list.map((item) => weigh([item]));

describe('budget and split', () => {
  it.each([
    ['1: equal fits', 100, 2, 'u20 u20 u20 u20 u20'],
    ['3: everything is kept', 10, 5, 'u20 u20 u20 u20 u20'],
    ['3: more than everything is kept', 10, 10, 'u20 u20 u20 u20 u20'],
    ['10: a late answer holds everything back', 50, 1, 'c10#a u30 u30 u30 r20#a'],
    [
      '16: one content weighs less than the default minFold',
      1,
      1,
      'u9 u9',
      {estimate: (list: Content[]) => list.length},
    ],
    ['13: below minFold', 800, 1, 'u99 u702'],
    ['14: the floor is twice the wrapper', 40, 1, 'u7 u40'],
    ['17: what the filter leaves out weighs nothing', 100, 1, 'u10 n500 u200', {minFold: 20}],
    ['18: nothing left after the filter', 100, 1, 'n50 n50 u200', {minFold: 0}],
    ['thoughts only: nothing could be sent', 100, 1, 't50 t50 u200', {minFold: 0}],
  ])(
    '%s: unchanged, and not reported (63)',
    async (_, budget, keepLast, notation, options: Partial<FoldTransformOptions> = {}) => {
      const {fold, calls, reports} = rig(budget, keepLast, options);
      const given = frozen(contents(notation));
      expect(await fold.transform(given)).toBe(given);
      expect(calls()).toBe(0);
      expect(reports).toEqual([]);
      expect(fold.last).toBeUndefined();
    },
  );

  it('2: folds three of five and reports it', async () => {
    const {fold, calls, reports, material, model} = rig(99, 2);
    const given = U5();
    const result = await fold.transform(given);
    expect(weights(result)).toEqual([14, 20, 20]);
    expect(result.slice(1)).toEqual(given.slice(3));
    expect(result).not.toBe(given);
    expect(calls()).toBe(1);
    expect(material()).toEqual(given.slice(0, 3));
    expect(textOf(model.requests[0]?.contents.at(-1))).toBe(DEFAULT_SUMMARY_PROMPT);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      split: 3,
      first: given[3],
      tokensBefore: 100,
      attempts: 1,
      output: [result[0]],
      summary: result[0],
      pinned: [],
      prefixHash: prefixHash(given.slice(0, 3)),
      outputTypes: ['text'],
    });
    expect(reports[0]).not.toHaveProperty('error');
    expect(reports[0]).not.toHaveProperty('usage');
    expect(fold.last).toEqual(reports[0]?.summary);
  });

  it('4: keeps nothing when asked to', async () => {
    const {fold, reports} = rig(99, 0);
    expect(weights(await fold.transform(U5()))).toEqual([14]);
    expect(reports[0]?.split).toBe(5);
    expect(reports[0]).not.toHaveProperty('first');
  });

  it('5: counts what the filter leaves out for keepLast and estimate, and keeps it', async () => {
    const {fold, material} = rig(100, 2);
    const given = frozen(contents('u40 u40 n5 u40'));
    const result = await fold.transform(given);
    expect(material()).toEqual(given.slice(0, 2));
    expect(result.slice(1)).toEqual(given.slice(2));
    expect(weigh(result)).toBe(59);
  });

  it.each([
    ['6: a pair stays whole', 3, 'u30 c10#a r30#a a20 u20', 1, 94],
    ['7: the answer lies deep in the kept end', 3, 'u30 c10#a n5 n5 r30#a a20', 1, undefined],
    [
      '8: a move brings in an answer whose call is earlier still',
      1,
      'u30 c10#a a20 c10#b r20#a n5 r20#b',
      1,
      undefined,
    ],
    ['parallel calls answered in another order', 1, 'u60 c5#a+c5#b r5#b r5#a', 1, undefined],
    ['calls and answers that alternate are cut between pairs', 2, 'u60 c5#a r5#a c5#b r5#b', 3, undefined],
    ['an open call in the live turn is kept', 1, 'u30 u30 c10#a a20', 2, undefined],
    ['an open call of an older turn folds with it', 1, 'u30 c10#a u30 u20', 3, undefined],
    ['all of the list is the live turn when no turn starts', 1, 'a60 c10#a a20', 1, undefined],
  ])('%s', async (_, keepLast, notation, split, tokens) => {
    const {fold, reports, material} = rig(50, keepLast, {minFold: 0});
    const given = frozen(contents(notation));
    const result = await fold.transform(given);
    expect(reports[0]?.split).toBe(split);
    expect(result.slice(1)).toEqual(given.slice(split));
    expect(material().length).toBeGreaterThan(0);
    if (tokens !== undefined) {
      expect(weigh(result)).toBe(tokens);
    }
  });

  it('9: an orphan moves nothing', async () => {
    const {fold, reports, material} = rig(50, 1);
    const given = frozen(contents('u30 n5 r20#gone'));
    const result = await fold.transform(given);
    expect(reports[0]?.split).toBe(2);
    expect(material()).toEqual(given.slice(0, 1));
    expect(result.slice(1)).toEqual(given.slice(2));
  });
});
