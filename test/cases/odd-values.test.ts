import {createEvent, FunctionTool, LlmAgent} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {CompactionManager, estimateRequest, FoldTransform, predictTokens, prefixHash} from '../../src/index.ts';
import {UnstorableValueError} from '../../src/sqlite.ts';
import {answer, call, model, requestFaults, ScriptedModel, user} from '../../src/testing.ts';
import {AgentRig, databasePath, storedEvents} from '../support/agent-rig.ts';
import {CaseManager, chat, policyOf, prose, summarizer, textOf} from '../support/case-kit.ts';
import {contextFor, KEY, requestOf} from '../support/manager-harness.ts';

describe('half an emoji, NUL and U+2028 (case 13)', () => {
  const emoji = (length: number): string => 'x'.repeat(length - 1) + '🎉'.repeat(50);
  const lengths = Array.from({length: 60}, (_, offset) => 20 + offset);

  it('every length at which the summary request shortens a text leaves whole characters', async () => {
    const bodies = lengths.flatMap((length) => [call('t', {q: emoji(length)}), answer('t', {a: emoji(length)})]);
    for (const maxBodyChars of [90, 91]) {
      const summaries = summarizer('S');
      const fold = new FoldTransform({summarizer: summaries, maxBodyChars, budget: 1_000, keepLast: 1});
      await fold.transform([user('start'), ...bodies, model('ok'), user('go')]);
      const asked = textOf(summaries.requests[0]?.contents[0]);
      expect(asked).toContain('characters left out');
      expect(asked.isWellFormed()).toBe(true);
      expect(asked).not.toContain('\ufffd');
    }
  });

  it('every length at which words are shortened leaves whole characters', async () => {
    const words = lengths.flatMap((length) => [user(emoji(length)), model(emoji(length + 1))]);
    const asked: string[] = [];
    for (let window = 4_000; window < 4_040; window += 1) {
      const summaries = summarizer('S');
      const fold = new FoldTransform({
        summarizer: summaries,
        budget: 500,
        keepLast: 1,
        summarizerContextTokens: window,
      });
      await fold.transform([...words, user('go')]);
      asked.push(textOf(summaries.requests[0]?.contents[0]));
    }
    expect(asked.every((text) => /^(?!.*\ufffd).*characters left out/su.test(text) && text.isWellFormed())).toBe(true);
    expect(new Set(asked.map((text) => text.length)).size).toBeGreaterThan(10);
  });

  it('every length at which a refused option is quoted leaves whole characters', () => {
    for (const length of lengths.map((one) => one + 20)) {
      const build = (): CompactionManager => new CompactionManager({policy: {contextTokens: emoji(length) as never}});
      expect(build).toThrow('policy.contextTokens');
      expect(build).toThrow(
        expect.objectContaining({message: expect.toSatisfy((text: string) => text.isWellFormed())}),
      );
    }
  });

  it.each([
    ['half an emoji', 'bad \ud83d tail'],
    ['NUL', 'W\u0000s\u0000l\u0000'],
    ['U+2028', 'a\u2028b'],
  ])('%s is stored as it is, and what was decided on it is recognised after a restart', async (_, text) => {
    const path = databasePath();
    const summaries = summarizer('ok \ud83d');
    const tool = new FunctionTool({name: 't', description: 'Tool.', execute: () => ({text, more: prose(2_000)})});
    const agent = (): LlmAgent =>
      new LlmAgent({
        name: 'agent',
        tools: [tool],
        model: new ScriptedModel(({contents}) =>
          contents.at(-1)?.parts?.[0]?.functionResponse ? model(`${text} ${prose(600)}`) : call('t', {text}),
        ),
      });
    const rig = new AgentRig({
      path,
      agent,
      compaction: {policy: policyOf(4_000, 0.8, 0.5, 2), fold: {summarizer: summaries}},
    });
    const events = [];
    for (let turn = 0; turn < 8; turn += 1) {
      events.push(...(await rig.turn(`${text} ${prose(600)}`)));
    }
    expect(new Set(rig.kinds())).toEqual(new Set(['elision', 'fold']));
    const session = await rig.store.sessions.getSession(KEY);
    expect(session?.events.filter((event) => event.author !== 'user')).toEqual(JSON.parse(JSON.stringify(events)));
    const [fold] = (await rig.store.compaction.records(KEY)).filter((record) => record.kind === 'fold');
    expect(fold?.summary?.endsWith('ok \ufffd')).toBe(true);
    for (const record of [...rig.records, ...rig.warnings]) {
      expect(JSON.stringify(record)).not.toMatch(/\\ud83d/);
    }
    const asked = summaries.requests.length;
    const folded = textOf(rig.lastSent[0]);
    const next = rig.restart();
    await next.turn('hi');
    expect(textOf(next.lastSent[0])).toBe(folded);
    expect(summaries.requests).toHaveLength(asked);
  });
});

describe('tool answers that are not JSON (case 14)', () => {
  const odd = (): Record<string, unknown> => ({
    n: 10n,
    when: new Date(0),
    u: undefined,
    nan: Number.NaN,
    inf: Number.NEGATIVE_INFINITY,
    f() {},
    m: new Map([[1, 2]]),
    buf: new Uint8Array(3),
  });
  const cyclic = (): Record<string, unknown> => {
    const response: Record<string, unknown> = {...odd()};
    response.self = response;
    return response;
  };
  const holding = (response: Record<string, unknown>): Content[] => [
    user('go'),
    call('t'),
    answer('t', response),
    user('on'),
  ];

  it.each([
    ['odd values', odd],
    ['a cycle', cyclic],
  ])('%s: estimating never throws and never stops the model call', async (_, response) => {
    const request = requestOf(holding(response()));
    expect(estimateRequest(request).tokens).toBeGreaterThan(0);
    expect(predictTokens(request)).toBeGreaterThan(0);
    const manager = new CaseManager(policyOf(4_000, 0.8, 0.5, 2), {fold: {summarizer: summarizer('S')}});
    const long = [...chat(15, 500), ...holding(response())];
    const live = requestOf([...long]);
    await manager.manager.beforeModel({context: contextFor(), request: live});
    expect(live.contents.at(-1)).toBe(long.at(-1));
    expect(live.contents.length).toBeLessThan(long.length);
    expect(manager.kinds()).toContain('fold');
  });

  it('an event is stored in one form: what is live and what is read back estimate and hash alike', async () => {
    const path = databasePath();
    const rig = new AgentRig({
      path,
      agent: () => new LlmAgent({name: 'agent'}),
      compaction: {policy: policyOf(4_000, 0.8, 0.5, 2)},
    });
    const live = holding(odd());
    await rig.appendContents(live);
    await rig.append({
      author: 'agent',
      actions: createEvent({}).actions && {...createEvent({}).actions, stateDelta: {k: 10n}},
    });
    const read = await rig.restart().store.sessions.getSession(KEY);
    const contents = (read?.events ?? []).flatMap((event) => event.content ?? []);
    expect(contents[2]?.parts?.[0]?.functionResponse?.response).toEqual({
      n: '10',
      when: '1970-01-01T00:00:00.000Z',
      nan: null,
      inf: null,
      m: {},
      buf: 'AAAA',
    });
    expect(read?.state.k).toBe('10');
    expect(estimateRequest(requestOf(contents))).toEqual(estimateRequest(requestOf(live)));
    expect(predictTokens(requestOf(contents))).toBe(predictTokens(requestOf(live)));
    expect(prefixHash(contents)).toBe(prefixHash(live));
  });

  it('b) a cycle is refused with the event named, before anything has changed', async () => {
    const path = databasePath();
    const rig = new AgentRig({
      path,
      agent: () => new LlmAgent({name: 'agent'}),
      compaction: {policy: policyOf(4_000, 0.8, 0.5, 2)},
    });
    await rig.appendContents([user('go')]);
    const session = await rig.store.sessions.getOrCreateSession(KEY);
    const before = [storedEvents(path), structuredClone(session.events), structuredClone(session.state)];
    const event = createEvent({id: 'the-event', author: 'agent', content: answer('t', cyclic())});
    event.actions.stateDelta = {k: 1, 'app:k': 1};
    const refusal = rig.store.sessions.appendEvent({session, event});
    await expect(refusal).rejects.toThrow(UnstorableValueError);
    await expect(refusal).rejects.toThrow('the-event');
    expect([storedEvents(path), session.events, session.state]).toEqual(before);
    const read = await rig.restart().store.sessions.getSession(KEY);
    expect(read?.events).toHaveLength(1);
    expect(read?.state).toEqual({});
  });

  it('b) a tool that answers with a cycle ends its run; the next one goes on from what is stored', async () => {
    const cycling = new FunctionTool({name: 't', description: 'Tool.', execute: cyclic});
    const script = [call('t'), model('hello')];
    const rig = new AgentRig({
      path: databasePath(),
      agent: () => new LlmAgent({name: 'agent', model: new ScriptedModel(script), tools: [cycling]}),
      compaction: {policy: policyOf(4_000, 0.8, 0.5, 2)},
    });
    await expect(rig.turn('go')).rejects.toThrow(UnstorableValueError);
    await rig.turn('and now?');
    expect(rig.lastSent.map(({role}) => role)).toEqual(['user', 'model', 'user', 'user']);
    expect(requestFaults(rig.lastSent)).toEqual([]);
  });
});
