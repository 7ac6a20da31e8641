import {join} from 'node:path';
import {ApiError, type Content, type FinishReason, type Part} from '@google/genai';
import {describe, expect, it} from 'vitest';
import type {FailedFoldRecord} from '../../src/index.ts';
import {model, ScriptedModel} from '../../src/testing.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {textOf} from './fold-rig.ts';
import {AgentProcess, ResponseModel, SESSION} from './fold-runner.ts';

type Expected = Pick<FailedFoldRecord, 'errorClass' | 'attempts'> & Partial<FailedFoldRecord>;

const usageMetadata = {promptTokenCount: 100, candidatesTokenCount: 5, totalTokenCount: 105};
const twice = {promptTokenCount: 200, candidatesTokenCount: 10, totalTokenCount: 210};
const content = (...parts: Part[]): Content => ({role: 'model', parts});
const secret = 'words of the conversation';

const FAILURES: [string, ResponseModel, Expected][] = [
  [
    'throws',
    new ResponseModel(() => Promise.reject(new Error(secret))),
    {errorClass: 'error', reason: 'threw', attempts: 1},
  ],
  [
    'rejects with 429',
    new ResponseModel(() => Promise.reject(new ApiError({message: secret, status: 429}))),
    {errorClass: 'error', reason: 'HTTP 429', attempts: 1},
  ],
  [
    'hangs past the timeout, deaf to its signal',
    new ResponseModel(() => new Promise<never>(() => undefined)),
    {errorClass: 'error', reason: 'timeout', attempts: 1},
  ],
  ['ends without a response', new ResponseModel([]), {errorClass: 'no-text', attempts: 2}],
  [
    'answers thoughts only',
    new ResponseModel([{content: content({text: secret, thought: true}), usageMetadata}]),
    {errorClass: 'no-text', attempts: 2, outputTypes: ['thought'], usage: twice},
  ],
  [
    'answers white space',
    new ResponseModel([{content: content({text: '  \n'})}]),
    {errorClass: 'no-text', attempts: 2},
  ],
  [
    'answers a function call only',
    new ResponseModel([{content: content({functionCall: {name: 'read', args: {secret}}})}]),
    {errorClass: 'no-text', attempts: 2, outputTypes: ['functionCall']},
  ],
  [
    'answers a cut text',
    new ResponseModel([{content: content({text: secret}), finishReason: 'MAX_TOKENS' as FinishReason, usageMetadata}]),
    {errorClass: 'incomplete', reason: 'MAX_TOKENS', attempts: 2, usage: twice},
  ],
  [
    'is blocked for safety',
    new ResponseModel([{errorCode: 'SAFETY', errorMessage: secret, finishReason: 'SAFETY' as FinishReason}]),
    {errorClass: 'incomplete', reason: 'SAFETY', attempts: 2},
  ],
  [
    'has its prompt blocked',
    new ResponseModel([{errorCode: 'PROHIBITED_CONTENT', errorMessage: secret}]),
    {errorClass: 'error', reason: 'PROHIBITED_CONTENT', attempts: 1},
  ],
  [
    'answers a text as large as its input',
    new ResponseModel([{content: content({text: `${secret} `.repeat(400)})}]),
    {errorClass: 'too-large', attempts: 2},
  ],
  [
    'streams partial chunks, then ends',
    new ResponseModel([
      {content: content({text: secret}), partial: true},
      {content: content({text: secret}), partial: true},
    ]),
    {errorClass: 'incomplete', reason: 'STREAM_ENDED', attempts: 2},
  ],
  [
    'reports usage without text',
    new ResponseModel([{usageMetadata, finishReason: 'STOP' as FinishReason}]),
    {errorClass: 'no-text', attempts: 2, usage: twice},
  ],
];

describe('a summariser that', () => {
  it.each(FAILURES)(
    '%s: no failed turn, one record, backed off, the same after a restart',
    async (_, writer, expected) => {
      const path = join(temporaryFolder(), 'agent.db');
      const agent = new ScriptedModel((_request, call) => model(`answer ${call} ${'a'.repeat(180)}`));
      // Pinned questions keep turns from being dropped, so every turn from the first failure on is over the trigger.
      const fold = {
        summarizer: writer.asLlm(),
        pin: (item: {role?: string}) => item.role === 'user',
        ...(expected.reason === 'timeout' && {timeoutMs: 1}),
      };
      let process = new AgentProcess(path, {agent, fold});
      let turns = 0;
      const turn = async (): Promise<void> => {
        await process.turn(`question ${turns} ${'q'.repeat(180)}`);
        turns += 1;
      };
      const failures = (): Promise<FailedFoldRecord[]> => process.store.compaction.failedFolds(SESSION);

      while ((await failures()).length === 0) {
        await turn();
      }
      const [failure] = await failures();
      expect(failure).toMatchObject({
        kind: 'failed-fold',
        ...expected,
        prefixHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(process.records).toEqual([failure]);
      expect(JSON.stringify([failure, process.warnings])).not.toContain(secret);
      expect(process.warnings.map(({code}) => code)).toEqual(['compaction.fold.failed', 'compaction.budget.exhausted']);
      expect(writer.calls).toBe(expected.attempts);
      await process.end();

      process = new AgentProcess(path, {agent, fold});
      await turn();
      expect(writer.calls).toBe(expected.attempts);
      expect(process.records).toEqual([]);
      expect(process.warnings.map(({code}) => code)).toContain('compaction.fold.backoff');
      const {scopes} = await process.plugin.manager.status(SESSION);
      const {errorClass, reason} = expected;
      expect(scopes[0]?.backOff).toEqual({
        since: failure?.time,
        reason: reason === undefined ? errorClass : `${errorClass}: ${reason}`,
      });

      while ((await failures()).length === 1) {
        await turn();
      }
      expect(await failures()).toHaveLength(2);
      expect(writer.calls).toBe(2 * expected.attempts);
      expect(process.records).toEqual((await failures()).slice(1));
      expect(agent.requests).toHaveLength(turns);
      expect(
        (await process.events()).map(({content: said}) => textOf(said)).filter((text) => text.startsWith('question')),
      ).toHaveLength(turns);
      await process.end();
    },
  );

  it('answers partial chunks and then the whole, or a thought and a text: the text is the summary, once', async () => {
    for (const responses of [
      [
        {content: content({text: 'Good '}), partial: true},
        {content: content({text: 'Good sum'}), partial: false},
      ],
      [{content: content({text: 'Let me think', thought: true}, {text: 'Good sum'})}],
    ]) {
      const agent = new ScriptedModel((_request, call) => model(`answer ${call} ${'a'.repeat(180)}`));
      const process = new AgentProcess(':memory:', {agent, fold: {summarizer: new ResponseModel(responses).asLlm()}});
      for (let turn = 0; turn < 10; turn += 1) {
        await process.turn(`question ${turn} ${'q'.repeat(180)}`);
      }
      expect(process.records).toMatchObject([
        {kind: 'fold', summary: 'Summary of the conversation so far:\n\nGood sum', attempts: 1},
      ]);
      await process.end();
    }
  });
});
