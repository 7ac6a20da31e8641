import {ApiError, type Content, type GenerateContentResponse, GoogleGenAI} from '@google/genai';
import {afterEach, describe, expect, it} from 'vitest';
import {answer, call, model, together, user} from '../../src/testing/build-request.ts';
import {byteTokenCounter} from '../../src/testing/count-tokens.ts';
import {type GeminiServer, type GeminiServerOptions, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';

const MODEL = 'gemini-2.5-flash';
let server: GeminiServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function connect(options: GeminiServerOptions): Promise<GoogleGenAI> {
  await server?.close();
  server = await startGeminiServer(options);
  return new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: server.url}});
}

async function generate(reply: ScriptedReply): Promise<GenerateContentResponse> {
  const client = await connect({script: [reply]});
  return client.models.generateContent({model: MODEL, contents: [user('hi')]});
}

async function stream(reply: ScriptedReply): Promise<GenerateContentResponse[]> {
  const client = await connect({script: [reply]});
  return collect(await client.models.generateContentStream({model: MODEL, contents: [user('hi')]}));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
  }
  return collected;
}

async function apiError(contents: Content[], options: Partial<GeminiServerOptions> = {}): Promise<ApiError> {
  const client = await connect({script: [], ...options});
  const error: unknown = await client.models.generateContent({model: MODEL, contents}).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('a whole answer', () => {
  it('reaches the real client with text, finish reason and usage', async () => {
    const response = await generate(model('Hello.'));
    expect(response.text).toBe('Hello.');
    expect(response.candidates?.[0]?.finishReason).toBe('STOP');
    const promptTokenCount = Math.ceil(Buffer.byteLength('[[{"role":"user","parts":[{"text":"hi"}]}],null,null]') / 4);
    expect(response.usageMetadata).toEqual({
      promptTokenCount,
      candidatesTokenCount: 5,
      totalTokenCount: promptTokenCount + 5,
    });
  });

  it('carries function calls with their signatures', async () => {
    const response = await generate(
      model([{functionCall: {name: 'read', args: {path: 'a'}}, thoughtSignature: 'c2ln'}]),
    );
    expect(response.candidates?.[0]?.content).toEqual(
      model([{functionCall: {name: 'read', args: {path: 'a'}}, thoughtSignature: 'c2ln'}]),
    );
  });

  it('is chosen by the request and the number of the call', async () => {
    const client = await connect({
      script: ({contents}, callIndex) => model(`${callIndex}: ${contents.length} contents`),
    });
    const ask = async (contents: Content[]): Promise<string | undefined> =>
      (await client.models.generateContent({model: MODEL, contents})).text;
    expect(await ask([user('a')])).toBe('0: 1 contents');
    expect(await ask([user('a'), model('b'), user('c')])).toBe('1: 3 contents');
  });
});

describe('a streamed answer', () => {
  it('comes in pieces that join to the text, with the finish reason last and usage on each', async () => {
    const responses = await stream(model('Grüße 🎉 an alle'));
    expect(responses.map((response) => response.text).join('')).toBe('Grüße 🎉 an alle');
    expect(responses.length).toBeGreaterThan(2);
    expect(responses.map((response) => response.candidates?.[0]?.finishReason)).toEqual([undefined, undefined, 'STOP']);
    expect(new Set(responses.map((response) => response.usageMetadata?.promptTokenCount)).size).toBe(1);
  });

  it('is never cut inside an emoji', async () => {
    const pieces = (await stream(model('🎉🎉🎉'))).map((response) => response.text ?? '');
    expect(pieces.filter((piece) => !piece.isWellFormed())).toEqual([]);
    expect(pieces.join('')).toBe('🎉🎉🎉');
  });

  it('keeps parallel calls in one chunk, after the text', async () => {
    const responses = await stream(together(model([{text: 'I'}]), call('read', {path: 'a'}), call('search')));
    expect(
      responses.map((response) => response.candidates?.[0]?.content?.parts?.map((part) => Object.keys(part)[0])),
    ).toEqual([['text'], ['functionCall', 'functionCall'], ['text']]);
  });
});

describe('a request the API would refuse', () => {
  it('fails with status 400 and names the fault', async () => {
    const error = await apiError([user('hi'), call('read')]);
    expect(error.status).toBe(400);
    expect(JSON.parse(error.message)).toEqual({
      error: {
        code: 400,
        message: 'contents[1] calls read but 0 of 1 answers follow at contents[2].',
        status: 'INVALID_ARGUMENT',
      },
    });
    expect(server?.requests[0]?.faults).toHaveLength(1);
  });

  it('fails on a stream the same way', async () => {
    const client = await connect({script: []});
    await expect(client.models.generateContentStream({model: MODEL, contents: [answer('read')]})).rejects.toMatchObject(
      {
        status: 400,
      },
    );
  });

  it('fails over the window with the sentence of the API', async () => {
    const error = await apiError([user('x'.repeat(1000))], {contextTokens: 100, countTokens: byteTokenCounter(2)});
    expect(JSON.parse(error.message).error.message).toBe(
      'The input token count (526) exceeds the maximum number of tokens allowed (100).',
    );
  });

  it('does not use up the script', async () => {
    const client = await connect({script: [model('first')]});
    await client.models.generateContent({model: MODEL, contents: [model('hi')]}).catch(() => undefined);
    const response = await client.models.generateContent({model: MODEL, contents: [user('hi')]});
    expect(response.text).toBe('first');
  });
});

describe('a scripted failure', () => {
  it.each([
    [429, 'RESOURCE_EXHAUSTED'],
    [503, 'UNAVAILABLE'],
    [500, 'INTERNAL'],
  ])('status %i is %s', async (status, name) => {
    await expect(generate({kind: 'error', status})).rejects.toMatchObject({
      status,
      message: JSON.stringify({
        error: {code: status, message: `Scripted failure with status ${status}.`, status: name},
      }),
    });
  });

  it('a script that is used up is a 500 that says so', async () => {
    const client = await connect({script: []});
    await expect(client.models.generateContent({model: MODEL, contents: [user('hi')]})).rejects.toThrow(
      'The script has no reply to call 0',
    );
  });

  it('a hanging call ends when the caller aborts', async () => {
    const client = await connect({script: [{kind: 'hang'}]});
    const controller = new AbortController();
    const pending = client.models.generateContent({
      model: MODEL,
      contents: [user('hi')],
      config: {abortSignal: controller.signal},
    });
    controller.abort();
    await expect(pending).rejects.toThrow('abort');
  });

  it('a hanging call ends when the server closes', async () => {
    const hanging: GeminiServer = await startGeminiServer({
      script: () => {
        setImmediate(() => hanging.close());
        return {kind: 'hang'};
      },
    });
    const client = new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: hanging.url}});
    await expect(client.models.generateContent({model: MODEL, contents: [user('hi')]})).rejects.toThrow();
  });

  it('a cut stream breaks after its first half', async () => {
    const client = await connect({script: [{kind: 'cut', parts: [{text: 'half of a sentence'}]}]});
    const seen: (string | undefined)[] = [];
    const reading = (async () => {
      const responses = await client.models.generateContentStream({model: MODEL, contents: [user('hi')]});
      for await (const response of responses) {
        seen.push(response.text);
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(seen).toEqual(['half of a']);
  });

  it('a cut whole answer breaks', async () => {
    await expect(generate({kind: 'cut', parts: [{text: 'half of a sentence'}]})).rejects.toThrow();
  });

  it('a blocked prompt has no candidate and a block reason, whole and streamed', async () => {
    const blocked: ScriptedReply = {kind: 'blocked', reason: 'SAFETY'};
    for (const response of [await generate(blocked), ...(await stream(blocked))]) {
      expect(response.candidates).toBeUndefined();
      expect(response.promptFeedback?.blockReason).toBe('SAFETY');
    }
  });

  it('a safety stop has a candidate without content', async () => {
    const response = await generate({kind: 'answer', parts: [], finishReason: 'SAFETY'});
    expect(response.candidates).toEqual([{finishReason: 'SAFETY', index: 0}]);
  });

  it('a cut-off answer says MAX_TOKENS on its last chunk', async () => {
    const responses = await stream({kind: 'answer', parts: [{text: 'The user wan'}], finishReason: 'MAX_TOKENS'});
    expect(responses.at(-1)?.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
  });

  it('an answer of thoughts only has no text', async () => {
    const response = await generate({kind: 'answer', parts: [{text: 'Hm.', thought: true}]});
    expect(response.text).toBeUndefined();
    expect(response.candidates?.[0]?.content?.parts).toEqual([{text: 'Hm.', thought: true}]);
  });

  it('an answer without usage reports none', async () => {
    const response = await generate({kind: 'answer', parts: [{text: 'Hello.'}], usage: null});
    expect(response.usageMetadata).toBeUndefined();
  });

  it('usage can be given member by member', async () => {
    const response = await generate({kind: 'answer', parts: [{text: 'x'}], usage: {cachedContentTokenCount: 7}});
    expect(response.usageMetadata).toMatchObject({cachedContentTokenCount: 7, promptTokenCount: 14});
  });
});

describe('what was received', () => {
  it('is kept with model, body and count', async () => {
    const client = await connect({script: [model('ok')]});
    await client.models.generateContent({
      model: MODEL,
      contents: [user('hi')],
      config: {systemInstruction: 'Be brief.', temperature: 0},
    });
    const request = server?.requests[0];
    expect(request).toMatchObject({
      model: MODEL,
      streamed: false,
      contents: [user('hi')],
      systemInstruction: {parts: [{text: 'Be brief.'}]},
      generationConfig: {temperature: 0},
      faults: [],
    });
    expect(JSON.parse(request?.text ?? '').contents).toEqual([user('hi')]);
  });

  it.each([
    ['another path', 'GET', '/v1beta/models', undefined, 404],
    ['a body that is not JSON', 'POST', `/v1beta/models/${MODEL}:generateContent`, '{', 400],
    ['a body without contents', 'POST', `/v1beta/models/${MODEL}:generateContent`, '{}', 400],
  ])('%s is refused', async (_, method, path, body, status) => {
    server = await startGeminiServer({script: []});
    const response = await fetch(server.url + path, {method, ...(body !== undefined && {body})});
    expect(response.status).toBe(status);
  });
});
