import {AsyncResource} from 'node:async_hooks';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {type Answer, callsOnly, contents, gate, rig} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const noText: Answer[] = [callsOnly];

describe('observers', () => {
  const failing = new Error('observer');

  it('58: all are called in order, null entries skipped', async () => {
    const seen: string[] = [];
    const {fold} = rig(99, 2, {
      onFold: [() => void seen.push('first'), null, undefined, () => void seen.push('second')],
    });
    await fold.transform(U5());
    expect(seen).toEqual(['first', 'second']);
  });

  it('58: the first that throws stops the rest, and the fold is not used', async () => {
    const seen: string[] = [];
    let isDown = true;
    const {fold, calls} = rig(99, 2, {
      onFold: [
        () => {
          if (isDown) {
            throw failing;
          }
        },
        () => void seen.push('second'),
      ],
    });
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error', reason: 'onFold threw', cause: failing});
    expect(seen).toEqual([]);
    expect(fold.last).toBeUndefined();
    isDown = false;
    await fold.transform(U5());
    expect([calls(), seen.length]).toEqual([2, 1]);
  });

  it('58: the second that rejects fails the call too', async () => {
    const {fold} = rig(99, 2, {onFold: [() => {}, () => Promise.reject(failing)]});
    await expect(fold.transform(U5())).rejects.toMatchObject({cause: failing});
  });

  it('59: a failure whose observer threw is not remembered', async () => {
    const outcomes = [failing, undefined, undefined];
    const {fold, calls} = rig(99, 2, {
      answers: noText,
      onFold: () => {
        const error = outcomes.shift();
        if (error) {
          throw error;
        }
      },
    });
    const list = U5();
    await expect(fold.transform(list)).rejects.toMatchObject({cause: failing});
    await fold.transform(list);
    expect(calls()).toBe(4);
    await fold.transform(list);
    expect(calls()).toBe(4);
  });

  it('60: its error takes precedence over the network', async () => {
    const {fold} = rig(99, 2, {
      answers: [() => Promise.reject(new Error('network'))],
      onFold: () => {
        throw failing;
      },
    });
    await expect(fold.transform(U5())).rejects.toMatchObject({cause: failing});
  });

  it('61: may call transform: it gets the view as installed, without a call', async () => {
    const list = U5();
    const seen: unknown[] = [];
    const {fold, calls, reports} = rig(99, 2, {
      onFold: async (report) => {
        const short = contents('u10');
        seen.push(fold.last, report.summary !== undefined, (await fold.transform(short)) === short);
        seen.push((await fold.transform(list)) === list);
        reports.push(report);
      },
    });
    await fold.transform(list);
    expect(seen).toEqual([undefined, true, true, true]);
    expect(calls()).toBe(1);
    expect(fold.last).toEqual(reports[0]?.summary);
  });

  it('61: may fold another prefix, whose observers may ask for both', async () => {
    const list = U5();
    const other = U5();
    const {fold, calls} = rig(99, 2, {
      onFold: async () => {
        await fold.transform(list);
        await fold.transform(other);
      },
    });
    await fold.transform(list);
    expect(calls()).toBe(2);
    expect((await fold.transform(other)).length).toBe(3);
    expect(calls()).toBe(2);
  });

  it('may write into its report: neither the fold in use nor the conversation changes', async () => {
    const list = U5();
    const before = structuredClone(list);
    let reported: Content[] = [];
    const {fold} = rig(99, 2, {
      onFold: ({split, first, output = [], summary, pinned = [], usage, outputTypes}) => {
        Object.assign(usage ?? {}, {promptTokenCount: 999});
        outputTypes?.push('overwritten');
        reported = structuredClone([...output, ...pinned, ...before.slice(split)]);
        for (const content of [first, summary, ...output, ...pinned]) {
          Object.assign(content ?? {}, {parts: [{text: 'overwritten'}]});
        }
      },
    });
    expect(await fold.transform(list)).toEqual(reported);
    expect(await fold.transform(list)).toEqual(reported);
    expect(list).toEqual(before);
  });

  it('61: what an observer leaves behind is not inside it any more', async () => {
    let later = (): Promise<Content[]> => Promise.resolve([]);
    const list = U5();
    const {fold, calls} = rig(99, 2, {
      backOff: false,
      answers: noText,
      onFold: () => {
        later = AsyncResource.bind(() => fold.transform(list));
      },
    });
    await fold.transform(list);
    await later();
    expect(calls()).toBe(4);
  });

  it('61: any other call of that prefix waits for the fold', async () => {
    const released = gate();
    const {fold, calls} = rig(99, 2, {onFold: () => released.opened});
    const list = U5();
    const mine = fold.transform(list);
    const other = fold.transform(list);
    released.open();
    expect(await other).toEqual(await mine);
    expect(calls()).toBe(1);
  });

  it('62: is awaited before the call resolves', async () => {
    const seen: string[] = [];
    const slow = (name: string) => async (): Promise<void> => {
      seen.push(`${name} starts`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    };
    const {fold} = rig(99, 2, {onFold: [slow('one'), slow('two')]});
    await fold.transform(U5());
    expect(seen).toEqual(['one starts', 'one ends', 'two starts', 'two ends']);
  });

  it('58: a refold whose observer threw leaves the earlier fold, last and failed memory as they were', async () => {
    const outcomes = [undefined, failing];
    const {fold} = rig(99, 2, {
      onFold: () => {
        const error = outcomes.shift();
        if (error) {
          throw error;
        }
      },
    });
    const list = U5();
    const [summary] = await fold.transform(list);
    await expect(fold.transform([...list, ...contents('u20 u30')])).rejects.toMatchObject({cause: failing});
    expect(fold.last).toEqual(summary);
    expect((await fold.transform(list))[0]).toEqual(summary);
  });
});
