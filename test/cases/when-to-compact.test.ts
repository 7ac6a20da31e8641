import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {CompactionManager, InvalidOptionsError, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {CaseManager, chat, policyOf, prose, RawModel, summarizer, tokensOf, wordsOf} from '../support/case-kit.ts';
import {KEY, requestOf} from '../support/manager-harness.ts';

describe('what compaction may not touch is already over the line (case 6)', () => {
  const policy = policyOf(8_000, 0.8, 0.5, 4);

  it('a) an instruction and tools that are too large buy no summary; that is said once', async () => {
    const summaries = summarizer('S');
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    const functionDeclarations = Array.from({length: 20}, (_, at) => ({name: `tool-${at}`, description: prose(100)}));
    const config = {systemInstruction: prose(30_000), tools: [{functionDeclarations}]};
    const history = [user('hi')];
    for (let turn = 0; turn < 10; turn += 1) {
      const sent = await manager.contents(history, {config});
      expect(sent.at(-1)).toEqual(user('hi'));
      history.push(model('hello'), user('hi'));
    }
    expect(summaries.requests).toHaveLength(0);
    expect(manager.codes()).toEqual(['compaction.budget.exhausted']);
  });

  it('a) nor do they buy one a turn when a fold is in use', async () => {
    const summaries = summarizer(prose(4_000));
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    const config = {systemInstruction: prose(30_000)};
    const history = [...chat(10, 500), user('hi')];
    for (let turn = 0; turn < 10; turn += 1) {
      await manager.contents(history, {config});
      expect(summaries.requests).toHaveLength(1);
      history.push(model('hello'), user('hi'));
    }
    expect(manager.codes()).toEqual(['compaction.budget.exhausted']);
  });

  const tiny = [user('hi'), model('hello')];
  const window = [user(prose(9_000)), model(prose(9_000)), user(prose(9_000)), user(prose(9_000))];

  function turnsAfter(first: readonly Content[]): Content[][] {
    const small = Array.from({length: 5}, () => [model(prose(40)), user(prose(40))]);
    return small.map((_, turn) => [...first, ...small.slice(0, turn + 1).flat()]);
  }

  it('b) a kept window that is too large buys none, and one once the part before it has grown', async () => {
    const summaries = summarizer('S');
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    await manager.contents([...tiny, ...window]);
    expect(summaries.requests).toHaveLength(0);
    for (const history of turnsAfter([...tiny, ...window])) {
      await manager.contents(history);
    }
    expect(summaries.requests).toHaveLength(1);
  });

  it('b) a failed attempt is not made every turn, but again when the part before the window has grown', async () => {
    const summaries = new RawModel(new Error('503'));
    const manager = new CaseManager({...policy, preserveToolNames: ['keep']}, {fold: {summarizer: summaries}});
    const kept = [user(prose(9_000)), call('keep'), answer('keep', {t: prose(18_000)}), model('..')];
    const [first, second, third] = turnsAfter([...tiny, ...kept, ...kept]);
    await manager.contents(first ?? []);
    await manager.contents(second ?? []);
    expect(summaries.requests).toHaveLength(1);
    await manager.contents([...(third ?? []), model(prose(9_000)), user('and?')]);
    expect(summaries.requests).toHaveLength(2);
  });

  it('c) a window of 0 switches it off', async () => {
    const manager = new CaseManager({...policy, contextTokens: 0}, {fold: {summarizer: summarizer('S')}});
    const history = [...chat(5, 9_000), user('hi')];
    expect(await manager.contents(history)).toEqual(history);
    expect([manager.records, manager.warnings]).toEqual([[], []]);
  });

  it.each([
    ['policy.contextTokens', {contextTokens: -1}],
    ['policy.contextTokens', {contextTokens: Number.NaN}],
    ['policy.targetFraction', {targetFraction: 0.8}],
    ['policy.targetFraction', {targetFraction: 0.9}],
    ['policy.triggerFraction', {triggerFraction: 1.1}],
  ])('c) refuses %s when it is built: %o', (field, changes) => {
    const build = (): CompactionManager => new CompactionManager({policy: {...policy, ...changes}});
    expect(build).toThrow(InvalidOptionsError);
    expect(build).toThrow(field);
  });
});

describe('the model changes to a smaller window in mid-session (case 7)', () => {
  it('fits the new window at once, keeps the fold, and keeps each factor with its model', async () => {
    const store = new MemoryCompactionStore();
    const summaries = summarizer('S');
    const policy = {
      ...policyOf(0, 0.8, 0.5, 4),
      calibration: true,
      contextTokens: (name: string) => (name === 'big' ? 1_000_000 : 16_000),
    };
    const manager = new CaseManager(policy, {store, fold: {summarizer: summaries}});
    const ask = async (turns: number, name: string, factor?: number): Promise<Content[]> => {
      const history = chat(turns, 6_000).slice(0, -1);
      const reported = factor && Math.round(tokensOf(requestOf(history)) * factor);
      const {request} = await manager.call(history, {model: name, ...(reported && {reported})});
      return request.contents;
    };
    const figures = async (): Promise<{estimate: number; expected: number}> => {
      const {estimate = 0, expected = 0} = (await manager.manager.status(KEY)).scopes[0] ?? {};
      return {estimate, expected};
    };

    for (let turn = 1; turn <= 20; turn += 1) {
      await ask(turn, 'big', 1.4);
    }
    const big = await figures();
    expect(big.estimate).toBeGreaterThan(57_000);
    expect(big.expected / big.estimate).toBeCloseTo(1.4, 2);
    expect(manager.records).toEqual([]);

    const small = await ask(21, 'small');
    const sent = requestOf(small, {model: 'small'});
    expect(tokensOf(sent)).toBeLessThanOrEqual(16_000);
    const onSmall = await figures();
    expect(onSmall.expected).toBe(onSmall.estimate);
    expect(manager.kinds()).toEqual(['fold']);
    for (const request of summaries.requests) {
      expect(tokensOf(request)).toBeLessThanOrEqual(16_000);
    }

    const again = await ask(22, 'big');
    expect(again.slice(0, small.length)).toEqual(small);
    const onBig = await figures();
    expect(onBig.expected / onBig.estimate).toBeCloseTo(1.4, 1);
    await ask(23, 'small');
    await ask(24, 'big');
    expect(manager.kinds()).toEqual(['fold']);
    expect(manager.warnings).toEqual([]);
    expect(wordsOf(small)).toContain('Summary of the conversation so far');
  });

  it('one window for all models holds for all of them', async () => {
    const manager = new CaseManager(policyOf(16_000, 0.8, 0.5, 4), {fold: {summarizer: summarizer('S')}});
    for (const [turns, name] of [
      [20, 'big'],
      [21, 'small'],
      [22, 'big'],
    ] as const) {
      const contents = await manager.contents([...chat(turns - 1, 6_000), user('go on')], {model: name});
      expect(tokensOf(requestOf(contents))).toBeLessThanOrEqual(16_000);
    }
    expect(manager.kinds()).toEqual(['fold']);
  });
});
