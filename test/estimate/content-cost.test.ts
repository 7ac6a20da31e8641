import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {contentCost, partCost} from '../../src/estimate/content-cost.ts';
import {valueCost} from '../../src/estimate/value-cost.ts';
import {jsonByteLength} from '../../src/json/byte-length.ts';
import {anyValue, plainJson} from '../json/arbitraries.ts';
import {HOSTILE} from '../json/hostile.ts';

const PICTURE = {mimeType: 'image/png', data: 'AAAA'};

describe('one walk counts bytes and tokens', () => {
  it('as many bytes as the byte count alone, whatever the value', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue(), plainJson()), (value) => {
        const bytes = jsonByteLength(value);
        expect(valueCost(value).bytes).toBe(bytes);
        expect(contentCost(value).bytes).toBe(bytes);
        expect(partCost(value).bytes).toBe(bytes);
      }),
      {numRuns: 2_000},
    );
  });

  const shapes: readonly (readonly [string, (value: unknown) => unknown])[] = [
    ['a content', (value) => value],
    ['the parts', (parts) => ({role: 'user', parts})],
    ['a part', (part) => ({role: 'user', parts: [part, {text: 'after'}]})],
    ['a text', (text) => ({role: 'user', parts: [{text}]})],
    ['a call', (functionCall) => ({role: 'model', parts: [{functionCall}]})],
    ['the id of a call', (id) => ({role: 'model', parts: [{functionCall: {id, name: 'read'}}]})],
    ['the body of an answer', (response) => ({role: 'user', parts: [{functionResponse: {name: 'read', response}}]})],
    ['the media of an answer', (parts) => ({role: 'user', parts: [{functionResponse: {name: 'read', parts}}]})],
    ['a thought signature', (thoughtSignature) => ({role: 'model', parts: [{text: 'a', thoughtSignature}]})],
    ['the data of a picture', (data) => ({role: 'user', parts: [{inlineData: {...PICTURE, data}}]})],
  ];

  it.each(shapes.flatMap(([place, wrap]) => HOSTILE.map(([name, make]) => ({place, name, make, wrap}))))(
    'as many bytes as the byte count alone for $place that is $name',
    ({make, wrap}) => {
      expect(contentCost(wrap(make())).bytes).toBe(jsonByteLength(wrap(make())));
    },
  );

  it.each(shapes)('as many bytes as the byte count alone for odd values as %s', (_, wrap) => {
    fc.assert(
      fc.property(fc.oneof(anyValue(), plainJson()), (value) => {
        expect(contentCost(wrap(value)).bytes).toBe(jsonByteLength(wrap(value)));
      }),
      {numRuns: 300},
    );
  });

  it('a call that is left out costs nothing', () => {
    expect(partCost({functionCall: undefined}).millitokens).toBe(0);
    expect(partCost({functionCall: {}}).millitokens).toBeGreaterThan(0);
  });
});
