import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {estimateContents, estimateRequest} from '../../src/estimate/estimate-request.ts';
import {partSize} from '../../src/estimate/measure.ts';
import {
  addWeights,
  modalityTokens,
  overheadTokens,
  subtractWeights,
  totalWeight,
  type Weight,
  weighContent,
  weighEnvelope,
  ZERO_WEIGHT,
} from '../../src/estimate/weight.ts';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {anyValue, awkwardText, plainJson} from '../json/arbitraries.ts';

const PICTURE = {mimeType: 'image/png', data: 'AAAA'};

function part(): fc.Arbitrary<Part> {
  const blob = fc.record({mimeType: fc.constantFrom('image/png', 'audio/wav', 'text/csv'), data: fc.base64String()});
  const signature = fc.option(fc.base64String({minLength: 1}), {nil: undefined});
  return fc.oneof(
    fc.record({text: awkwardText(), thoughtSignature: signature}),
    fc.record({functionCall: fc.record({name: fc.string(), args: fc.dictionary(fc.string(), plainJson())})}),
    fc.record({
      functionResponse: fc.record({
        name: fc.string(),
        response: fc.dictionary(fc.string(), anyValue()),
        parts: fc.array(fc.record({inlineData: blob}), {maxLength: 2}),
      }),
    }),
    fc.record({inlineData: blob, thoughtSignature: signature}),
    fc.record({toolResponse: fc.record({id: fc.string(), response: fc.dictionary(fc.string(), plainJson())})}),
  ) as fc.Arbitrary<Part>;
}

function content(): fc.Arbitrary<Content> {
  return fc.record({role: fc.constantFrom('user', 'model'), parts: fc.array(part(), {maxLength: 4})});
}

function request(): fc.Arbitrary<LlmRequest> {
  return fc.record({
    model: fc.string(),
    contents: fc.array(content(), {maxLength: 5}),
    config: fc.record({systemInstruction: fc.oneof(fc.string(), fc.array(part()), content()), labels: plainJson()}),
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<LlmRequest>;
}

const partWeightOf = (part: Part): Weight => partSize(part).weight;

describe('a request is the sum of its pieces', () => {
  it('the estimate is that of the envelope and the contents added up', () => {
    fc.assert(
      fc.property(request(), (value) => {
        const {model, contents, config} = value;
        const weight = totalWeight(weighEnvelope(value), contents.map(weighContent));
        const estimate = estimateRequest(value, {media: 'modality'});
        expect(weight.canonicalBytes).toBe(Buffer.byteLength(canonicalJson({model, contents, config})));
        expect(modalityTokens(weight)).toBe(estimate.tokens);
        expect(overheadTokens(weight)).toBe(estimate.overheadTokens);
      }),
      {numRuns: 300},
    );
  });

  it('a changed content changes the sum by the difference', () => {
    fc.assert(
      fc.property(request(), content(), fc.nat(), (value, replacement, pick) => {
        fc.pre(value.contents.length > 0);
        const index = pick % value.contents.length;
        const before = totalWeight(weighEnvelope(value), value.contents.map(weighContent));
        const change = subtractWeights(weighContent(replacement), weighContent(value.contents[index] as Content));
        const changed = {...value, contents: value.contents.with(index, replacement)};
        const after = totalWeight(weighEnvelope(changed), changed.contents.map(weighContent));
        expect(addWeights(before, change)).toEqual(after);
      }),
    );
  });

  it('a content is its parts, the commas between them and what is around them', () => {
    fc.assert(
      fc.property(content(), (value) => {
        const parts = (value.parts ?? []).map(partWeightOf);
        const commas = {...ZERO_WEIGHT, canonicalBytes: Math.max(parts.length - 1, 0)};
        const empty = weighContent({...value, parts: []});
        expect([...parts, commas].reduce(addWeights, empty)).toEqual(weighContent(value));
      }),
    );
  });

  it('contents alone add up, whatever stands in a content', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(content(), anyValue()), {maxLength: 5}), (value) => {
        const contents = value as Content[];
        const envelope = weighEnvelope({contents} as LlmRequest);
        expect(estimateContents(contents)).toBe(modalityTokens(totalWeight(envelope, contents.map(weighContent))));
      }),
    );
  });

  it('what is added can be taken away again', () => {
    fc.assert(
      fc.property(content(), content(), (one, other) => {
        const sum = addWeights(weighContent(one), weighContent(other));
        expect(subtractWeights(sum, weighContent(other))).toEqual(weighContent(one));
      }),
    );
  });
});

describe('a weight', () => {
  it('is the same for a content and the same content read back', () => {
    fc.assert(
      fc.property(content(), (value) => {
        expect(weighContent(JSON.parse(canonicalJson(value)))).toEqual(weighContent(value));
      }),
    );
  });

  it('of a picture given as bytes is that of its base64', () => {
    const bytes = partWeightOf({inlineData: {mimeType: 'image/png', data: new Uint8Array(3)}} as unknown as Part);
    expect(bytes).toEqual(partWeightOf({inlineData: PICTURE}));
    expect(bytes.mediaBytes).toBe(4);
  });

  it('of a picture leaves out its base64 and nothing else', () => {
    const {canonicalBytes, mediaBytes} = partWeightOf({inlineData: PICTURE});
    expect(canonicalBytes - mediaBytes).toBe('{"inlineData":{"data":"","mimeType":"image/png"}}'.length);
  });

  it('never leaves out more bytes than there are when a toJSON hides the media', () => {
    const hidden = {parts: [{inlineData: {...PICTURE, data: 'A'.repeat(4_000)}}], toJSON: () => ({})};
    expect(weighContent(hidden as Content)).toMatchObject({canonicalBytes: 2, mediaBytes: 2});
  });

  it.each([null, undefined, 0, 'text', [], {}])('of %j as a content is one content without parts', (value) => {
    expect(weighContent(value as unknown as Content)).toMatchObject({contents: 1, parts: 0, binaries: 0});
  });

  it('of an envelope does not depend on the contents', () => {
    const [one, other] = [[], [{parts: [{text: 'a'}]}]].map((contents) =>
      weighEnvelope({
        model: 'm',
        contents,
        config: {tools: [{functionDeclarations: [{name: 't'}]}]},
      } as unknown as LlmRequest),
    );
    expect(one).toEqual(other);
    expect(one).toMatchObject({contents: 0, parts: 0, toolDeclarations: 1});
  });
});
