import {Gemini, setLogger} from '@google/adk';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {type GeminiRequest, type GeminiServer, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {Script} from '../../src/testing/script.ts';
import {ScriptedModel} from '../../src/testing/scripted-model.ts';
import {contents, rig, textOf} from './notation.ts';

setLogger(null);

let server: GeminiServer | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
});

async function gemini(script: Script<GeminiRequest>): Promise<Gemini> {
  server = await startGeminiServer({script});
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  return new Gemini({model: 'gemini-2.5-flash', apiKey: 'none'});
}

describe("ADK's own models", () => {
  it('Gemini writes the summary over HTTP, and what it adds to its request is not in the report', async () => {
    const summarizer = await gemini([{role: 'model', parts: [{text: 'Hm.', thought: true}, {text: 'Good.'}]}]);
    const {fold, reports} = rig(99, 2, {summarizer});
    const [summary] = await fold.transform(contents('u20 c10#a r10#a u20 a20 u20 u20'), {
      signal: new AbortController().signal,
    });
    expect(textOf(summary)).toBe('SUM:Good.');
    expect(server?.requests).toMatchObject([{model: 'gemini-2.5-flash', faults: [], streamed: false}]);
    expect(Object.keys(JSON.parse(server?.requests[0]?.text ?? '')).toSorted()).toEqual([
      'contents',
      'generationConfig',
    ]);
    expect(reports[0]?.request).toMatchObject({model: 'gemini-2.5-flash', config: {maxOutputTokens: 49}});
    expect(reports[0]?.request?.config).not.toHaveProperty('abortSignal');
    expect(reports[0]?.outputTypes).toEqual(['thought', 'text']);
  });

  it.each([
    ['a safety stop', {kind: 'answer', parts: [], finishReason: 'SAFETY'}, 'incomplete'],
    ['thoughts up to the cap', {kind: 'answer', parts: [], finishReason: 'MAX_TOKENS'}, 'incomplete'],
    ['an empty answer', {kind: 'answer', parts: []}, 'no-text'],
    ['a blocked prompt', {kind: 'blocked', reason: 'PROHIBITED_CONTENT'}, 'error'],
    ['429', {kind: 'error', status: 429}, 'error'],
  ] as const)('%s leaves the list as it is', async (_, reply, code) => {
    const summarizer = await gemini(() => reply);
    const {fold, reports} = rig(99, 2, {summarizer, onError: 'continue'});
    const list = contents('u20 u20 u20 u20 u20');
    expect(await fold.transform(list)).toBe(list);
    expect(reports.map((report) => report.error?.code)).toEqual([code]);
  });

  it('any BaseLlm will do', async () => {
    const summarizer = new ScriptedModel([{role: 'model', parts: [{text: 'Good.'}]}]);
    const {fold, reports} = rig(99, 2, {summarizer});
    expect(textOf((await fold.transform(contents('u20 u20 u20 u20 u20')))[0])).toBe('SUM:Good.');
    expect(reports[0]?.request?.model).toBe('scripted-model');
    expect(reports[0]?.usage?.promptTokenCount).toBeGreaterThan(0);
  });
});
