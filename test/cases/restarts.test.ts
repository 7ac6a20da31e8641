import {resolve} from 'node:path';
import {BasePlugin, type Event, FunctionTool, LlmAgent} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {
  AgentRig,
  copyOfDatabase,
  databasePath,
  onDatabase,
  type RigOptions,
  storedEvents,
} from '../support/agent-rig.ts';
import {chat, policyOf, prose, RawModel, says, summarizer, textOf, tokensOf, wordsOf} from '../support/case-kit.ts';
import {KEY} from '../support/manager-harness.ts';
import {buildProgram, WorkerProcess} from '../support/worker-process.ts';

const policy = policyOf(4_000, 0.8, 0.5, 4);

describe('the fold is not recognised after a restart (case 15)', () => {
  const reading = new FunctionTool({
    name: 'read',
    description: 'Reads a file.',
    execute: () => ({when: new Date(0), text: `tok_123 ${prose(3_000)}`, nothing: undefined}),
  });
  const readingAgent = (): LlmAgent =>
    new LlmAgent({
      name: 'agent',
      tools: [reading],
      model: new ScriptedModel(({contents}) => {
        const isAnswered = contents.at(-1)?.parts?.[0]?.functionResponse !== undefined;
        const args = {zebra: 1, when: new Date(0), apple: undefined};
        return isAnswered || !textOf(contents.at(-1)).includes('read')
          ? {kind: 'answer', parts: [{text: `ok ${prose(500)}`, thoughtSignature: undefined as never}]}
          : model([{functionCall: {id: undefined as never, name: 'read', args}, thoughtSignature: 'c2ln'}]);
      }),
    });

  class Redacting extends BasePlugin {
    constructor() {
      super('redacting');
    }

    override async onEventCallback({event}: {event: Event}): Promise<Event | undefined> {
      const text = JSON.stringify(event.content);
      return text?.includes('tok_123') ? {...event, content: JSON.parse(text.replaceAll('tok_123', '***'))} : undefined;
    }
  }

  it.each<[string, Partial<RigOptions>]>([
    ['in full', {}],
    ['redacted by a plugin', {plugins: [new Redacting()]}],
    [
      'redacted by the store',
      {store: {redact: (event) => JSON.parse(JSON.stringify(event).replaceAll('tok_123', '***'))}},
    ],
  ])('events stored %s: the request after a restart is the one without', async (_, changes) => {
    const summaries = summarizer('S');
    const rig = new AgentRig({
      path: databasePath(),
      agent: readingAgent,
      compaction: {policy, fold: {summarizer: summaries}},
      ...changes,
    });
    for (let turn = 1; turn <= 12; turn += 1) {
      await rig.turn(`turn ${turn}${turn % 4 === 2 ? ' read' : ''} ${prose(500)}`);
    }
    expect(new Set(rig.kinds())).toEqual(new Set(['elision', 'fold']));
    const splits = rig.records.map((record) => (record.kind === 'fold' ? record.split : 0));
    const elided = rig.records.flatMap((record) => (record.kind === 'elision' ? record.covers : []));
    expect(Math.max(...splits.map((split) => split ?? 0))).toBeGreaterThan(elided[0]?.index ?? 0);
    const asked = summaries.requests.length;
    const copy = copyOfDatabase(rig.path);
    await rig.turn('turn 13');
    const next = rig.restart({path: copy});
    await next.turn('turn 13');
    expect(JSON.stringify(next.lastSent)).toBe(JSON.stringify(rig.lastSent));
    expect(textOf(next.lastSent[0])).toContain('S');
    expect(summaries.requests).toHaveLength(asked);
    expect(next.records).toEqual([]);
  });

  it('a prefix that does not match is folded again once, and that is said', async () => {
    const summaries = summarizer('S1', 'S2');
    const rig = new AgentRig({
      path: databasePath(),
      agent: readingAgent,
      compaction: {policy, fold: {summarizer: summaries}},
    });
    await rig.appendContents(chat(7, 1_000));
    await rig.turn('first');
    expect(textOf(rig.lastSent[0])).toContain('S1');
    onDatabase(rig.path, "UPDATE events SET body_json = replace(body_json, 'question-2.', 'question-two.')");
    const next = rig.restart();
    await next.turn('second');
    await next.turn('third');
    expect(next.kinds()).toEqual(['fold']);
    expect(textOf(next.lastSent[0])).toContain('S2');
    expect(next.lastSent.length).toBeLessThan(10);
  });
});

describe('dropped turns come back (case 16)', () => {
  const turn = (number: number): Content[] => [
    user(`question-${number}. ${prose(800)}`),
    model(`answer-${number}. ${prose(800)}`),
  ];

  it('a killed process loses no drop, and a fold made later brings no dropped turn back', async () => {
    const path = databasePath();
    const summaries = new RawModel(new Error('503'));
    const options: RigOptions = {
      path,
      agent: () => new LlmAgent({name: 'agent', model: new ScriptedModel(() => model(`answer. ${prose(800)}`))}),
      compaction: {policy, fold: {summarizer: summaries}},
    };
    const history = Array.from({length: 29}, (_, at) => turn(at + 1)).flat();
    await new AgentRig(options).appendContents(history);

    const program = await buildProgram(resolve(import.meta.dirname, 'killed-turn.ts'));
    const worker = new WorkerProcess(program, [path, JSON.stringify(policy), `question-30. ${prose(800)}`]);
    await worker.saysTotal(1);
    worker.child.kill('SIGKILL');
    expect(await worker.ended()).toBe('SIGKILL');
    program.remove();
    const request30 = worker.said[0] as Content[];
    expect(request30.length).toBeLessThan(59);
    const texts = (contents: readonly Content[]): string[] => contents.map(textOf);

    let rig = new AgentRig(options);
    await rig.turn(`question-31. ${prose(800)}`);
    const request31 = rig.lastSent;
    expect(rig.records).toEqual([]);
    const place = (text: string | undefined): number => texts(history).indexOf(text ?? '');
    expect(place(texts(request31)[2])).toBeGreaterThanOrEqual(place(texts(request30)[2]));
    expect(place(texts(request30)[2])).toBeGreaterThan(2);
    const dropped = texts(history).filter((text) => !texts(request30).includes(text));
    expect(dropped.length).toBeGreaterThan(0);
    expect(texts(request31).filter((text) => dropped.includes(text))).toEqual([]);
    expect(tokensOf({contents: request31, toolsDict: {}, liveConnectConfig: {}})).toBeLessThanOrEqual(4_000);

    for (let number = 32; number <= 40; number += 1) {
      summaries.answers = number < 36 ? summaries.answers : [says('S')];
      const before = rig.lastSent;
      rig = number === 35 ? rig.restart() : rig;
      await rig.turn(`question-${number}. ${prose(800)}`);
      if (number === 35) {
        expect(rig.lastSent.length).toBeLessThanOrEqual(before.length + 2);
      }
    }
    const [fold] = (await rig.store.compaction.records(KEY)).filter((record) => record.kind === 'fold').slice(-1);
    expect(textOf(rig.lastSent[0])).toContain('S');
    const covered = (rig.calls.at(-1)?.before.contents ?? []).slice(0, fold?.split).map(textOf);
    const next = rig.restart();
    await next.turn('question-41');
    expect(textOf(next.lastSent[0])).toBe('Summary of the conversation so far:\n\nS');
    const sent = texts(next.lastSent);
    expect(
      sent.filter((text) => dropped.includes(text) || (covered.includes(text) && text.startsWith('question'))),
    ).toEqual([]);
    expect(next.lastSent.slice(0, rig.lastSent.length)).toEqual(rig.lastSent);
    expect(next.records).toEqual([]);
  });
});

describe('history changed under the fold (case 17)', () => {
  const history = chat(20, 300).map((content, at) => (at === 9 ? model(`removed-word ${prose(300)}`) : content));
  const withTool = [
    ...history.slice(0, 12),
    call('read', {}, 'c1'),
    answer('read', {t: prose(3_000)}, 'c1'),
    ...history.slice(14),
  ];

  async function compacted(): Promise<{rig: AgentRig; summaries: RawModel; path: string}> {
    const path = databasePath();
    const summaries = new RawModel(new Error('503'), says('plan-30'));
    const rig = new AgentRig({
      path,
      agent: () => new LlmAgent({name: 'agent', model: new ScriptedModel(() => model('ok'))}),
      compaction: {policy: {...policyOf(4_000, 0.8, 0.5, 10), calibration: true}, fold: {summarizer: summaries}},
    });
    await rig.appendContents(withTool);
    rig.plugin.manager.compactNow(KEY);
    await rig.turn('go on');
    rig.plugin.manager.compactNow(KEY);
    await rig.turn('go on');
    expect(new Set(rig.kinds())).toEqual(new Set(['elision', 'failed-fold', 'drop', 'fold']));
    expect(wordsOf(rig.lastSent)).toContain('plan-30');
    summaries.answers = [says('another plan')];
    return {rig, summaries, path};
  }

  describe.each([
    ['in the same process', false],
    ['after a restart', true],
  ])('%s', (_, restarts) => {
    it('a) nothing is said of what was rewound', async () => {
      const {rig, summaries, path} = await compacted();
      onDatabase(path, 'DELETE FROM events WHERE id > (SELECT min(id) + 19 FROM events)');
      const next = restarts ? rig.restart() : rig;
      await next.turn(`again ${prose(6_000)}`);
      expect(wordsOf(next.lastSent)).not.toMatch(/plan-30|question-1[1-9]|answer-1[1-9]/);
      for (const request of summaries.requests.slice(2)) {
        expect(wordsOf(request.contents)).not.toMatch(/plan-30|question-1[1-9]|answer-1[1-9]/);
      }
    });

    it('b) nothing is said of what was replaced', async () => {
      const {rig, summaries, path} = await compacted();
      const session = await rig.store.sessions.getOrCreateSession(KEY);
      const event = session.events[9] as Event;
      await rig.store.sessions.appendEvent({session, event: {...event, content: model(`new-word ${prose(300)}`)}});
      expect(storedEvents(path)).toHaveLength(44);
      const next = restarts ? rig.restart() : rig;
      await next.turn(`again ${prose(6_000)}`);
      expect(wordsOf(next.lastSent)).not.toMatch(/plan-30|removed-word/);
      for (const request of summaries.requests.slice(2)) {
        expect(wordsOf(request.contents)).not.toMatch(/plan-30|removed-word/);
      }
    });

    it('c) nothing of a deleted session is used for the next one with its ids', async () => {
      const {rig, summaries, path} = await compacted();
      await rig.store.sessions.deleteSession(KEY);
      const tables = onDatabase<{name: string}>(path, "SELECT name FROM sqlite_schema WHERE type = 'table'");
      const counts = tables
        .filter(({name}) => !/^(sqlite_|__|drizzle|compaction_deletions)/.test(name))
        .map(({name}) => [name, onDatabase<{n: number}>(path, `SELECT count(*) AS n FROM "${name}"`)[0]?.n]);
      expect(counts.filter(([, count]) => count !== 0)).toEqual([]);
      expect(counts.length).toBeGreaterThanOrEqual(8);

      const next = restarts ? rig.restart() : rig;
      await next.store.sessions.createSession(KEY);
      expect(
        (await next.plugin.manager.status(KEY)).scopes.filter(
          ({folds, elisions, drops, backOff}) => folds + elisions + drops > 0 || backOff,
        ),
      ).toEqual([]);
      const asked = summaries.requests.length;
      await next.appendContents(withTool);
      await next.turn(prose(6_000));
      expect(wordsOf(next.lastSent)).not.toContain('plan-30');
      expect(summaries.requests.length).toBeGreaterThan(asked);
      const {estimate, expected} = (await next.store.compaction.calibrations(KEY))[0] ?? {};
      expect(expected).toBe(estimate);
    });
  });
});
