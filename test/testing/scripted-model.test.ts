import {type BaseLlm, Gemini, type LlmRequest, type LlmResponse, LogLevel, setLogLevel} from '@google/adk';
import {describe, expect, it} from 'vitest';
import {call, model, together, user} from '../../src/testing/build-request.ts';
import {startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import {ScriptedModel} from '../../src/testing/scripted-model.ts';

setLogLevel(LogLevel.ERROR);

function requestOf(...contents: LlmRequest['contents']): LlmRequest {
  return {contents, config: {systemInstruction: 'Be brief.'}, toolsDict: {}, liveConnectConfig: {}};
}

async function ask(model: BaseLlm, stream: boolean, baseUrl?: string): Promise<unknown[]> {
  const request = requestOf(user('hi'));
  if (baseUrl) {
    request.config = {...request.config, httpOptions: {baseUrl}};
  }
  const responses: LlmResponse[] = [];
  for await (const response of model.generateContentAsync(request, stream)) {
    responses.push(response);
  }
  return responses.map(comparable);
}

/** What a callback sees of a response, without counts and without the ids that ADK makes up. */
function comparable({content, partial, finishReason, errorCode, usageMetadata}: LlmResponse): unknown {
  const parts = content?.parts?.map((part) =>
    part.functionCall ? {...part, functionCall: {...part.functionCall, id: undefined}} : part,
  );
  return {parts, partial: partial ?? false, finishReason, errorCode, hasUsage: usageMetadata !== undefined};
}

describe.each([
  ['whole', false],
  ['streamed', true],
])('a %s answer is what ADK makes of the same answer over HTTP', (_, stream) => {
  it.each<[string, ScriptedReply]>([
    ['a text', model('Hello there.')],
    ['a call', call('read', {path: 'a'})],
    ['a text and parallel calls', together(model('I look.'), call('read', {path: 'a'}), call('search'))],
    ['a cut-off text', {kind: 'answer', parts: [{text: 'The user wan'}], finishReason: 'MAX_TOKENS'}],
    ['a safety stop', {kind: 'answer', parts: [], finishReason: 'SAFETY'}],
    ['a blocked prompt', {kind: 'blocked', reason: 'PROHIBITED_CONTENT'}],
    ['no usage', {kind: 'answer', parts: [{text: 'Hello.'}], usage: null}],
  ])('%s', async (_, reply) => {
    const server = await startGeminiServer({script: [reply]});
    try {
      const overHttp = await ask(new Gemini({model: 'gemini-2.5-flash', apiKey: 'none'}), stream, server.url);
      expect(await ask(new ScriptedModel([reply]), stream)).toEqual(overHttp);
    } finally {
      await server.close();
    }
  });

  it.each<[string, ScriptedReply]>([
    ['429', {kind: 'error', status: 429}],
    ['503', {kind: 'error', status: 503, message: 'Come back later.'}],
  ])('a failure with status %s', async (_, reply) => {
    const server = await startGeminiServer({script: [reply]});
    try {
      const failure = (asked: Promise<unknown>): Promise<unknown> =>
        asked.then(
          () => undefined,
          ({name, status, message}) => ({name, status, message}),
        );
      const overHttp = await failure(ask(new Gemini({model: 'gemini-2.5-flash', apiKey: 'none'}), stream, server.url));
      expect(overHttp).toMatchObject({name: 'ApiError'});
      expect(await failure(ask(new ScriptedModel([reply]), stream))).toEqual(overHttp);
    } finally {
      await server.close();
    }
  });

  it('breaks in the middle of a cut answer', async () => {
    await expect(ask(new ScriptedModel([{kind: 'cut', parts: [{text: 'half'}]}]), stream)).rejects.toThrow(
      'terminated',
    );
  });
});

it('keeps the requests and counts them for the script', async () => {
  const scripted = new ScriptedModel((request, callIndex) => model(`${callIndex}: ${request.contents.length}`));
  for (const contents of [[user('a')], [user('a'), model('b'), user('c')]]) {
    for await (const response of scripted.generateContentAsync(requestOf(...contents))) {
      expect(response.content).toEqual(model(`${scripted.requests.length - 1}: ${contents.length}`));
    }
  }
  expect(scripted.requests.map(({contents}) => contents.length)).toEqual([1, 3]);
});

it('reports what it was told to count', async () => {
  const scripted = new ScriptedModel([model('ok')], {countTokens: () => 1234});
  for await (const response of scripted.generateContentAsync(requestOf(user('a')))) {
    expect(response.usageMetadata).toMatchObject({promptTokenCount: 1234, totalTokenCount: 1234 + 4});
  }
});

it('hangs until it is aborted', async () => {
  const controller = new AbortController();
  const pending = new ScriptedModel([{kind: 'hang'}])
    .generateContentAsync(requestOf(user('a')), false, controller.signal)
    .next();
  setImmediate(() => controller.abort());
  await expect(pending).rejects.toThrow('aborted');
});
