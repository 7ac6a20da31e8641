import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import type {Compactor, CompactResponse} from '../../src/fold/summarizers.ts';
import {contents, frozen, isPinned, rig, summaryItem, weigh} from './notation.ts';

type CompactRequest = Parameters<Compactor['compact']>[0];

class FakeEndpoint implements Compactor {
  readonly requests: CompactRequest[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  #answer: () => Promise<unknown>;

  constructor(answer: () => Promise<unknown>) {
    this.#answer = answer;
  }

  compact(request: CompactRequest, {signal}: {signal?: AbortSignal}): Promise<CompactResponse> {
    this.requests.push(request);
    this.signals.push(signal);
    return this.#answer() as Promise<CompactResponse>;
  }
}

const answering = (response: Partial<CompactResponse>): FakeEndpoint =>
  new FakeEndpoint(() => Promise.resolve(response));
const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');

describe('a compaction endpoint', () => {
  it('gives the contents that stand for the prefix, as they are', async () => {
    const output = [summaryItem('one'), {role: 'model', parts: [{text: 'two'}]}];
    const summarizer = answering({
      contents: output,
      summary: output[0] as Content,
      usage: {totalTokenCount: 9},
      responseId: 'c1',
    });
    const {fold, reports} = rig(99, 2, {summarizer, model: 'compact-1', pin: isPinned});
    const list = frozen(contents('u20 t5+a15 P20 u20 u20'));
    const result = await fold.transform(list);
    expect(result).toEqual([...output, list[2], ...list.slice(3)]);
    expect(summarizer.requests).toEqual([{model: 'compact-1', contents: list.slice(0, 3)}]);
    expect(reports[0]).toMatchObject({
      split: 3,
      attempts: 1,
      output,
      summary: output[0],
      pinned: [list[2]],
      usage: {totalTokenCount: 9},
      responseId: 'c1',
      outputTypes: ['text'],
    });
    expect(reports[0]).not.toHaveProperty('request');
    expect(fold.last).toBe(output[0]);
  });

  it('is sent what is in use and what is new, as copies', async () => {
    const summarizer = answering({contents: [summaryItem('one')]});
    const {fold} = rig(99, 2, {summarizer});
    const list = U5();
    await fold.transform(list);
    await fold.transform([...list, ...contents('u20 u40')]);
    expect(summarizer.requests[1]).toEqual({contents: [summaryItem('one'), list[3], list[4]]});
    expect(summarizer.requests[0]?.contents[0]).not.toBe(list[0]);
  });

  it('folds however little there is, and takes an answer that is too large', async () => {
    const summarizer = answering({contents: [summaryItem('x'.repeat(500))]});
    const {fold, reports} = rig(99, 1, {summarizer});
    expect(weigh(await fold.transform(contents('u1 u200')))).toBe(704);
    expect(reports[0]).not.toHaveProperty('error');
    const minimum = rig(99, 1, {summarizer, minFold: 2});
    await minimum.fold.transform(contents('u1 u200'));
    expect(minimum.reports).toEqual([]);
  });

  it('an answer without a summary leaves last as it is', async () => {
    const {fold, reports} = rig(99, 2, {summarizer: answering({contents: [summaryItem('one')]})});
    await fold.transform(U5());
    expect(fold.last).toBeUndefined();
    expect(reports[0]).not.toHaveProperty('summary');
  });

  it.each([
    ['no contents', {contents: [], usage: {totalTokenCount: 3}, responseId: 'c2'}],
    ['contents that are no list', {contents: 'text', usage: {totalTokenCount: 3}, responseId: 'c2'}],
  ])('%s is a hard error, usage and id kept, not tried again', async (_, response) => {
    const summarizer = answering(response as never);
    const {fold, reports} = rig(99, 2, {summarizer});
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error', reason: 'no contents'});
    expect(summarizer.requests).toHaveLength(1);
    expect(reports[0]).toMatchObject({attempts: 1, usage: {totalTokenCount: 3}, responseId: 'c2'});
  });

  it('what it throws is a hard error; no answer at all is one too', async () => {
    const cause = new Error('down');
    const failing = rig(99, 2, {summarizer: new FakeEndpoint(() => Promise.reject(cause))});
    await expect(failing.fold.transform(U5())).rejects.toMatchObject({code: 'error', cause});
    const silent = rig(99, 2, {summarizer: new FakeEndpoint(() => Promise.resolve(undefined)), onError: 'continue'});
    const list = U5();
    expect(await silent.fold.transform(list)).toBe(list);
  });

  it('is given a signal that follows the caller', async () => {
    const reason = new Error('the user left');
    const controller = new AbortController();
    const summarizer = new FakeEndpoint(() => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    const {fold, reports} = rig(99, 2, {summarizer});
    await expect(fold.transform(U5(), {signal: controller.signal})).rejects.toBe(reason);
    expect(summarizer.signals[0]?.aborted).toBe(true);
    expect(reports[0]).toMatchObject({attempts: 1, error: {code: 'aborted'}});
  });
});
