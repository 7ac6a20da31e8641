import type {LlmRequest} from '@google/adk';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {estimateContents, estimateRequest} from '../../src/estimate/estimate-request.ts';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {MEDIA_VECTORS} from '../golden/estimate-media.ts';
import {STRUCTURE_VECTORS} from '../golden/estimate-structure.ts';
import {VALUES_VECTORS} from '../golden/estimate-values.ts';
import {anyValue} from '../json/arbitraries.ts';
import {HOSTILE} from '../json/hostile.ts';

const ESTIMATE_VECTORS = [...STRUCTURE_VECTORS, ...VALUES_VECTORS, ...MEDIA_VECTORS];

const LEFT_OUT_OF_TEXT = ['a cycle is left out', 'a getter that throws is left out', 'what the model never sees'];

describe('the pinned estimate', () => {
  it.each(ESTIMATE_VECTORS)('$media: $name', ({request, media, figures}) => {
    const estimate = estimateRequest(request as LlmRequest, {media});
    expect(Object.values(estimate)).toEqual(figures);
  });

  it.each(ESTIMATE_VECTORS.filter(({name}) => !LEFT_OUT_OF_TEXT.includes(name)))(
    'has the canonical text by hand: $name',
    ({request, canonical}) => {
      const {model, contents, config} = request as LlmRequest;
      expect(canonicalJson({model, contents, config})).toBe(canonical);
    },
  );

  it.each([null, undefined])('refuses %s', (request) => {
    expect(() => estimateRequest(request as unknown as LlmRequest)).toThrow(TypeError);
  });

  it('counts every byte of media unless asked for the modality', () => {
    const [request] = ESTIMATE_VECTORS.filter(({name}) => name.startsWith('media as bytes')).map(
      (vector) => vector.request,
    );
    expect(estimateRequest(request as LlmRequest)).toEqual(estimateRequest(request as LlmRequest, {media: 'bytes'}));
  });
});

describe('estimateContents', () => {
  it('is the estimate of the contents alone, media by modality', () => {
    for (const {request} of ESTIMATE_VECTORS) {
      const {contents} = request as LlmRequest;
      const alone = {contents} as LlmRequest;
      expect(estimateContents(contents)).toBe(estimateRequest(alone, {media: 'modality'}).tokens);
    }
  });

  it('is 4 for no contents: the bytes around them', () => {
    expect(estimateContents([])).toBe(4);
  });
});

describe('any value at all', () => {
  const PLACES: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ['request', (value) => value],
    ['model', (model) => ({model, contents: []})],
    ['contents', (contents) => ({contents})],
    ['content', (content) => ({contents: [content]})],
    ['parts', (parts) => ({contents: [{parts}]})],
    ['part', (part) => ({contents: [{parts: [part]}]})],
    ['inlineData', (inlineData) => ({contents: [{parts: [{inlineData}]}]})],
    ['data', (data) => ({contents: [{parts: [{inlineData: {mimeType: 'image/png', data}}]}]})],
    ['fileData', (fileData) => ({contents: [{parts: [{fileData}]}]})],
    ['functionResponse', (functionResponse) => ({contents: [{parts: [{functionResponse}]}]})],
    ['answer parts', (parts) => ({contents: [{parts: [{functionResponse: {parts}}]}]})],
    ['config', (config) => ({contents: [], config})],
    ['systemInstruction', (systemInstruction) => ({contents: [], config: {systemInstruction}})],
    ['tools', (tools) => ({contents: [], config: {tools}})],
    ['functionDeclarations', (functionDeclarations) => ({contents: [], config: {tools: [{functionDeclarations}]}})],
  ];

  function expectFigures(request: unknown): void {
    for (const media of ['bytes', 'modality'] as const) {
      for (const figure of Object.values(estimateRequest(request as LlmRequest, {media}))) {
        if (!Number.isSafeInteger(figure) || figure < 0) {
          expect.fail(`${figure} is no count`);
        }
      }
    }
  }

  describe.each(PLACES)('as %s', (_, place) => {
    it.each(HOSTILE)('gives integers and does not throw: %s', (_name, make) => expectFigures(place(make())));
  });

  it('gives integers and does not throw anywhere', () => {
    fc.assert(
      fc.property(anyValue(), fc.constantFrom(...PLACES), (value, [, place]) => {
        fc.pre(place(value) !== null && place(value) !== undefined);
        expectFigures(place(value));
      }),
      {numRuns: 1_000},
    );
  });
});
