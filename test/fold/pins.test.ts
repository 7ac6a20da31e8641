import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {contents, frozen, isPinned, rig, weigh} from './notation.ts';

const U5 = (): Content[] => frozen(contents('u20 u20 u20 u20 u20'));

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

  it('one object that stands in the list twice is pinned twice', async () => {
    const {fold, reports} = rig(99, 2, pinning);
    const [pinned] = contents('P10') as [Content];
    const list = [...contents('u20'), pinned, pinned, ...contents('u20 u20 u20 u20')];
    await fold.transform(list);
    expect(reports[0]?.pinned).toEqual([pinned, pinned]);
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
