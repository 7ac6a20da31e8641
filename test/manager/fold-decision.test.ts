import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {type Compactor, estimateContents, estimateRequest, MemoryCompactionStore} from '../../src/index.ts';
import {call, model, requestFaults, user} from '../../src/testing.ts';
import {KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';
import {chat, folding, materialOf, summarizer, summaryText, textOf} from './fold-rig.ts';

const tokens = (contents: Content[]): number => estimateRequest(requestOf(contents), {media: 'modality'}).tokens;

describe('figures', () => {
  it('the calibrated expectation decides, the record holds the uncalibrated estimate', async () => {
    const harness = folding({summarizer: summarizer('S')});
    const history = chat(7);
    expect(tokens(history)).toBeLessThan(1_020);
    for (let sample = 0; sample < 12; sample += 1) {
      await harness.call(chat(2), {reported: 2 * tokens(chat(2))});
    }
    expect((await harness.contents(history)).length).toBeLessThan(history.length);
    expect(harness.records).toMatchObject([{kind: 'fold', tokensBefore: tokens(history)}]);
  });

  it('a summary has to fit half the trigger of the current model', async () => {
    const writer = summarizer('S', 'T');
    const contextTokens = (name: string): number => (name === 'large' ? 100_000 : 1_200);
    const harness = folding({summarizer: writer, minFold: 0}, undefined, {contextTokens});
    harness.manager.compactNow(KEY);
    await harness.contents(chat(10), {model: 'large'});
    await harness.contents([...chat(10).slice(0, -1), ...chat(10, 'then', 10)], {model: 'small'});
    expect(writer.requests.map(({config}) => config?.maxOutputTokens)).toEqual([8_192, 510]);
  });
});

describe("the summariser's window", () => {
  it.each([
    ['a number: that of the policy', 1_200, undefined],
    ['a function: it is asked for the summariser', (name: string) => (name === 'writer' ? 1_200 : 1_150), undefined],
    ['its own, which goes before', (name: string) => (name === 'writer' ? 100_000 : 1_150), 1_200],
  ])('%s', async (_, contextTokens, summarizerContextTokens) => {
    const writer = summarizer('S');
    const fold = {summarizer: writer, model: 'writer', summarizerContextTokens};
    const harness = new ManagerHarness({contextTokens, keepRecentContents: 3}, {fold});
    await harness.contents(chat(10));
    expect(writer.requests[0]?.model).toBe('writer');
    expect(materialOf(writer)).toContain('characters left out');
    const trigger = Math.floor(0.85 * (typeof contextTokens === 'number' ? contextTokens : 1_150));
    expect(estimateContents(writer.requests[0]?.contents ?? [])).toBeLessThanOrEqual(1_080 - Math.floor(trigger / 2));
  });

  it('nothing that fits in no way is asked for: a hard error without a call', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer, summarizerContextTokens: 10});
    await harness.contents(chat(12));
    expect(harness.records[0]).toMatchObject({
      kind: 'failed-fold',
      errorClass: 'error',
      reason: 'record does not fit',
      attempts: 0,
    });
    expect(writer.requests).toHaveLength(0);
  });
});

describe('a plan that would break a promise', () => {
  it.each([
    ['opens with a model content', [model('not a user')]],
    ['opens with a call', [call('read')]],
    ['has an empty content', [user('S'), {role: 'user', parts: []}]],
  ])('is refused as an error, with a warning, and backs off (%s)', async (_, contents) => {
    const compact = {calls: 0};
    const compactor = {
      compact: async () => {
        compact.calls += 1;
        return {contents};
      },
    };
    const harness = folding({summarizer: compactor, pin: ({role}) => role === 'user' && compact.calls < 0});
    const out = await harness.contents(chat(10));
    expect(requestFaults(out)).toEqual([]);
    expect(harness.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'error', attempts: 1});
    expect(harness.codes()).toEqual(['compaction.plan.rejected', 'compaction.fold.failed']);
    expect(await harness.contents(chat(10))).toEqual(out);
    expect(compact.calls).toBe(1);
  });
});

it('a fold that would cover the last content is not used, and is used again when more follows', async () => {
  const writer = summarizer('S');
  const harness = folding({summarizer: writer}, undefined, {contextTokens: 10_000});
  const history = chat(10);
  harness.manager.compactNow(KEY);
  const out = await harness.contents(history);
  expect(textOf(out[0])).toBe(summaryText('S'));
  expect(await harness.contents(history.slice(0, 18))).toEqual(history.slice(0, 18));
  expect(await harness.contents(history.slice(0, 19))).toEqual([out[0], history[18]]);
  expect(await harness.contents(history)).toEqual(out);
  expect(writer.requests).toHaveLength(1);
});

it('a request that would not get smaller, not by one token, is refused as too large', async () => {
  const same: Compactor = {compact: async ({contents}) => ({contents})};
  const harness = folding({summarizer: same});
  await harness.contents(chat(10));
  expect(harness.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'too-large', attempts: 1});
});

it('onRecord comes when the fold is stored and in use', async () => {
  const store = new MemoryCompactionStore();
  const seen: unknown[] = [];
  const harness: ManagerHarness = new ManagerHarness(
    {contextTokens: 1_200, keepRecentContents: 3},
    {
      store,
      fold: {summarizer: summarizer('S'), summarizerContextTokens: 100_000},
      onRecord: async ({kind}) => {
        seen.push(kind, textOf((await harness.contents(chat(10)))[0]), (await store.records(KEY)).length);
      },
    },
  );
  await harness.contents(chat(10));
  await harness.contents(chat(10));
  expect(seen).toEqual(['fold', summaryText('S'), 1]);
});
