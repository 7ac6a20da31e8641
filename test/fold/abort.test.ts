import type {Content} from '@google/genai';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {type Answer, callsOnly, contents, gate, rig, says, summaryOf} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const hangs: Answer = () => new Promise(() => {});
const reason = new Error('the user left');

describe('abort', () => {
  it.each(['throw', 'continue'] as const)(
    '64: throws the reason, reports it and leaves no memory (%s)',
    async (onError) => {
      const controller = new AbortController();
      const {fold, reports, calls, model} = rig(99, 2, {onError, answers: [hangs, summaryOf(10)]});
      const list = U5();
      const folding = fold.transform(list, {signal: controller.signal});
      await vi.waitUntil(() => calls() === 1);
      controller.abort(reason);
      await expect(folding).rejects.toBe(reason);
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({
        attempts: 1,
        request: expect.anything(),
        error: {code: 'aborted', cause: reason},
      });
      expect(reports[0]).not.toHaveProperty('prefixHash');
      expect(model.signals[0]?.aborted).toBe(true);
      expect(await fold.transform(list, {signal: new AbortController().signal})).toHaveLength(3);
      expect(calls()).toBe(2);
    },
  );

  it('64: a signal already aborted when a summary is due: the same, without a call', async () => {
    const {fold, reports, calls} = rig(99, 2);
    await expect(fold.transform(U5(), {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
    expect(calls()).toBe(0);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({attempts: 0, error: {code: 'aborted'}});
  });

  it('65: nothing due: the signal is not looked at', async () => {
    const {fold, reports} = rig(100, 2);
    const list = U5();
    expect(await fold.transform(list, {signal: AbortSignal.abort(reason)})).toBe(list);
    expect(reports).toEqual([]);
  });

  it('is checked between the attempts', async () => {
    const controller = new AbortController();
    const aborting: Answer = () => {
      controller.abort(reason);
      return Promise.resolve(callsOnly);
    };
    const {fold, reports} = rig(99, 2, {answers: [aborting]});
    await expect(fold.transform(U5(), {signal: controller.signal})).rejects.toBe(reason);
    expect(reports[0]).toMatchObject({attempts: 1, error: {code: 'aborted'}});
  });

  it('stops a call whose editRequest aborted it, without waiting for an answer', async () => {
    const controller = new AbortController();
    const {fold, reports, calls} = rig(99, 2, {answers: [hangs], editRequest: () => controller.abort(reason)});
    await expect(fold.transform(U5(), {signal: controller.signal})).rejects.toBe(reason);
    expect(calls()).toBe(0);
    expect(reports[0]).toMatchObject({error: {code: 'aborted', cause: reason}});
  });

  it('an observer that throws takes precedence over it', async () => {
    const cause = new Error('observer');
    const {fold} = rig(99, 2, {onFold: () => Promise.reject(cause)});
    await expect(fold.transform(U5(), {signal: AbortSignal.abort(reason)})).rejects.toMatchObject({cause});
  });

  it('one of two callers leaves at once; the other gets the fold', async () => {
    const controller = new AbortController();
    const release = gate();
    const {fold, reports, calls, model} = rig(99, 2, {answers: [() => release.opened.then(() => summaryOf(10))]});
    const list = U5();
    const leaving = fold.transform(list, {signal: controller.signal});
    const staying = fold.transform(list, {signal: new AbortController().signal});
    await vi.waitUntil(() => calls() === 1);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    expect(model.signals[0]?.aborted).toBe(false);
    release.open();
    expect(await staying).toHaveLength(3);
    expect(reports).toHaveLength(1);
    expect(reports[0]).not.toHaveProperty('error');
  });

  it('the call is cancelled, and reported once, when all have left', async () => {
    const controllers = [new AbortController(), new AbortController()];
    const {fold, reports, calls, model} = rig(99, 2, {answers: [hangs]});
    const list = U5();
    const both = controllers.map(({signal}) => fold.transform(list, {signal}));
    await vi.waitUntil(() => calls() === 1);
    for (const controller of controllers) {
      expect(model.signals[0]?.aborted).toBe(false);
      controller.abort(reason);
    }
    const outcomes = await Promise.allSettled(both);
    expect(outcomes).toEqual([
      {status: 'rejected', reason},
      {status: 'rejected', reason},
    ]);
    expect(model.signals[0]?.aborted).toBe(true);
    expect(reports.map((report) => report.error?.code)).toEqual(['aborted']);
  });

  it('a call that comes while an aborted fold is still reported starts its own', async () => {
    const controller = new AbortController();
    const reading = gate();
    const released = gate();
    const seen: (string | undefined)[] = [];
    const {fold, calls} = rig(99, 2, {
      answers: [hangs, summaryOf(10)],
      onFold: async (report) => {
        if (seen.push(report.error?.code) === 1) {
          reading.open();
          await released.opened;
        }
      },
    });
    const list = U5();
    const leaving = fold.transform(list, {signal: controller.signal});
    await vi.waitUntil(() => calls() === 1);
    controller.abort(reason);
    await reading.opened;
    expect(await fold.transform(list)).toHaveLength(3);
    released.open();
    await expect(leaving).rejects.toBe(reason);
    expect(seen).toEqual(['aborted', undefined]);
  });

  it('a caller that leaves while a made fold is reported: the fold stands', async () => {
    const controller = new AbortController();
    const reading = gate();
    const released = gate();
    const {fold, calls} = rig(99, 2, {
      onFold: async () => {
        reading.open();
        await released.opened;
      },
    });
    const list = U5();
    const leaving = fold.transform(list, {signal: controller.signal});
    await reading.opened;
    controller.abort(reason);
    released.open();
    await expect(leaving).rejects.toBe(reason);
    expect(await fold.transform(list)).toHaveLength(3);
    expect(calls()).toBe(1);
  });
});

describe('timeout', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is a hard error; a summariser that ignores the signal is not waited for', async () => {
    const {fold, reports, model} = rig(99, 2, {answers: [hangs]});
    const folding = fold.transform(U5());
    const outcome = expect(folding).rejects.toMatchObject({code: 'error', reason: 'timeout'});
    await vi.advanceTimersByTimeAsync(119_999);
    expect(reports).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(model.signals[0]?.aborted).toBe(true);
    expect(reports[0]).toMatchObject({attempts: 1, error: {reason: 'timeout'}});
  });

  it('holds for each call of its own', async () => {
    const later = (answer: Awaited<ReturnType<Exclude<Answer, unknown[]>>>): Answer => {
      return () => new Promise((resolve) => setTimeout(() => resolve(answer), 80));
    };
    const {fold, reports} = rig(99, 2, {timeoutMs: 100, answers: [later(callsOnly), later(summaryOf(10))]});
    const folding = fold.transform(U5());
    await vi.advanceTimersByTimeAsync(160);
    expect(await folding).toHaveLength(3);
    expect(reports[0]?.attempts).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('what comes after it changes nothing', async () => {
    const late = gate<ReturnType<typeof says>>();
    const {fold, reports} = rig(99, 2, {onError: 'continue', timeoutMs: 10, answers: [() => late.opened]});
    const list = U5();
    const folding = fold.transform(list);
    await vi.advanceTimersByTimeAsync(10);
    expect(await folding).toBe(list);
    late.open(says({text: 'late'}, {totalTokenCount: 5}));
    await vi.advanceTimersByTimeAsync(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]).not.toHaveProperty('usage');
    expect(fold.last).toBeUndefined();
  });

  it('a stream that goes on after it is closed', async () => {
    const chunk = gate();
    let isClosed = false;
    const {fold, model} = rig(99, 2, {onError: 'continue', timeoutMs: 10});
    model.generateContentAsync = async function* () {
      try {
        yield {partial: true};
        await chunk.opened;
        yield {partial: true};
        await new Promise(() => {});
      } finally {
        isClosed = true;
      }
    };
    const folding = fold.transform(U5());
    await vi.advanceTimersByTimeAsync(10);
    await folding;
    expect(isClosed).toBe(false);
    chunk.open();
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
  });

  it('a call that rejects after it is not an unhandled rejection', async () => {
    const late = gate<never>();
    const {fold} = rig(99, 2, {onError: 'continue', timeoutMs: 10, answers: [() => late.opened]});
    const folding = fold.transform(U5());
    await vi.advanceTimersByTimeAsync(10);
    await folding;
    late.fail(new Error('late'));
    await vi.advanceTimersByTimeAsync(1);
  });
});
