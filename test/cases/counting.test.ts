import {FunctionTool, LlmAgent, type LlmRequest, type LlmResponse, StreamingMode} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {estimateContents, MemoryCompactionStore} from '../../src/index.ts';
import {call, model, ScriptedModel, user} from '../../src/testing.ts';
import {AgentRig, databasePath} from '../support/agent-rig.ts';
import {CaseManager, partsOf, policyOf, prose, tokensOf, wordsOf} from '../support/case-kit.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';

describe('pictures counted as text (case 11)', () => {
  const policy = policyOf(32_000, 0.8, 0.5, 4);
  const png = (length: number): Part => ({inlineData: {mimeType: 'image/png', data: 'A'.repeat(length)}});

  it('a) a picture in a new session reaches the model unchanged, and its bytes are not its tokens', async () => {
    const asks = (length: number): Content[] => [user([{text: 'what is this?'}, png(length)])];
    const manager = new CaseManager({...policy, calibration: true});
    const {request} = await manager.call(asks(4_000_000), {reported: 1_300});
    expect(request.contents).toEqual(asks(4_000_000));
    expect([manager.records, manager.warnings]).toEqual([[], []]);

    await manager.call([...asks(4_000_000), model('a cat'), user(prose(4_000))]);
    const {estimate = 0, expected = 0} = (await manager.manager.status(KEY)).scopes[0] ?? {};
    expect(expected / estimate).toBeGreaterThan(0.7);
    expect(expected / estimate).toBeLessThan(1.4);
    expect(estimateContents(asks(4_000_000))).toBe(estimateContents(asks(2_000_000)));
    expect(estimateContents(asks(4_000_000))).toBeGreaterThan(estimateContents([user('what is this?')]) + 200);
  });

  it.each(['bytes', 'features'] as const)(
    'b) 45 old pictures are over the line, and eliding takes them out (%s)',
    async (estimator) => {
      const shot = (): Content =>
        user([{functionResponse: {name: 'shot', response: {ok: true}, parts: [png(200_000)]}}]);
      const history = [
        user('look'),
        ...Array.from({length: 45}, () => [call('shot'), shot()]).flat(),
        model('ok'),
        user('so?'),
      ];
      const manager = new CaseManager({...policy, estimator});
      const before = estimateContents(history);
      const sent = await manager.contents(history);
      expect(manager.kinds()).toEqual(['elision']);
      const elided = 45 - partsOf(sent, 'functionResponse').filter((part) => part.functionResponse?.parts).length;
      expect(elided).toBeGreaterThan(0);
      expect(wordsOf(sent).length).toBeLessThan(wordsOf(history).length - elided * 200_000);
      expect(estimateContents(sent)).toBeLessThan(before - elided * 200);
      expect(
        partsOf(sent, 'functionResponse').every((part) => typeof part.functionResponse?.response === 'object'),
      ).toBe(true);
    },
  );

  it('c) a file by its address counts as a small constant', () => {
    const file = (name: string): Content[] => [
      user([{fileData: {fileUri: `gs://b/${name}.pdf`, mimeType: 'application/pdf'}}]),
    ];
    expect(estimateContents(file('x'))).toBeGreaterThan(100);
    expect(estimateContents(file('x'))).toBeLessThan(1_000);
    expect(estimateContents(file('x'))).toBe(estimateContents(file('y')));
  });
});

describe('one streamed answer, several usage reports (case 12)', () => {
  const usage = (promptTokenCount: number | undefined, more: object = {}): LlmResponse['usageMetadata'] => ({
    ...(promptTokenCount === undefined ? {} : {promptTokenCount}),
    ...more,
  });
  const streams: [string, (LlmResponse | undefined)[]][] = [
    [
      'as ADK streams a text and a call',
      [
        {partial: true, content: model('look'), usageMetadata: usage(100)},
        {partial: false, content: model('looking'), usageMetadata: usage(100)},
        {partial: false, content: call('look'), usageMetadata: usage(100)},
        {partial: false, usageMetadata: usage(100)},
      ] as LlmResponse[],
    ],
    [
      'b) none in the first chunks',
      [{usageMetadata: usage(0)}, {usageMetadata: usage(undefined)}, {usageMetadata: usage(100)}] as LlmResponse[],
    ],
    [
      'c) cached and thought tokens beside it',
      [
        {usageMetadata: usage(100, {cachedContentTokenCount: 80, thoughtsTokenCount: 40, totalTokenCount: 160})},
      ] as LlmResponse[],
    ],
  ];

  it.each(streams)('%s: one sample, of 100', async (_, responses) => {
    const store = new MemoryCompactionStore();
    const manager = new ManagerHarness({calibration: true}, {store});
    const {context} = await manager.call([user('hi')]);
    for (const response of responses) {
      await manager.respond(context, response ?? {});
    }
    expect((await store.calibrations(KEY)).map((sample) => sample.reported)).toEqual([100]);
  });

  it('a streamed run learns what the same run learns without streaming', async () => {
    const run = async (streamingMode: StreamingMode): Promise<[number, unknown]> => {
      const look = new FunctionTool({name: 'look', description: 'Looks.', execute: () => ({seen: prose(500)})});
      const script = Array.from({length: 6}, (_, step) =>
        step % 2 === 0
          ? model([{text: 'let me look'}, {functionCall: {name: 'look', args: {step}}}])
          : model('it is there'),
      );
      // ADK stores a streamed text and the call after it apart: the requests differ, the rate does not. Labels come last.
      const countTokens = ({config: {labels: _, ...config} = {}, ...request}: LlmRequest): number =>
        2 * tokensOf({...request, config});
      const rig = new AgentRig({
        path: databasePath(),
        agent: () => new LlmAgent({name: 'agent', model: new ScriptedModel(script, {countTokens}), tools: [look]}),
        compaction: {policy: {...policyOf(100_000, 0.8, 0.5, 4), calibration: true}},
      });
      for (const question of ['where?', 'really?', 'sure?']) {
        await rig.turn(question, {streamingMode});
      }
      const samples = await rig.store.compaction.calibrations(KEY);
      const snapshot = await rig.store.compaction.load(KEY, {agentName: 'agent'});
      return [samples.length, snapshot?.calibrations];
    };
    const streamed = await run(StreamingMode.SSE);
    expect(streamed).toEqual([6, [expect.objectContaining({estimator: 'bytes'})]]);
    expect(streamed).toEqual(await run(StreamingMode.NONE));
  });
});
