import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {InvalidOptionsError} from '../../src/errors.ts';
import {FoldTransform} from '../../src/fold/fold-transform.ts';
import {DEFAULT_SUMMARY_PROMPT} from '../../src/fold/prompt.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {
  contents,
  FakeModel,
  frozen,
  isPinned,
  ownText,
  rig,
  summaryItem,
  summaryOf,
  textOf,
  weigh,
  withoutNotes,
} from './notation.ts';

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
  ])('%s: unchanged', async (_, budget, keepLast, notation, options = {}) => {
    const {fold, calls, reports} = rig(budget, keepLast, options);
    const given = frozen(contents(notation));
    expect(await fold.transform(given)).toBe(given);
    expect(calls()).toBe(0);
    expect(reports).toEqual([]);
    expect(fold.last).toBeUndefined();
  });

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
    expect(fold.last).toBe(reports[0]?.summary);
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

describe('reuse and refold', () => {
  it('20: reuses a fold without a call or a report', async () => {
    const {fold, calls, reports} = rig(99, 2);
    const list = contents('u20 u20 u20 u20 u20');
    const [summary] = await fold.transform(list);
    list.push(...contents('u20'));
    const result = await fold.transform(list);
    expect(result).toEqual([summary, ...list.slice(3)]);
    expect(result[0]).toBe(summary);
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
    expect((await fold.transform(list))[0]).toBe(summary);
    expect(calls()).toBe(1);
  });

  it('23: a shorter list in between deletes nothing', async () => {
    const {fold, calls} = rig(99, 2);
    const list = U5();
    const [summary] = await fold.transform(list);
    const short = list.slice(0, 2);
    expect(await fold.transform(short)).toBe(short);
    expect(fold.last).toBe(summary);
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
    expect((await fold.transform(list))[0]).toBe(summary);
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
    expect(fold.last).toBe(reports[0]?.summary);
    await fold.transform(list);
    expect(calls()).toBe(2);
    const other = await fold.transform(cyclic());
    expect(calls()).toBe(3);
    expect(other[0]).toBe(reports[2]?.summary);
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
    expect((await fold.transform(list))[0]).toBe(reports[1]?.summary);
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

describe('pins', () => {
  const pinning = {pin: isPinned};

  it('28: a pinned content stands between summary and kept end, and is summarised too', async () => {
    const {fold, reports, material} = rig(99, 2, pinning);
    const list = frozen(contents('u20 P10 u20 u20 u20 u20'));
    const result = await fold.transform(list);
    expect(result).toEqual([reports[0]?.summary, list[1], list[4], list[5]]);
    expect(weigh(result)).toBe(64);
    expect(reports[0]?.output).toEqual([result[0]]);
    expect(reports[0]?.pinned).toEqual([list[1]]);
    expect(material()).toEqual(list.slice(0, 4));
  });

  it('29: contents of the kept end are not doubled', async () => {
    const {fold, reports} = rig(99, 2, pinning);
    const list = contents('u20 u20 u20 u20 P20');
    const result = await fold.transform(list);
    expect(reports[0]?.pinned).toEqual([]);
    expect(result.filter(isPinned)).toEqual([list[4]]);
  });

  it('30: what the filter leaves out is never pinned', async () => {
    const {fold, reports, material} = rig(99, 2, {pin: (item) => item.role === 'note'});
    const list = contents('u20 n5 u20 u20 u20 u20');
    const result = await fold.transform(list);
    expect(reports[0]?.pinned).toEqual([]);
    expect(material()).not.toContainEqual(list[1]);
    expect(result).not.toContainEqual(list[1]);
  });

  it('31: without a predicate nothing is pinned', async () => {
    const {fold} = rig(99, 2);
    expect(weigh(await fold.transform(contents('u20 P10 u20 u20 u20 u20')))).toBe(54);
  });

  it('32: pinning everything makes it larger and is allowed', async () => {
    const {fold, reports} = rig(99, 2, {pin: () => true});
    expect(weigh(await fold.transform(U5()))).toBe(114);
    expect(reports[0]).not.toHaveProperty('error');
  });

  it('asks about the whole prefix at every fold: no pin is lost, doubled or kept against the predicate', async () => {
    let pinsQ = false;
    const {fold, reports, material} = rig(99, 2, {
      pin: (item) => 'pinnedAs' in item && (item.pinnedAs === 'P' || pinsQ),
    });
    const list = contents('u20 P10 Q10 u20 u20 u20 u20');
    await fold.transform(list);
    pinsQ = true;
    list.push(...contents('u40 u40'));
    await fold.transform(list);
    expect(reports[1]?.pinned).toEqual([list[1], list[2]]);
    expect(material().filter(isPinned)).toEqual([list[1]]);
  });

  it('a pinned content brings the other halves of its pairs along', async () => {
    const {fold, reports} = rig(99, 1, {pin: (item) => item.parts?.[0]?.functionResponse?.id === 'b'});
    const list = contents('u40 c5#a+c5#b r5#a r5#b u40 u10');
    await fold.transform(list);
    expect(reports[0]?.pinned).toEqual(list.slice(1, 4));
  });

  it('33: the result is output, pins and the rest of the list', async () => {
    const {fold, reports} = rig(99, 2, pinning);
    for (const list of [contents('u20 P10 u20 u20 u20 u20'), contents('u20 u20 u20 u20 u20')]) {
      for (const more of ['', 'u30 u20']) {
        list.push(...contents(more));
        const result = await fold.transform(list);
        const {output = [], pinned = [], split} = reports.at(-1) ?? {split: 0};
        expect(result).toEqual([...output, ...pinned, ...list.slice(split)]);
      }
    }
    expect(reports.map((report) => report.split)).toEqual([4, 6, 3, 5]);
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
