import {FunctionTool, LlmAgent, type LlmRequest, type LlmResponse} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {answer, call, model, requestFaults, ScriptedModel, together, user} from '../../src/testing.ts';
import {AgentRig, databasePath, storedEvents} from '../support/agent-rig.ts';
import {
  CaseManager,
  chat,
  expectSound,
  policyOf,
  prose,
  RawModel,
  says,
  textOf,
  tokensOf,
  wordsOf,
} from '../support/case-kit.ts';
import {contextFor, KEY, requestOf} from '../support/manager-harness.ts';

describe('the summariser gives nothing that can be used (case 8)', () => {
  const policy = policyOf(4_000, 0.8, 0.5, 4);
  const first = [...chat(12, 700), user('go on')];
  const second = [...first, model('an earlier reply'), ...chat(9, 700, 20), user('and on')];

  const unusable: [string, LlmResponse[] | Error][] = [
    ['1: thoughts only', says({text: 'Let me think', thought: true})],
    ['2: white space', says('  \n')],
    ['3: an error code', [{errorCode: 'SAFETY'}]],
    ['4: nothing at all', []],
    ['5: a cut text', [{...says('The user wan')[0], finishReason: 'MAX_TOKENS' as never}]],
    ['6: an exception', new Error('503')],
  ];

  it.each(unusable)(
    '%s: the fold in use stays, the request goes out, the failure is recorded',
    async (_, unusableAnswer) => {
      const path = databasePath();
      const store = openSqliteStore(path);
      const summaries = new RawModel(says('S1'));
      const manager = new CaseManager(policy, {store: store.compaction, fold: {summarizer: summaries}});
      const [summary] = await manager.contents(first);
      expect(textOf(summary)).toContain('S1');
      const folds = await store.compaction.records(KEY);
      const asked = summaries.requests.length;

      summaries.answers = [unusableAnswer];
      const sent = await manager.contents(second);
      expect(sent[0]).toEqual(summary);
      expect(await store.compaction.failedFolds(KEY)).toHaveLength(1);
      expect((await store.compaction.records(KEY)).filter((record) => record.kind === 'fold')).toEqual(folds);
      expect(wordsOf(sent)).not.toContain('The user wan');
      expect((await manager.manager.status(KEY)).scopes[0]?.backOff).toBeDefined();
      expect(summaries.requests.length - asked).toBeLessThanOrEqual(2);
      const after = summaries.requests.length;
      expect(await manager.contents(second)).toEqual(sent);

      store.close();
      const reopened = openSqliteStore(path);
      const restarted = new CaseManager(policy, {store: reopened.compaction, fold: {summarizer: summaries}});
      expect(await restarted.contents(second)).toEqual(sent);
      expect(summaries.requests).toHaveLength(after);
      reopened.close();
    },
  );

  const usable: [string, LlmResponse[]][] = [
    [
      '7: streamed',
      [
        {partial: true, content: model('Good ')},
        {partial: true, content: model('sum')},
        {partial: false, content: model('Good sum')},
      ],
    ],
    ['8: after a thought', says({text: 'thinking', thought: true}, 'Good sum')],
  ];

  it.each(usable)('%s: the summary is the text, once', async (_, goodAnswer) => {
    const summaries = new RawModel(says('S1'), goodAnswer);
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    await manager.contents(first);
    const sent = await manager.contents(second);
    expect(textOf(sent[0])).toBe('Summary of the conversation so far:\n\nGood sum');
    expect(wordsOf(sent.slice(1))).not.toContain('Summary of');
    expect(manager.kinds()).toEqual(['fold', 'fold']);
  });
});

describe('the request for the summary does not fit either (case 9)', () => {
  const policy = policyOf(8_000, 0.8, 0.5, 2);
  const rules = user(`Rules: never touch /etc. ${prose(20_000)}`);
  const history = (response: Record<string, unknown>): Content[] => [
    rules,
    model('ok'),
    user('dump'),
    call('dump'),
    answer('dump', response),
    ...chat(6, 60),
    user('go on'),
  ];
  const bodies: [string, Record<string, unknown>][] = [
    ['a tool answer', {t: prose(120_000)}],
    ['an error answer', {error: prose(120_000)}],
  ];

  function refusingAbove(limit: number, then: LlmResponse[] | Error): RawModel {
    return new RawModel((request: LlmRequest) => (tokensOf(request) > limit ? new Error('too long') : then));
  }

  it.each(bodies)('%s: elided first, then summarised by a request that fits', async (_, response) => {
    const summaries = refusingAbove(8_000, says('S'));
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    const sent = await manager.contents(history(response));
    expect(manager.kinds()).toEqual(['elision', 'fold']);
    for (const request of summaries.requests) {
      expect(tokensOf(request) + (request.config?.maxOutputTokens ?? 0)).toBeLessThanOrEqual(8_000);
    }
    expect(summaries.requests).toHaveLength(1);
    const asked = wordsOf(summaries.requests[0]?.contents ?? []);
    expect(asked).toContain('Rules: never touch /etc.');
    expect(tokensOf(requestOf(sent))).toBeLessThanOrEqual(8_000 * 0.5);
  });

  it.each(bodies)(
    '%s: without a summary the request fits all the same and it is not asked for ever',
    async (_, response) => {
      const summaries = refusingAbove(8_000, new Error('503'));
      const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
      const whole = history(response);
      for (let turn = 0; turn < 4; turn += 1) {
        const sent = await manager.contents(whole);
        expect(tokensOf(requestOf(sent))).toBeLessThanOrEqual(8_000);
        expect(sent[0]).toEqual(rules);
        whole.push(model('..'), user('go on'));
      }
      expect(summaries.requests.length).toBeLessThanOrEqual(4);
      expect(manager.kinds().filter((kind) => kind === 'failed-fold').length).toBe(summaries.requests.length);
    },
  );

  it.each(bodies)(
    '%s: a summariser with a smaller window than it says is not asked the same again',
    async (_, response) => {
      const summaries = refusingAbove(1_000, says('S'));
      const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
      const whole = history(response);
      for (let turn = 0; turn < 4; turn += 1) {
        await manager.contents(whole);
        whole.push(model('..'), user('go on'));
      }
      const sizes = summaries.requests.map(tokensOf);
      expect(sizes.some((size, at) => size === sizes[at + 1])).toBe(false);
    },
  );
});

describe('the summary call inherits tools, forced calling, schema and cache (case 10)', () => {
  const config = (): LlmRequest['config'] => ({
    systemInstruction: 'You are Bob. Always call done().',
    tools: [{functionDeclarations: [{name: 'done'}, {name: 'run'}]}],
    toolConfig: {functionCallingConfig: {mode: 'ANY' as never}},
    responseMimeType: 'application/json',
    responseSchema: {type: 'OBJECT' as never},
    cachedContent: 'cachedContents/x',
    httpOptions: {headers: {'x-k': 'v'}},
    thinkingConfig: {thinkingBudget: 8_192},
  });
  const history = [
    ...chat(12, 700),
    user('run both'),
    together(call('run', {n: 1}), call('done', {n: 2})),
    answer('done', {ok: true}),
    user('run'),
    call('run'),
    answer('run', {ok: true}),
    model('done'),
    user('go on'),
  ];
  const policy = policyOf(4_000, 0.8, 0.5, 4);

  it.each([
    ['text', 'a function call', says({functionCall: {name: 'done', args: {}}}), 'failed-fold'],
    ['text', 'a text', says('S'), 'fold'],
    ['contents', 'a function call', says({functionCall: {name: 'done', args: {}}}), 'failed-fold'],
    ['contents', 'a text', says('S'), 'fold'],
  ] as const)(
    'from %s, answered with %s: nothing of the agent is in it, nothing of the agent changes',
    async (material, _, reply, kind) => {
      let contentsWhenAsked: unknown;
      const summaries = new RawModel(() => {
        contentsWhenAsked = structuredClone(request.contents);
        return [...reply];
      });
      const manager = new CaseManager(policy, {
        fold: {summarizer: summaries, material, summarizerContextTokens: 100_000},
      });
      const abort = new AbortController();
      const context = contextFor({signal: abort.signal});
      const given = {...config(), abortSignal: abort.signal};
      const request = requestOf(structuredClone(history), {config: given});
      await manager.manager.beforeModel({context, request});

      expect(manager.kinds()[0]).toBe(kind);
      expect(request.config).toBe(given);
      expect(given).toEqual({...config(), abortSignal: abort.signal});
      expect(contentsWhenAsked).toEqual(history);
      expectSound(requestOf(history, {config: config()}), request);
      expect(summaries.requests).toHaveLength(kind === 'fold' ? 1 : 2);
      for (const asked of summaries.requests) {
        expect(Object.keys(asked.config ?? {})).toEqual(['maxOutputTokens']);
        expect(requestFaults(asked.contents)).toEqual([]);
        expect(wordsOf(asked.contents)).not.toContain('You are Bob');
      }
      expect(summaries.signals[0]?.aborted).toBe(false);
    },
  );

  it('an abort of the agent reaches the summary call, and the request goes out as it was', async () => {
    const abort = new AbortController();
    const summaries = new RawModel(() => {
      abort.abort();
      return says('S');
    });
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    const sent = await manager.contents(history, {config: {}, signal: abort.signal});
    expect(summaries.signals[0]?.aborted).toBe(true);
    expect(manager.folds()).toEqual([]);
    expect(wordsOf(sent)).not.toContain('Summary of');
  });

  it('a call in the summary is not executed and not put into the session', async () => {
    const executed: string[] = [];
    const tool = (name: string): FunctionTool =>
      new FunctionTool({name, description: 'Tool.', execute: () => executed.push(name)});
    const path = databasePath();
    const rig = new AgentRig({
      path,
      agent: () =>
        new LlmAgent({name: 'agent', tools: [tool('done'), tool('run')], model: new ScriptedModel([model('hello')])}),
      compaction: {policy, fold: {summarizer: new RawModel(says({functionCall: {name: 'done', args: {}}}))}},
    });
    await rig.appendContents(chat(12, 700));
    await rig.turn('go on');
    expect(rig.kinds()).toEqual(['failed-fold', 'drop']);
    expect(executed).toEqual([]);
    expect(storedEvents(path).filter((event) => event.includes('functionCall'))).toEqual([]);
  });
});
