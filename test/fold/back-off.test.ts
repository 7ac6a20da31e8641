import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {isBackedOff} from '../../src/fold/back-off.ts';
import {historyOf} from '../../src/fold/history.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {type Answer, callsOnly, contents, rig, says, summaryOf, weigh} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const base = (): Content[] => contents('u41 '.repeat(12));
const noText: Answer[] = [callsOnly];
const makes: Answer = () => Promise.resolve(summaryOf(10));
const firstThree = (list: Content[]): string => prefixHash(list.slice(0, 3));

describe('back-off', () => {
  it.each<[string, Answer]>([
    ['no text', callsOnly],
    ['a cut text', says({text: 'The user wan'}, undefined, 'MAX_TOKENS')],
    ['a text that is too large', summaryOf(1_000)],
  ])('49: %s: asks again when the part to fold has grown by keepLast contents', async (_, answer) => {
    const {fold, reports, calls} = rig(400, 4, {answers: [answer]});
    const list = base();
    const seen: number[][] = [];
    for (let turn = 0; turn < 9; turn += 1) {
      if (turn > 0) {
        list.push(...contents('u20'));
      }
      await fold.transform(list);
      seen.push([calls(), reports.length]);
    }
    expect(seen.map(([count]) => count)).toEqual([2, 2, 2, 2, 4, 4, 4, 4, 6]);
    expect(seen.map(([, count]) => count)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3]);
    expect(reports.map((report) => [report.split, report.tokensBefore])).toEqual([
      [8, 492],
      [12, 572],
      [16, 652],
    ]);
  });

  it.each([
    ['four contents more', 'u5 u5 u5 u5', 4],
    ['three contents more', 'u5 u5 u5', 2],
    ['a quarter of the budget more', 'u100', 4],
    ['one token less than that', 'u99', 2],
  ])('50: %s', async (_, more, expected) => {
    const {fold, calls} = rig(400, 4, {answers: noText});
    const list = base();
    await fold.transform(list);
    await fold.transform([...list, ...contents(more)]);
    expect(calls()).toBe(expected);
  });

  it('51: another conversation is asked about, and its failure takes the place of the first', async () => {
    const {fold, calls} = rig(400, 4, {answers: noText});
    const list = base();
    await fold.transform(list);
    await fold.transform(base());
    expect(calls()).toBe(4);
    await fold.transform(list);
    expect(calls()).toBe(6);
  });

  it('52: the content margin is 1 when nothing is kept', async () => {
    const {fold, calls} = rig(40, 0, {answers: noText});
    const list = contents('u20 u20 u20');
    await fold.transform(list);
    await fold.transform(list);
    expect(calls()).toBe(2);
    await fold.transform([...list, ...contents('u1')]);
    expect(calls()).toBe(4);
  });

  it('53: the earlier fold stays in use while a later one fails', async () => {
    const {fold, reports, calls} = rig(99, 2, {answers: [makes, callsOnly]});
    const list = U5();
    const [summary] = await fold.transform(list);
    list.push(...contents('u20 u30'));
    expect(await fold.transform(list)).toEqual([summary, ...list.slice(3)]);
    expect(calls()).toBe(3);
    expect(reports[1]).toMatchObject({split: 5, tokensBefore: 104});
    list.push(...contents('u5'));
    const skipped = await fold.transform(list);
    expect([calls(), skipped[0], weigh(skipped)]).toEqual([3, summary, 109]);
    list.push(...contents('u5'));
    await fold.transform(list);
    expect([calls(), reports[2]?.split]).toEqual([5, 7]);
    expect(fold.last).toBe(summary);
  });

  it('54: can be switched off', async () => {
    const {fold, reports, calls} = rig(400, 4, {answers: noText, backOff: false});
    const list = base();
    for (const expected of [2, 4, 6]) {
      await fold.transform(list);
      expect(calls()).toBe(expected);
      list.push(...contents('u20'));
    }
    expect(reports.every((report) => report.prefixHash !== undefined)).toBe(true);
  });

  it.each([
    ['the same list', {}, '', 0],
    ['a little more', {}, 'u20', 0],
    ['four contents more', {}, 'u5 u5 u5 u5', 2],
    ['another list', {prefixHash: prefixHash(base().slice(0, 8))}, '', 2],
    ['an empty hash', {prefixHash: ''}, '', 2],
    ['a negative split', {split: -1}, '', 2],
    ['a split beyond the list', {split: 13}, '', 2],
  ])('55: seeded: %s', async (_, change, more, expected) => {
    const list = base();
    const failedFold = {split: 8, prefixHash: prefixHash(list.slice(0, 8)), tokensBefore: 492, ...change};
    const {fold, calls, reports} = rig(400, 4, {answers: noText, failedFold});
    await fold.transform([...list, ...contents(more)]);
    expect(calls()).toBe(expected);
    expect(reports).toHaveLength(expected / 2);
  });

  it('55: a seed is inert without back-off', async () => {
    const list = base();
    const failedFold = {split: 8, prefixHash: prefixHash(list.slice(0, 8)), tokensBefore: 492};
    const {fold, calls} = rig(400, 4, {answers: noText, failedFold, backOff: false});
    await fold.transform(list);
    expect(calls()).toBe(2);
  });

  it.each<[string, Answer, object, boolean]>([
    ['made', makes, {}, true],
    ['no-text', callsOnly, {}, true],
    ['incomplete', says({text: 'x'}, undefined, 'MAX_TOKENS'), {}, true],
    ['too-large', summaryOf(60), {}, true],
    ["a network error under 'continue'", () => Promise.reject(new Error('down')), {onError: 'continue'}, true],
    ["a network error under 'throw'", () => Promise.reject(new Error('down')), {}, false],
  ])('56: the report of %s has the hash when it is remembered', async (_, answer, options, isThere) => {
    const {fold, reports} = rig(99, 2, {answers: [answer], ...options});
    const list = U5();
    await fold.transform(list).catch(() => {});
    expect(reports[0]?.prefixHash).toBe(isThere ? firstThree(list) : undefined);
  });

  it('56: no hash, and no back-off, for a prefix that cannot be serialised', async () => {
    const {fold, reports, calls} = rig(99, 2, {answers: noText, material: 'text'});
    const list = U5();
    (list[0] as {self?: unknown}).self = list[0];
    await fold.transform(list);
    expect(reports[0]).not.toHaveProperty('prefixHash');
    await fold.transform(list);
    expect(calls()).toBe(4);
  });

  it('56: a failure that cannot be remembered does not take the place of one that is', async () => {
    const {fold, calls} = rig(99, 2, {answers: noText, material: 'text'});
    const list = U5();
    await fold.transform(list);
    const cyclic = U5();
    (cyclic[0] as {self?: unknown}).self = cyclic[0];
    await fold.transform(cyclic);
    await fold.transform(list);
    expect(calls()).toBe(4);
  });

  it.each([
    [400, 100],
    [100, 25],
    [99, 24],
    [40, 10],
    [3, 1],
  ])('budget %i has a token margin of %i', (budget, margin) => {
    const history = historyOf(U5());
    const failed = {split: 3, prefixHash: history.prefixHash(3), tokensBefore: 100};
    const asks = (tokensBefore: number): boolean =>
      !isBackedOff(failed, {split: 3, tokensBefore, keepLast: 2, budget}, history);
    expect([asks(100 + margin - 1), asks(100 + margin)]).toEqual([false, true]);
  });

  it.each([
    [12, 12],
    [4, 4],
    [1, 1],
    [0, 1],
  ])('keepLast %i has a content margin of %i', (keepLast, margin) => {
    const history = historyOf(contents('u9 '.repeat(20)));
    const failed = {split: 3, prefixHash: history.prefixHash(3), tokensBefore: 100};
    const asks = (split: number): boolean =>
      !isBackedOff(failed, {split, tokensBefore: 100, keepLast, budget: 400}, history);
    expect([asks(3 + margin - 1), asks(3 + margin)]).toEqual([false, true]);
  });

  it('an empty hash matches nothing, not even an empty one', () => {
    const failed = {split: 3, prefixHash: '', tokensBefore: 100};
    const now = {split: 3, tokensBefore: 100, keepLast: 2, budget: 99};
    expect(isBackedOff(failed, now, historyOf(U5(), {prefixHash: () => ''}))).toBe(false);
  });

  it('57: a made fold clears the failure', async () => {
    const {fold, calls, material} = rig(100, 4, {answers: [callsOnly, callsOnly, makes]});
    const list = contents('u20 u20 u20 u20 u20 u20');
    const seen = [[calls(), weigh(await fold.transform(list))]];
    for (const more of ['u30', 'u10', 'u10', 'u10']) {
      list.push(...contents(more));
      const tokens = weigh(await fold.transform(list));
      seen.push([calls(), tokens]);
      if (calls() === 4) {
        expect(material().map((item) => weigh([item]))).toEqual([14, 20]);
      }
    }
    expect(seen).toEqual([
      [0, 120],
      [3, 104],
      [4, 94],
      [5, 84],
      [5, 94],
    ]);
  });
});
