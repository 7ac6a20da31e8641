import {type Content, GoogleGenAI} from '@google/genai';
import {afterEach, describe, expect, it} from 'vitest';
import type {GeminiRequest} from '../../src/testing/gemini-server.ts';
import {type GeminiServer, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {Script} from '../../src/testing/script.ts';
import {contents, rig, textOf} from './notation.ts';

let server: GeminiServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function client(script: Script<GeminiRequest>): Promise<GoogleGenAI> {
  server = await startGeminiServer({script});
  return new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: server.url}});
}

const text = (words: string): Content => ({role: 'model', parts: [{text: words}]});
const conversation = (): Content[] => contents('u20 c10#a r10#a u20 a20 u20 u20');

describe('a GoogleGenAI client, over HTTP', () => {
  it.each(['text', 'contents'] as const)('writes the summary (%s)', async (material) => {
    const summarizer = await client([text('Good.')]);
    const {fold, reports} = rig(99, 2, {summarizer, model: 'gemini-2.5-flash', material, summaryPrompt: 'Summarise.'});
    const list = conversation();
    const [summary] = await fold.transform(list);
    expect(textOf(summary)).toBe('SUM:Good.');
    const [request] = server?.requests ?? [];
    const body = JSON.parse(request?.text ?? '');
    expect(request).toMatchObject({model: 'gemini-2.5-flash', faults: []});
    expect(Object.keys(body).toSorted()).toEqual(['contents', 'generationConfig']);
    expect(body.generationConfig).toEqual({maxOutputTokens: 49});
    expect(body.contents.at(-1)).toEqual({role: 'user', parts: [{text: 'Summarise.'}]});
    expect(body.contents).toHaveLength(material === 'text' ? 2 : 6);
    expect(reports[0]).toMatchObject({
      attempts: 1,
      usage: {promptTokenCount: request?.promptTokens},
      outputTypes: ['text'],
    });
    expect(reports[0]?.request?.config).toEqual({maxOutputTokens: 49});
  });

  it('429 twice in two calls: each is reported once, the client is not asked again at once', async () => {
    const summarizer = await client(() => ({kind: 'error', status: 429}));
    const {fold, reports} = rig(99, 2, {summarizer, model: 'm'});
    for (const count of [1, 2]) {
      await expect(fold.transform(conversation())).rejects.toMatchObject({code: 'error', reason: 'HTTP 429'});
      expect(reports).toHaveLength(count);
      expect(server?.requests).toHaveLength(count);
    }
  });

  it.each([
    ['a blocked prompt', {kind: 'blocked', reason: 'SAFETY'}, 'error', 'SAFETY', 1],
    ['a safety stop', {kind: 'answer', parts: [], finishReason: 'SAFETY'}, 'incomplete', 'SAFETY', 2],
    ['a cut text', {kind: 'answer', parts: [{text: 'The'}], finishReason: 'MAX_TOKENS'}, 'incomplete', 'MAX_TOKENS', 2],
    ['a broken connection', {kind: 'cut', parts: [{text: 'The user wanted'}]}, 'error', 'threw', 1],
    ['thoughts only', {kind: 'answer', parts: [{text: 'Hm.', thought: true}]}, 'no-text', undefined, 2],
  ] as const)('%s leaves the list as it is', async (_, reply, code, reason, attempts) => {
    const summarizer = await client(() => reply);
    const {fold, reports} = rig(99, 2, {summarizer, model: 'm', onError: 'continue'});
    const list = conversation();
    expect(await fold.transform(list)).toBe(list);
    expect(server?.requests).toHaveLength(attempts);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({attempts, error: {code, reason}});
    expect(await fold.transform(list)).toBe(list);
    expect(server?.requests).toHaveLength(attempts);
  });

  it('an abort reaches the connection', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    const summarizer = await client(() => {
      controller.abort(reason);
      return {kind: 'hang'};
    });
    const {fold, reports} = rig(99, 2, {summarizer, model: 'm'});
    await expect(fold.transform(conversation(), {signal: controller.signal})).rejects.toBe(reason);
    expect(reports[0]?.error?.code).toBe('aborted');
  });

  it('a hanging call ends at the timeout', async () => {
    const summarizer = await client(() => ({kind: 'hang'}));
    const {fold} = rig(99, 2, {summarizer, model: 'm', timeoutMs: 20});
    await expect(fold.transform(conversation())).rejects.toMatchObject({reason: 'timeout'});
  });
});
