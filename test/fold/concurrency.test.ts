import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import type {Fold} from '../../src/fold/fold.ts';
import {type Answer, callsOnly, contents, gate, isPinned, rig, summaryOf} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const noText: Answer[] = [callsOnly];
const makes: Answer = () => Promise.resolve(summaryOf(10));

describe('concurrency', () => {
  const gated = (): {answer: Answer; release: ReturnType<typeof gate<void>>} => {
    const release = gate<void>();
    return {release, answer: () => release.opened.then(() => summaryOf(10))};
  };

  it('66: two calls of one prefix share one fold', async () => {
    const {answer, release} = gated();
    const {fold, calls, reports} = rig(99, 2, {answers: [answer]});
    const list = U5();
    const both = [fold.transform(list), fold.transform([...list])];
    release.open();
    const [one, other] = await Promise.all(both);
    expect(one).toEqual(other);
    expect(one?.[0]).toBe(fold.last);
    expect([calls(), reports.length]).toEqual([1, 1]);
    await fold.transform([...list, ...contents('u20')]);
    expect(calls()).toBe(1);
  });

  it('66: each gets its own end', async () => {
    const {answer, release} = gated();
    const {fold, calls} = rig(99, 2, {answers: [answer]});
    const list = U5();
    const other = [...list.slice(0, 3), ...contents('u30 u30')];
    const both = [fold.transform(list), fold.transform(other)];
    release.open();
    const [one, two] = await Promise.all(both);
    expect(one?.slice(1)).toEqual(list.slice(3));
    expect(two?.slice(1)).toEqual(other.slice(3));
    expect(calls()).toBe(1);
  });

  it('66: prefixes that cannot be serialised share nothing', async () => {
    const cyclic = (): Content[] => {
      const list = U5();
      (list[0] as {self?: unknown}).self = list[0];
      return list;
    };
    const {fold, calls, reports} = rig(99, 2, {material: 'text', answers: [makes]});
    const [one, other] = await Promise.all([fold.transform(cyclic()), fold.transform(cyclic())]);
    expect([calls(), reports.length]).toEqual([2, 2]);
    expect(one?.[0]).not.toEqual(other?.[0]);
  });

  it('a list that its host goes on writing to is folded as it was handed over', async () => {
    const {answer, release} = gated();
    const {fold} = rig(99, 2, {answers: [answer]});
    const list = U5();
    const kept = list.slice(3);
    const folding = fold.transform(list);
    list.push(...contents('u20'));
    release.open();
    expect((await folding).slice(1)).toEqual(kept);
  });

  it('67: another conversation in between changes nothing', async () => {
    const {answer, release} = gated();
    const {fold, reports} = rig(99, 2, {answers: [answer]});
    const folding = fold.transform(U5());
    const other = contents('u10');
    expect(await fold.transform(other)).toBe(other);
    release.open();
    expect(await folding).toHaveLength(3);
    expect(reports[0]?.summary).toEqual(fold.last);
  });

  it('68: a failure is shared too', async () => {
    const {fold, calls, reports} = rig(99, 2, {answers: noText});
    const list = U5();
    const [one, other] = await Promise.all([fold.transform(list), fold.transform(list)]);
    expect(one).toBe(list);
    expect(other).toBe(list);
    expect([calls(), reports.length]).toEqual([2, 1]);
    await fold.transform(list);
    expect(calls()).toBe(2);
  });

  it('68: two prefixes are asked side by side', async () => {
    const {fold, calls, reports} = rig(99, 2, {answers: noText});
    const list = U5();
    await Promise.all([fold.transform(list), fold.transform([...list, ...contents('u20')])]);
    expect([calls(), reports.length]).toEqual([4, 2]);
    expect(reports.map((report) => report.split).toSorted()).toEqual([3, 4]);
  });

  it('what it threw is shared', async () => {
    const {fold, calls} = rig(99, 2, {answers: [() => Promise.reject(new Error('down'))]});
    const list = U5();
    const outcomes = await Promise.allSettled([fold.transform(list), fold.transform(list)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(calls()).toBe(1);
  });

  it('69: a report is not changed by what happens while it is read', async () => {
    const released = gate();
    const reading = gate();
    const seen: Fold[] = [];
    const {fold} = rig(99, 2, {
      pin: isPinned,
      onFold: async (report) => {
        if (seen.push(report) === 1) {
          reading.open();
          await released.opened;
        }
      },
    });
    const list = contents('u20 P10 u20 u20 u20 u20');
    const folding = fold.transform(list);
    await reading.opened;
    await fold.transform(U5());
    const copy = structuredClone({...seen[0], request: undefined});
    released.open();
    await folding;
    expect({...seen[0], request: undefined}).toEqual(copy);
    expect(seen[0]).toMatchObject({pinned: [list[1]], output: [expect.anything()]});
  });

  it('a fold that is overtaken by a longer one is discarded, silently', async () => {
    const slow = gated();
    const {fold, reports, model} = rig(99, 2, {answers: [slow.answer, makes]});
    const list = U5();
    const longer = [...list, ...contents('u20')];
    const overtaken = fold.transform(list);
    await fold.transform(longer);
    slow.release.open();
    const result = await overtaken;
    expect(model.requests).toHaveLength(2);
    expect(reports.map((report) => report.split)).toEqual([4]);
    expect(result).toEqual([fold.last, ...list.slice(4)]);
    expect(fold.last).toEqual(reports[0]?.summary);
  });

  it('a failed fold is not checked for being overtaken', async () => {
    const slow = gate();
    const {fold, reports} = rig(99, 2, {answers: [() => slow.opened.then(() => callsOnly), makes, callsOnly]});
    const list = U5();
    const overtaken = fold.transform(list);
    await fold.transform([...list, ...contents('u20')]);
    slow.open();
    expect(await overtaken).toBe(list);
    expect(reports.map((report) => report.error?.code)).toEqual([undefined, 'no-text']);
  });
});
