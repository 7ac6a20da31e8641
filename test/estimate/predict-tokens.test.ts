import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {predictContent, predictPart} from '../../src/estimate/predict-content.ts';
import {predictEnvelope} from '../../src/estimate/predict-envelope.ts';
import {predictTokens} from '../../src/estimate/predict-tokens.ts';
import {addPredictions, subtractPredictions, sumPredictions, tokensOf} from '../../src/estimate/prediction.ts';
import {predictText} from '../../src/estimate/text-cost.ts';
import {valueCost} from '../../src/estimate/value-cost.ts';

const request = (contents: unknown, config?: unknown, model = 'gemini-3-pro'): LlmRequest =>
  ({model, contents, config, liveConnectConfig: {}, toolsDict: {}}) as unknown as LlmRequest;
const user = (...parts: Part[]): Content => ({role: 'user', parts});
const tokensOfParts = (...parts: Part[]): number => predictTokens(request([user(...parts)]));
const base64 = (count: number): string => 'QUJDRGVmZ2hpSktsbW5v'.repeat(Math.ceil(count / 20)).slice(0, count);

describe('predictTokens', () => {
  it.each([
    ['no contents', request([])],
    ['contents that are no list', request('x')],
    ['an empty text', request([{role: 'user', parts: []}], {systemInstruction: ''})],
    ['null', null as unknown as LlmRequest],
    ['undefined', undefined as unknown as LlmRequest],
  ])('is a small integer for %s', (_, input) => {
    const tokens = predictTokens(input);
    expect(Number.isInteger(tokens) && tokens >= 0 && tokens < 5).toBe(true);
  });

  it('grows with each content and part', () => {
    const text = {text: 'hello there'};
    expect(tokensOfParts(text, text)).toBeGreaterThan(tokensOfParts(text));
    expect(predictTokens(request([user(text), user(text)]))).toBeGreaterThan(tokensOfParts(text, text));
  });

  it.each([
    ['a system instruction', {systemInstruction: 'Answer in one short sentence.'}],
    ['a function declaration', {tools: [{functionDeclarations: [{name: 'read', description: 'Reads a file.'}]}]}],
    ['a response schema', {responseSchema: {type: 'OBJECT', properties: {answer: {type: 'STRING'}}}}],
    ['a JSON response schema', {responseJsonSchema: {type: 'object', properties: {answer: {type: 'string'}}}}],
  ])('counts %s', (_, config) => {
    expect(predictTokens(request([], config))).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ['a string', 'Be brief.'],
    ['a part', {text: 'Be brief.'}],
    ['a list of parts', [{text: 'Be brief.'}]],
    ['a list of strings', ['Be brief.']],
    ['a content', {role: 'user', parts: [{text: 'Be brief.'}]}],
  ])('reads a system instruction that is %s the same', (_, systemInstruction) => {
    expect(predictTokens(request([], {systemInstruction}))).toBe(
      predictTokens(request([], {systemInstruction: 'Be brief.'})),
    );
  });

  it.each([
    ['temperature', {temperature: 0.3}],
    ['labels', {labels: {team: 'a long label that the model never sees'}}],
    ['transport', {httpOptions: {headers: {authorization: 'x'.repeat(500)}}}],
  ])('does not count what the model is not shown: %s', (_, config) => {
    expect(predictTokens(request([], config))).toBe(0);
  });

  it('does not count the id of a call', () => {
    const call = {name: 'read', args: {path: 'a.ts'}};
    expect(tokensOfParts({functionCall: {...call, id: 'call-00000000-1111-2222'}})).toBe(
      tokensOfParts({functionCall: call}),
    );
  });

  it('counts digits, marks and keys of an answer that is an object', () => {
    const rows = Array.from({length: 50}, (_, index) => ({id: 10_000 + index, price: 1249.5}));
    const asText = predictText(JSON.stringify(rows));
    expect(Math.abs(valueCost(rows).millitokens / 1_000 / asText - 1)).toBeLessThan(0.35);
  });
});

describe('a thought signature', () => {
  const signed = (model: string): number =>
    predictTokens(request([user({text: 'a', thoughtSignature: base64(4_000)})], {}, model));

  it('costs nothing on Gemini 2.5', () => {
    expect(signed('gemini-2.5-flash')).toBe(predictTokens(request([user({text: 'a'})], {}, 'gemini-2.5-flash')));
    expect(signed('projects/p/locations/l/publishers/google/models/gemini-2.5-pro')).toBeLessThan(10);
  });

  it.each(['gemini-3-pro-preview', 'gemini-3.5-flash', 'another'])(
    'costs a part of a token per character on %s',
    (model) => {
      expect(signed(model)).toBeGreaterThan(400);
      expect(signed(model)).toBeLessThan(800);
    },
  );
});

describe('pictures counted as text', () => {
  const picture = (characters: number): Part => ({inlineData: {mimeType: 'image/png', data: base64(characters)}});

  it('a picture of 4,000,000 characters is no million tokens, and not free', () => {
    expect(tokensOfParts(picture(4_000_000))).toBeLessThan(3_000);
    expect(tokensOfParts(picture(4_000_000))).toBeGreaterThan(250);
  });

  it('twice the bytes is not twice the tokens', () => {
    expect(tokensOfParts(picture(400_000))).toBe(tokensOfParts(picture(200_000)));
  });

  it('counts each picture among the parts of an answer', () => {
    const answer = (count: number): Part => ({
      functionResponse: {name: 'shot', response: {ok: true}, parts: Array(count).fill(picture(200_000))},
    });
    expect(tokensOfParts(answer(2)) - tokensOfParts(answer(1))).toBe(
      tokensOfParts(answer(1)) - tokensOfParts(answer(0)),
    );
    expect(tokensOfParts(answer(1)) - tokensOfParts(answer(0))).toBeGreaterThan(250);
  });

  it('counts media named by URI as a small constant', () => {
    const tokens = tokensOfParts({fileData: {fileUri: `gs://b/${'x'.repeat(900)}.pdf`, mimeType: 'application/pdf'}});
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(600);
  });

  it('counts other payloads by their characters', () => {
    const archive = (count: number): Part => ({inlineData: {mimeType: 'application/zip', data: base64(count)}});
    expect(tokensOfParts(archive(40_000)) / tokensOfParts(archive(20_000))).toBeCloseTo(2, 1);
  });
});

describe('predictions add up', () => {
  const text = fc.string({unit: 'grapheme'});
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.record({text}, {requiredKeys: ['text']}),
    fc.record({text, thoughtSignature: fc.base64String()}),
    fc.record({functionCall: fc.record({name: text, args: fc.dictionary(text, fc.jsonValue())})}),
    fc.record({functionResponse: fc.record({name: text, response: fc.dictionary(text, fc.jsonValue())})}),
  ) as fc.Arbitrary<Part>;
  const contents = fc.array(fc.record({role: fc.constantFrom('user', 'model'), parts: fc.array(part)}));

  it('a request is the sum of its envelope and its contents, in any order', () => {
    fc.assert(
      fc.property(contents, text, (list, systemInstruction) => {
        const whole = request(list, {systemInstruction});
        const pieces = list.map(predictContent);
        const total = sumPredictions(pieces, predictEnvelope(whole));
        expect(sumPredictions(pieces.toReversed(), predictEnvelope(whole))).toEqual(total);
        expect(tokensOf(total, 'gemini-3-pro')).toBe(predictTokens(whole));
      }),
    );
  });

  it('a change measured as a difference equals a fresh measurement', () => {
    fc.assert(
      fc.property(contents, part, part, (list, before, after) => {
        const first = sumPredictions([...list, user(before)].map(predictContent), predictEnvelope(request([])));
        const second = sumPredictions([...list, user(after)].map(predictContent), predictEnvelope(request([])));
        const changed = addPredictions(subtractPredictions(first, predictPart(before)), predictPart(after));
        expect(changed).toEqual(second);
      }),
    );
  });
});

describe('never throws', () => {
  it('on arbitrary values in place of contents, parts and config', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (contents, config) => {
        const tokens = predictTokens(request(contents, config));
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
        predictContent(contents as Content);
        predictPart(config);
      }),
    );
  });

  it('on a cycle, a getter that throws, a revoked proxy and a very deep value', () => {
    const cycle: Record<string, unknown> = {name: 'a'};
    cycle.self = cycle;
    const {proxy, revoke} = Proxy.revocable({}, {});
    revoke();
    const throwing = {
      get broken(): never {
        throw new Error('no');
      },
      text: 'kept',
    };
    let deep: unknown = 'bottom';
    for (let level = 0; level < 50_000; level++) {
      deep = [deep];
    }
    for (const response of [cycle, throwing, proxy, deep]) {
      const tokens = tokensOfParts({functionResponse: {name: 'read', response: response as Record<string, unknown>}});
      expect(Number.isInteger(tokens) && tokens > 0).toBe(true);
    }
  });

  it('counts what stands beside a member that cannot be read', () => {
    const answer = (response: object): number =>
      tokensOfParts({functionResponse: {name: 'read', response: response as Record<string, unknown>}});
    const broken = Object.defineProperty({text: 'a line that counts'}, 'broken', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(answer(broken)).toBeGreaterThanOrEqual(answer({text: 'a line that counts'}));
  });
});
