import type {Content} from '@google/genai';
import {describe, expect, it, vi} from 'vitest';
import {CompactionManager, type Fold, FoldError, type FoldObserver, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, user} from '../../src/testing.ts';
import {contextFor, KEY, requestOf} from '../support/manager-harness.ts';
import {chat, faults, folding, materialOf, noText, summarizer, summaryText, textOf, turnOf} from './fold-rig.ts';

const hang = {kind: 'hang'} as const;

describe('abort', () => {
  it('64: the record is in the store although the signal is aborted; the request goes out as recognised', async () => {
    const store = new MemoryCompactionStore();
    const controller = new AbortController();
    const writer = summarizer(hang, 'S');
    const harness = folding({summarizer: writer}, store);
    const history = chat(10);
    const calling = harness.contents(history, {signal: controller.signal});
    await vi.waitUntil(() => writer.requests.length === 1);
    controller.abort(new Error('the user left'));
    expect(await calling).toEqual(history);
    const [record] = await store.failedFolds(KEY);
    expect(record).toMatchObject({errorClass: 'aborted', attempts: 1, split: 18});
    expect(record).not.toHaveProperty('prefixHash');
    expect(harness.records).toEqual([record]);
    expect(harness.codes()).toEqual([]);
    expect((await harness.contents(history, {signal: new AbortController().signal})).length).toBe(4);
    expect(writer.requests).toHaveLength(2);
  });

  it('a signal aborted already: recorded without a call, no drops; within the trigger it is not looked at', async () => {
    const harness = folding({summarizer: summarizer('S')});
    const signal = AbortSignal.abort(new Error('the user left'));
    expect(await harness.contents(chat(2), {signal})).toEqual(chat(2));
    expect(harness.records).toEqual([]);
    expect(await harness.contents(chat(10), {signal})).toEqual(chat(10));
    expect(harness.records).toMatchObject([{kind: 'failed-fold', errorClass: 'aborted', attempts: 0}]);
  });

  it('what was elided before the abort is remembered for the next call', async () => {
    const controller = new AbortController();
    const writer = summarizer(hang, 'S');
    const harness = folding({summarizer: writer});
    const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(400)}), ...chat(10)];
    const calling = harness.contents(history, {signal: controller.signal});
    await vi.waitUntil(() => writer.requests.length === 1);
    controller.abort(new Error('the user left'));
    expect(await calling).toEqual(history);
    expect(harness.kinds()).toEqual(['elision', 'failed-fold']);
    expect((await harness.manager.status(KEY)).scopes[0]?.elisions).toBe(1);
  });

  it('when it comes while the observers of a made fold run, the fold is made, stored and recorded all the same', async () => {
    const store = new MemoryCompactionStore();
    const controller = new AbortController();
    const harness = folding({summarizer: summarizer('S'), onFold: () => controller.abort(new Error('left'))}, store);
    const history = chat(10);
    expect(await harness.contents(history, {signal: controller.signal})).toEqual(history);
    expect(await store.records(KEY)).toHaveLength(1);
    expect(harness.records).toEqual(await store.records(KEY));
    expect((await harness.contents(history)).length).toBe(4);
  });
});

describe('close', () => {
  it('aborts running folds; their records are in the store when it resolves, and no more folds are made', async () => {
    const store = new MemoryCompactionStore();
    const writer = summarizer(hang);
    const harness = folding({summarizer: writer}, store);
    const calling = harness.contents(chat(10));
    await vi.waitUntil(() => writer.requests.length === 1);
    await harness.manager.close();
    expect(await store.failedFolds(KEY)).toMatchObject([{errorClass: 'aborted'}]);
    const out = await calling;
    expect(faults(chat(10), out)).toEqual([]);
    const other = {...KEY, sessionId: 'other'};
    await harness.contents(chat(10), {key: other});
    expect(writer.requests).toHaveLength(1);
    expect(await store.failedFolds(other)).toEqual([]);
    expect(harness.codes()).toEqual([]);
  });

  it('inside an observer does not wait for the fold being reported', async () => {
    const harness = folding({summarizer: summarizer('S'), onFold: () => harness.manager.close()});
    await harness.contents(chat(10));
    expect(harness.kinds()).toEqual(['fold']);
  });
});

describe('observers', () => {
  it('see the report in order before the record is stored, and may call the manager', async () => {
    const store = new MemoryCompactionStore();
    const seen: unknown[] = [];
    const reports: Fold[] = [];
    const history = chat(10);
    const first: FoldObserver = async (fold) => {
      reports.push(fold);
      seen.push('first', (await store.records(KEY)).length, (await harness.contents(history)).length);
    };
    const harness = folding(
      {summarizer: summarizer('S'), onFold: [first, null, () => void seen.push('second')]},
      store,
    );
    const out = await harness.contents(history);
    expect(seen.slice(0, 2)).toEqual(['first', 0]);
    expect(seen[3]).toBe('second');
    expect(reports).toHaveLength(1);
    const record = (await store.records(KEY)).find(({kind}) => kind === 'fold');
    const {split, prefixHash, tokensBefore, attempts, usage, output} = record ?? {};
    expect(reports[0]).toMatchObject({split, prefixHash, tokensBefore, attempts, usage, output});
    expect([...(reports[0]?.output ?? []), ...(reports[0]?.pinned ?? []), ...history.slice(split)]).toEqual(out);
  });

  it.each([
    ['a made fold', summarizer('S')],
    ['a failed one', summarizer(noText)],
  ])('one that throws on %s fails the turn, and nothing is stored or used', async (_, writer) => {
    const cause = new Error('audit is down');
    const later = vi.fn();
    const store = new MemoryCompactionStore();
    const broken: FoldObserver = () => Promise.reject(cause);
    const harness = folding({summarizer: writer, onFold: [broken, later]}, store);
    const request = requestOf(chat(10));
    const failing = harness.manager.beforeModel({context: contextFor(), request});
    await expect(failing).rejects.toMatchObject({name: 'FoldError', cause});
    await expect(failing).rejects.toBeInstanceOf(FoldError);
    expect(later).not.toHaveBeenCalled();
    expect([await store.records(KEY), await store.failedFolds(KEY), harness.records]).toEqual([[], [], []]);
    const calls = writer.requests.length;
    await expect(harness.contents(chat(10))).rejects.toThrow();
    expect(writer.requests).toHaveLength(2 * calls);
  });

  it('onRecord and onWarning that throw fail nothing', async () => {
    const throws = (): never => {
      throw new Error('host');
    };
    const store = new MemoryCompactionStore();
    const loud = new CompactionManager({
      policy: {contextTokens: 1_200, keepRecentContents: 3, estimator: 'bytes'},
      store,
      fold: {summarizer: summarizer(noText), summarizerContextTokens: 100_000},
      onRecord: throws,
      onWarning: throws,
    });
    const request = requestOf(chat(10));
    expect(await loud.beforeModel({context: contextFor(), request})).toBeUndefined();
    expect(await store.failedFolds(KEY)).toHaveLength(1);
  });
});

describe('an option callback that throws', () => {
  const throws = (): never => {
    throw new Error('a secret of the host');
  };
  it.each(['pin', 'filter', 'summaryItem', 'editRequest'])(
    '%s: a failed fold, recorded once; the call goes out',
    async (option) => {
      const writer = summarizer('S');
      const harness = folding({summarizer: writer, [option]: throws});
      const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(400)}), ...chat(10)];
      const out = await harness.contents(history);
      expect(faults(history, out)).toEqual([]);
      expect(harness.records.filter(({kind}) => kind === 'failed-fold')).toMatchObject([
        {errorClass: 'error', reason: `${option} threw`, attempts: 0, prefixHash: expect.any(String)},
      ]);
      expect(harness.codes()).toContain('compaction.fold.failed');
      expect(JSON.stringify([harness.records, harness.warnings])).not.toContain('secret');
      expect(writer.requests).toHaveLength(0);
    },
  );

  it('pin: what it could not be asked about stays, the rest is compacted', async () => {
    const history = [...turnOf(0), user('the rules'), ...chat(10, 'now', 1)];
    const pin = (content: Content): boolean => {
      if (textOf(content) === 'the rules') {
        throw new Error('no answer');
      }
      return false;
    };
    const harness = folding({summarizer: summarizer('S'), pin});
    const out = await harness.contents(history);
    expect(harness.kinds()).toEqual(['failed-fold', 'drop']);
    expect(out.map(textOf)).toContain('the rules');
    expect(out.length).toBeLessThan(history.length);
  });
});

describe('compactNow', () => {
  it('elides all eligible answers and folds at the usual split, once, whatever estimate, minimum and back-off say', async () => {
    const writer = summarizer({kind: 'error', status: 429}, 'S');
    const harness = folding({
      summarizer: writer,
      pin: (content) => textOf(content).startsWith('question'),
      minFold: 1_000,
    });
    const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(400)}), ...chat(2)];
    expect(await harness.contents(history)).toEqual(history);
    harness.manager.compactNow({...KEY, sessionId: 'other'});
    expect(await harness.contents(history)).toEqual(history);
    harness.manager.compactNow(KEY);
    await harness.contents(history);
    expect(harness.kinds()).toEqual(['elision', 'failed-fold']);
    harness.manager.compactNow(KEY);
    const out = await harness.contents(history);
    expect(harness.kinds()).toEqual(['elision', 'failed-fold', 'fold']);
    expect(textOf(out[0])).toBe(summaryText('S'));
    expect(materialOf(writer)).toContain('xxxx');
    expect(await harness.contents([...history, ...chat(1)])).toEqual([...out, ...chat(1)]);
    expect(writer.requests).toHaveLength(2);
  });

  it('drops only above the target', async () => {
    const harness = folding({summarizer: summarizer(noText)});
    harness.manager.compactNow(KEY);
    expect(await harness.contents(chat(4))).toEqual(chat(4));
    expect(harness.kinds()).toEqual(['failed-fold']);
  });
});
