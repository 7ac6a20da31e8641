import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {MemoryCompactionStore} from '../../src/index.ts';
import {user} from '../../src/testing.ts';
import {KEY} from '../support/manager-harness.ts';
import {chat, folding, noText, summarizer, textOf} from './fold-rig.ts';

describe('the back-off', () => {
  const pin = (content: Content): boolean => textOf(content).startsWith('question');

  it('warns once until a fold is made, and asks again when the split or the estimate has grown', async () => {
    const writer = summarizer(noText);
    const harness = folding({summarizer: writer, pin});
    const history = chat(10);
    await harness.contents(history);
    expect(writer.requests).toHaveLength(2);
    await harness.contents(history);
    await harness.contents([...history, user('more')]);
    expect(writer.requests).toHaveLength(2);
    expect(harness.codes().filter((code) => code === 'compaction.fold.backoff')).toHaveLength(1);
    await harness.contents([...history, user('a'), user('b'), user('c')]);
    expect(writer.requests).toHaveLength(4);
    await harness.contents([...history, user('a'), user('b'), user(`c ${'c'.repeat(1_100)}`)]);
    expect(writer.requests).toHaveLength(6);
  });

  it('is lifted by the next fold made, and both warnings may come again', async () => {
    const writer = summarizer(noText, noText, 'S', noText);
    const harness = folding({summarizer: writer, keepLast: 3});
    await harness.contents(chat(10));
    harness.manager.compactNow(KEY);
    await harness.contents(chat(10));
    expect(harness.kinds().filter((kind) => kind !== 'drop')).toEqual(['failed-fold', 'fold']);
    expect((await harness.manager.status(KEY)).scopes[0]).not.toHaveProperty('backOff');
    await harness.contents([...chat(10).slice(0, -1), ...chat(10, 'then', 10)]);
    expect(harness.codes().filter((code) => code === 'compaction.fold.failed')).toHaveLength(2);
  });

  it('switched off: every call over the target asks again, and status shows none', async () => {
    const store = new MemoryCompactionStore();
    const writer = summarizer(noText);
    const harness = folding({summarizer: writer, pin, backOff: false}, store);
    await harness.contents(chat(10));
    await harness.contents(chat(10));
    expect(writer.requests).toHaveLength(4);
    expect((await harness.manager.status(KEY)).scopes[0]).not.toHaveProperty('backOff');
    expect(await store.failedFolds(KEY)).toMatchObject([
      {prefixHash: expect.any(String)},
      {prefixHash: expect.any(String)},
    ]);
  });

  it('status names the failure that it goes by, also one that another process had', async () => {
    const store = new MemoryCompactionStore();
    const harness = folding({summarizer: summarizer(noText), pin}, store);
    await harness.contents(chat(10));
    const later = folding({summarizer: summarizer({kind: 'error', status: 503}), pin}, store);
    later.manager.compactNow(KEY);
    await later.contents(chat(12));
    await harness.contents(chat(12));
    expect((await harness.manager.status(KEY)).scopes[0]?.backOff?.reason).toBe('error: HTTP 503');
  });
});
