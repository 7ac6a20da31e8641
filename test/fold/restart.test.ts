import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import type {Fold} from '../../src/fold/fold.ts';
import {FoldTransform} from '../../src/fold/fold-transform.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {type Answer, callsOnly, contents, FakeModel, isPinned, rig, summaryItem} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const noText: Answer[] = [callsOnly];
const firstThree = (list: Content[]): string => prefixHash(list.slice(0, 3));

describe('restart', () => {
  const countOf = (list: Content[]): number => 100 + list.length;

  it('72: both memories from the report: the back-off holds', async () => {
    const options = {answers: noText, estimate: countOf, minFold: 0};
    const {fold, calls, reports} = rig(100, 3, options);
    const list = contents('u9 u9 u9 u9 u9 u9 u9');
    const seen: number[] = [];
    for (const length of [1, 3, 5]) {
      await fold.transform(list.slice(0, length));
      seen.push(calls());
    }
    expect(seen).toEqual([0, 0, 2]);
    expect(reports[0]).toMatchObject({split: 2, tokensBefore: 105});
    const {split, prefixHash: hash = '', tokensBefore} = reports[0] as Fold;
    const seeded = rig(100, 3, {...options, failedFold: {split, prefixHash: hash, tokensBefore}});
    await seeded.fold.transform(list);
    expect(seeded.calls()).toBe(0);
    const fresh = rig(100, 3, options);
    await fresh.fold.transform(list);
    expect(fresh.calls()).toBe(2);
  });

  it('73: a rewound session is another conversation', async () => {
    const options = {answers: noText, estimate: countOf, minFold: 0};
    const list = contents('u9 u9 u9 u9 u9');
    const failedFold = {split: 2, prefixHash: prefixHash(list.slice(0, 2)), tokensBefore: 105};
    const {fold, calls} = rig(100, 3, {...options, failedFold});
    await fold.transform([...list.slice(0, 1), ...contents('u9 u9 u9 u9 u9 u9')]);
    expect(calls()).toBe(2);
  });

  it('74: the same bytes as before, without a call', async () => {
    const before = rig(99, 2, {pin: isPinned});
    const list = contents('u20 P10 u20 u20 u20 u20');
    const expected = await before.fold.transform(list);
    const {split, prefixHash: hash = '', output = [], pinned = []} = before.reports[0] as Fold;
    const memory = JSON.parse(JSON.stringify({split, prefixHash: hash, output, pinned}));
    const {fold, calls, reports} = rig(99, 2, {pin: isPinned, appliedFolds: [memory]});
    expect(JSON.stringify(await fold.transform(list))).toBe(JSON.stringify(expected));
    expect([calls(), reports.length, fold.last]).toEqual([0, 0, undefined]);
    list.push(...contents('u30 u30'));
    await fold.transform(list);
    expect(reports[0]?.pinned).toEqual([list[1]]);
    const edited = list.with(0, contents('u20')[0] as Content);
    await fold.transform(edited);
    expect(calls()).toBe(2);
  });

  it.each([
    ['an empty hash', {prefixHash: ''}],
    ['a negative split', {split: -1}],
    ['a split beyond the list', {split: 6}],
  ])('74: a memory with %s is not used', async (_, change) => {
    const list = U5();
    (list[0] as {self?: unknown}).self = list[0];
    const memory = {split: 3, prefixHash: 'x', output: [summaryItem('old')], pinned: [], ...change};
    const {fold} = rig(100, 2, {appliedFolds: [memory]});
    expect(await fold.transform(list)).toBe(list);
  });

  it('75: what a recording observer could not record is never used', async () => {
    let isDown = true;
    const {fold, calls} = rig(99, 2, {
      onFold: () => {
        if (isDown) {
          throw new Error('disk full');
        }
      },
    });
    const list = U5();
    await expect(fold.transform(list)).rejects.toMatchObject({cause: {message: 'disk full'}});
    isDown = false;
    await fold.transform(list);
    expect(calls()).toBe(2);
  });

  it('uses the estimator and the item it was given for seeds too', async () => {
    const model = new FakeModel();
    const list = U5();
    const memory = {split: 3, prefixHash: firstThree(list), output: [summaryItem('old')], pinned: []};
    const fold = new FoldTransform({summarizer: model.asLlm(), budget: 99, keepLast: 2, appliedFolds: [memory]});
    expect((await fold.transform(list))[0]).toEqual(summaryItem('old'));
  });
});
