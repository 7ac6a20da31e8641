import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {type FoldOptions, MemoryCompactionStore} from '../../src/index.ts';
import {model, ScriptedModel, user} from '../../src/testing.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';

/** Ten turns of about 100 tokens each, then the live user content. */
function chat(turns: number): Content[] {
  return [
    ...Array.from({length: turns}, (_, turn) => [
      user(`question ${turn} ${'q'.repeat(180)}`),
      model(`answer ${turn} ${'a'.repeat(180)}`),
    ]).flat(),
    user('now'),
  ];
}

function summarizer(...texts: string[]): ScriptedModel {
  return new ScriptedModel((_, index) => model(texts[Math.min(index, texts.length - 1)] ?? ''));
}

function folding(fold: FoldOptions, store = new MemoryCompactionStore()): ManagerHarness {
  return new ManagerHarness({contextTokens: 1_200, keepRecentContents: 3}, {store, fold});
}

describe('the fold in the manager', () => {
  it('puts a summary in place of the beginning, records it, and asks no more for it', async () => {
    const model = summarizer('what was said');
    const store = new MemoryCompactionStore();
    const harness = folding({summarizer: model}, store);
    const history = chat(10);
    const out = await harness.contents(history);
    expect(out[0]?.parts?.[0]?.text).toBe('Summary of the conversation so far:\n\nwhat was said');
    expect(out.slice(1)).toEqual(history.slice(18));
    expect(harness.records).toMatchObject([
      {
        kind: 'fold',
        split: 18,
        summary: 'Summary of the conversation so far:\n\nwhat was said',
        attempts: 1,
        pinned: [],
      },
    ]);
    expect(await harness.contents(history)).toEqual(out);
    const restarted = folding({summarizer: model}, store);
    expect(JSON.stringify(await restarted.contents(history))).toBe(JSON.stringify(out));
    expect(model.requests).toHaveLength(1);
    expect(await store.records(KEY)).toEqual(harness.records);
  });

  it('goes out unfolded when no summary can be had, drops turns, warns and backs off, also after a restart', async () => {
    const model = new ScriptedModel(() => ({kind: 'error', status: 503}));
    const store = new MemoryCompactionStore();
    const harness = folding({summarizer: model}, store);
    const out = await harness.contents(chat(10));
    expect(out.length).toBeLessThan(21);
    expect(harness.kinds()).toEqual(['failed-fold', 'drop']);
    expect(harness.codes()).toEqual(['compaction.fold.failed']);
    expect((await harness.manager.status(KEY)).scopes[0]?.backOff).toEqual({since: 1_001, reason: 'error: HTTP 503'});
    const restarted = folding({summarizer: model}, store);
    restarted.manager.compactNow({...KEY, sessionId: 'other'});
    await restarted.contents(chat(10));
    expect(model.requests).toHaveLength(1);
  });
});
