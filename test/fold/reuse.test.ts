import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {contents, frozen, rig, summaryOf, textOf, weigh} from './notation.ts';

const U5 = (): Content[] => frozen(contents('u20 u20 u20 u20 u20'));
const weights = (list: readonly Content[]): number[] => list.map((item) => weigh([item]));

describe('reuse and refold', () => {
  it('20: reuses a fold without a call or a report', async () => {
    const {fold, calls, reports} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    list.push(...contents('u20'));
    const result = await fold.transform(list);
    expect(result).toEqual([summary, ...list.slice(3)]);
    expect(result[0]).toEqual(summary);
    expect([calls(), reports.length]).toEqual([1, 1]);
  });

  it('21: refolds from the summary in use, not from what lies under it', async () => {
    const {fold, calls, reports, material} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    list.push(...contents('u20'));
    await fold.transform(list);
    list.push(...contents('u30'));
    const result = await fold.transform(list);
    expect(calls()).toBe(2);
    expect(material()).toEqual([summary, list[3], list[4]]);
    expect(weights(result)).toEqual([14, 20, 30]);
    expect(result).not.toContainEqual(summary);
    expect(reports[1]).toMatchObject({split: 5, tokensBefore: 104});
  });

  it('22: a change after the prefix changes nothing', async () => {
    const {fold, calls} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    list[4] = contents('u25')[0] as Content;
    expect((await fold.transform(list))[0]).toEqual(summary);
    expect(calls()).toBe(1);
  });

  it('nothing new to fold: as it is, although over budget', async () => {
    const {fold, calls, reports} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    await fold.transform(list);
    const result = await fold.transform(list.with(4, contents('u90')[0] as Content));
    expect(weights(result)).toEqual([14, 20, 90]);
    expect([calls(), reports.length]).toEqual([1, 1]);
  });

  it('23: a shorter list in between deletes nothing', async () => {
    const {fold, calls} = rig(99, 2);
    const list = U5();
    const [summary] = await fold.transform(list);
    const short = list.slice(0, 2);
    expect(await fold.transform(short)).toBe(short);
    expect(fold.last).toEqual(summary);
    expect(await fold.transform(list)).toEqual([summary, ...list.slice(3)]);
    expect(calls()).toBe(1);
  });

  it('24: a change to what the filter leaves out is a change of the prefix', async () => {
    const {fold, calls} = rig(99, 2);
    const list = contents('u20 n5 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    const changed = list.with(1, contents('n5')[0] as Content);
    const [other] = await fold.transform(changed);
    expect(other).not.toEqual(summary);
    expect(calls()).toBe(2);
    expect((await fold.transform(list))[0]).toEqual(summary);
    expect((await fold.transform(changed))[0]).toBe(other);
    expect(calls()).toBe(2);
  });

  it('25: weighs the whole input, so a heavy summary is refolded with little new', async () => {
    const {fold, calls, material} = rig(100, 2, {answers: [() => Promise.resolve(summaryOf(60))]});
    const list = contents('u40 u40 u40 u40');
    const seen: number[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      if (turn > 0) {
        list.push(...contents('u10'));
      }
      const tokens = weigh(await fold.transform(list));
      seen.push([calls(), tokens]);
      if (turn === 1 || turn === 2) {
        expect(weights(material())).toEqual([64, 40]);
      }
    }
    expect(seen).toEqual([
      [1, 144],
      [2, 114],
      [3, 84],
      [3, 94],
    ]);
  });

  it('26: a prefix that cannot be serialised serves one call and matches nothing', async () => {
    const cyclic = (): Content[] => {
      const list = contents('u20 u20 u20 u20 u20');
      (list[0] as {self?: unknown}).self = list[0];
      return list;
    };
    const {fold, calls, reports} = rig(99, 2, {material: 'text', answers: [() => Promise.resolve(summaryOf(10))]});
    const list = cyclic();
    expect(weights(await fold.transform(list))).toEqual([14, 20, 20]);
    expect(reports[0]).not.toHaveProperty('prefixHash');
    expect(fold.last).toEqual(reports[0]?.summary);
    await fold.transform(list);
    expect(calls()).toBe(2);
    const other = await fold.transform(cyclic());
    expect(calls()).toBe(3);
    expect(other[0]).toEqual(reports[2]?.summary);
  });

  it('26: contents that cannot be serialised are sent as text', async () => {
    const {fold, material} = rig(99, 2);
    const list = contents('c20#a r20#a u20 u20 u20');
    const response = list[1]?.parts?.[0]?.functionResponse?.response ?? {};
    response.self = response;
    expect(weights(await fold.transform(list))).toEqual([14, 20, 20]);
    expect(textOf(material()[0])).toContain('answer tool_a: [unserialisable]');
  });

  it('27: takes its own prompt and its own summary item', async () => {
    const {fold, model, material, reports} = rig(99, 2, {
      summaryPrompt: 'Shorter, please.',
      summaryItem: (text) => ({role: 'user', parts: [{text: `[${text}]`}]}),
    });
    const list = contents('u20 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    expect(textOf(model.requests[0]?.contents.at(-1))).toBe('Shorter, please.');
    expect(weigh([summary as Content])).toBe(12);
    list.push(...contents('u20 u30'));
    await fold.transform(list);
    expect(material()[0]).toEqual(summary);
    expect(reports[1]?.tokensBefore).toBe(102);
  });

  it('uses the longest of several matching folds, never two together', async () => {
    const {fold, reports, calls} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    await fold.transform(list);
    list.push(...contents('u20 u30'));
    const folded = await fold.transform(list);
    expect(await fold.transform(list)).toEqual(folded);
    expect((await fold.transform(list))[0]).toEqual(reports[1]?.summary);
    expect(calls()).toBe(2);
  });

  it('leaves out a fold whose prefix holds a call that is now answered after it', async () => {
    const {fold, calls} = rig(50, 1, {minFold: 0});
    const list = contents('u30 c10#a u30 u20');
    await fold.transform(list);
    expect(calls()).toBe(1);
    const answered = [...list, ...contents('r20#a')];
    const result = await fold.transform(answered);
    expect(result).toContainEqual(list[1]);
    expect(result.at(-1)).toEqual(answered[4]);
  });

  it('a call inside the fold may come again under the same id', async () => {
    const {fold, reports} = rig(50, 2, {minFold: 0});
    const list = contents('u30 c10#a r10#a u20 c10#a r10#a');
    const result = await fold.transform(list);
    expect(reports[0]?.split).toBe(4);
    expect(result.slice(1)).toEqual(list.slice(4));
    list.push(...contents('u20 c10#a r10#a'));
    expect((await fold.transform(list)).slice(-2)).toEqual(list.slice(-2));
    expect(reports.map((report) => report.split)).toEqual([4, 7]);
  });

  it('remembers the last 8 folds', async () => {
    const {fold, calls} = rig(99, 2);
    const lists = Array.from({length: 9}, U5);
    for (const list of lists) {
      await fold.transform(list);
    }
    await fold.transform(lists[1] as Content[]);
    expect(calls()).toBe(9);
    await fold.transform(lists[0] as Content[]);
    expect(calls()).toBe(10);
  });
});
