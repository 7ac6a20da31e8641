import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {estimateRequest, type InvalidOptionsError, MemoryCompactionStore, prefixHash} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {contextFor, KEY, requestOf} from '../support/manager-harness.ts';
import {chat, faults, folding, materialOf, noText, summarizer, summaryText, textOf, turnOf} from './fold-rig.ts';

const tokens = (contents: readonly Content[]): number =>
  estimateRequest(requestOf([...contents]), {media: 'modality'}).tokens;

describe('a fold in the manager', () => {
  it('puts a summary in place of the beginning, records it, and asks no more for it', async () => {
    const writer = summarizer('what was said');
    const harness = folding({summarizer: writer});
    const history = chat(10);
    const out = await harness.contents(history);
    expect(textOf(out[0])).toBe(summaryText('what was said'));
    expect(out.slice(1)).toEqual(history.slice(18));
    expect(harness.records).toMatchObject([
      {
        kind: 'fold',
        split: 18,
        prefixHash: prefixHash(history.slice(0, 18)),
        tokensBefore: tokens(history),
        tokensAfter: tokens(out),
        summary: summaryText('what was said'),
        attempts: 1,
        pinned: [],
      },
    ]);
    expect(await harness.contents(history)).toEqual(out);
    expect(writer.requests).toHaveLength(1);
  });

  it('is not made below the trigger, and made at it', async () => {
    const history = chat(10);
    const contextTokens = (trigger: number): number => Math.ceil(trigger / 0.85);
    const below = folding({summarizer: summarizer('S')}, undefined, {
      contextTokens: contextTokens(tokens(history) + 1),
    });
    expect(await below.contents(history)).toEqual(history);
    const at = folding({summarizer: summarizer('S')}, undefined, {contextTokens: contextTokens(tokens(history))});
    expect((await at.contents(history)).length).toBeLessThan(history.length);
  });

  it('is not made when elisions alone reach the target', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer});
    const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(4_000)}), ...chat(2)];
    expect(faults(history, await harness.contents(history))).toEqual([]);
    expect(harness.kinds()).toEqual(['elision']);
    expect(writer.requests).toHaveLength(0);
  });

  it('comes after elisions and before drops, and its summariser reads the elided bodies', async () => {
    const writer = summarizer(noText);
    const harness = folding({summarizer: writer});
    const history = [user('start'), call('read'), answer('read', {text: 'the whole body '.repeat(20)}), ...chat(10)];
    const out = await harness.contents(history);
    expect(harness.kinds()).toEqual(['elision', 'failed-fold', 'drop']);
    expect(materialOf(writer)).toContain('the whole body');
    expect(JSON.stringify(out)).toContain('[elided]');
  });

  it('goes on to drops when it is not enough, and leaves summary and pins alone', async () => {
    const pinned = user('the rules');
    const harness = folding({
      summarizer: summarizer('S'),
      pin: (content) => textOf(content) === 'the rules',
      keepLast: 7,
    });
    const history = [...turnOf(0), pinned, model('ok'), ...chat(4, 'now', 1), model('w'.repeat(3_000)), user('last')];
    const out = await harness.contents(history);
    expect(harness.kinds()).toEqual(['fold', 'drop']);
    expect(out.slice(0, 2)).toEqual([user(summaryText('S')), pinned]);
    expect(harness.codes()).toEqual(['compaction.budget.exhausted']);
    expect(faults(history, out)).toEqual([]);
  });

  it('drops look only at what follows it', async () => {
    const harness = folding({summarizer: summarizer('S', noText)}, undefined, {keepRecentContents: 1});
    const history = chat(10);
    await harness.contents(history);
    const longer = [...history.slice(0, -1), ...chat(12, 'then', 10)];
    const out = await harness.contents(longer);
    expect(harness.kinds()).toEqual(['fold', 'failed-fold', 'drop']);
    expect(harness.records[2]).toMatchObject({covers: [20, 22, 24, 26, 28, 30, 32].map((index) => ({index}))});
    expect(textOf(out[0])).toBe(summaryText('S'));
  });

  it('is made at most once for a model call, also when the result is still above the target', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer, keepLast: 15});
    await harness.contents(chat(10));
    expect(writer.requests).toHaveLength(1);
    expect(harness.kinds()).toEqual(['fold', 'drop']);
  });

  it('refolds what is in use: the earlier summary is read first, its contents are not sent again', async () => {
    const writer = summarizer('FIRST', 'SECOND');
    const harness = folding({summarizer: writer});
    const history = chat(10);
    await harness.contents(history);
    const longer = [...history.slice(0, -1), ...chat(10, 'then', 10)];
    const out = await harness.contents(longer);
    expect(writer.requests).toHaveLength(2);
    expect(materialOf(writer).indexOf(summaryText('FIRST'))).toBeGreaterThan(0);
    expect(materialOf(writer).indexOf(summaryText('FIRST'))).toBeLessThan(materialOf(writer).indexOf('question 9'));
    expect(materialOf(writer)).not.toContain('question 8');
    expect(out).toEqual([user(summaryText('SECOND')), ...longer.slice(38)]);
    expect(faults(longer, out)).toEqual([]);
  });

  it('a shorter list in between deletes nothing: the long one comes back folded, without a call', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer});
    const history = chat(10);
    const out = await harness.contents(history);
    const short = [user('start the export'), model('done')];
    expect(await harness.contents([...short, user('hi')])).toEqual([...short, user('hi')]);
    expect(await harness.contents(history)).toEqual(out);
    expect(writer.requests).toHaveLength(1);
  });

  it('an edited prefix makes it not match, and another session never sees it', async () => {
    const writer = summarizer('ANN', 'BOB', 'AGAIN');
    const harness = folding({summarizer: writer});
    const history = chat(10);
    await harness.contents(history);
    const other = await harness.contents(history, {key: {...KEY, userId: 'bob'}});
    expect(textOf(other[0])).toBe(summaryText('BOB'));
    const edited = await harness.contents([user('edited'), ...history.slice(1)]);
    expect(textOf(edited[0])).toBe(summaryText('AGAIN'));
    expect(textOf((await harness.contents(history, {scope: {agentName: 'second'}}))[0])).toBe(summaryText('AGAIN'));
  });

  it('asks for a summary with no tools, no system instruction and nothing else of the agent', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer});
    const config = {systemInstruction: 'You are the agent.', temperature: 0.5, tools: [{functionDeclarations: []}]};
    await harness.contents(chat(10), {config});
    expect(writer.requests[0]?.config).toEqual({maxOutputTokens: 510});
    expect(writer.requests[0]?.contents).toHaveLength(2);
    expect(JSON.stringify(writer.requests[0])).not.toContain('You are the agent.');
  });

  it('an endpoint gives the contents themselves, and the second guard holds for it too', async () => {
    const reply = (text: string) => async () => ({contents: [user(text)], responseId: 'r1'});
    const small = folding({summarizer: {compact: reply('compact')}});
    expect(textOf((await small.contents(chat(10)))[0])).toBe('compact');
    expect(small.records[0]).toMatchObject({kind: 'fold', output: [user('compact')], responseId: 'r1', attempts: 1});
    const large = folding({summarizer: {compact: reply('large '.repeat(2_000))}});
    await large.contents(chat(10));
    expect(large.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'too-large', attempts: 1});
  });

  it.each([
    ['keepLast', 0],
    ['keepLast', -1],
    ['onError', 'throw'],
    ['budget', 10],
    ['estimate', () => 1],
  ])('refuses fold.%s %s', (field, value) => {
    expect(() => folding({summarizer: summarizer('S'), [field]: value})).toThrow(
      expect.objectContaining({field: `fold.${field}`}) as InvalidOptionsError,
    );
  });

  it('a fold of a prefix that cannot be serialised serves this one call', async () => {
    const writer = summarizer('S');
    const harness = folding({summarizer: writer});
    const history = (): Content[] => {
      const args: Record<string, unknown> = {};
      args.self = args;
      return [user('start'), call('read', args), answer('read', {ok: true}), ...chat(10)];
    };
    for (const calls of [1, 2]) {
      const request = requestOf(history());
      await harness.manager.beforeModel({context: contextFor(), request});
      expect(textOf(request.contents[0])).toBe(summaryText('S'));
      expect(writer.requests).toHaveLength(calls);
    }
  });

  it('observe mode makes none', async () => {
    const writer = summarizer('S');
    const store = new MemoryCompactionStore();
    const harness = folding({summarizer: writer}, store, {mode: 'observe'});
    const history = chat(10);
    expect(await harness.contents(history)).toEqual(history);
    expect(writer.requests).toHaveLength(0);
    expect(await store.records(KEY)).toEqual([]);
  });
});
