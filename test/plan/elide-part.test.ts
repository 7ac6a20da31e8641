import type {Content, Part} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {ELISION_MARKER, elidePart, withParts} from '../../src/plan/elide-part.ts';

/** Objects with some of these members, in any order. */
function anyOrder(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(fc.shuffledSubarray(Object.keys(members)), fc.record(members))
    .map(([keys, values]) => Object.fromEntries(keys.map((key) => [key, values[key]])));
}

const text = fc.string();
const answer = anyOrder({
  id: fc.option(text, {nil: undefined}),
  name: text,
  response: fc.anything(),
  scheduling: text,
  toString: text,
});
const part = fc
  .tuple(anyOrder({functionResponse: answer, thoughtSignature: text, note: text}), answer)
  .map(([members, functionResponse]): Part => ({functionResponse, ...members}));
const parts = fc.array(part, {maxLength: 3});

const showUndefined = (_key: string, value: unknown): unknown => (value === undefined ? '(undefined)' : value);
const written = (value: unknown): string => JSON.stringify(value, showUndefined);

describe('a copy with a body elided', () => {
  it('is what a spread gives, the order of members included, and leaves the original alone', () => {
    fc.assert(
      fc.property(part, (original) => {
        const before = copyOf(original);
        const {functionResponse} = original;
        const response = {output: ELISION_MARKER};
        expect(written(elidePart(original))).toBe(
          written({...original, functionResponse: {...functionResponse, response}}),
        );
        expect(original).toEqual(before);
      }),
      {numRuns: 1_000},
    );
  });

  it('has none of the media', () => {
    const media: Part = {functionResponse: {id: 'a', name: 'shot', response: {ok: true}, parts: [{inlineData: {}}]}};
    expect(elidePart(media)).toEqual({
      functionResponse: {id: 'a', name: 'shot', response: {output: ELISION_MARKER}},
    });
  });
});

describe('a content with other parts', () => {
  it('is what a spread gives, the order of members included', () => {
    const content = anyOrder({role: text, parts, note: text});
    fc.assert(
      fc.property(content, parts, (original, others) => {
        expect(written(withParts(original as Content, others))).toBe(written({...original, parts: others}));
      }),
      {numRuns: 1_000},
    );
  });

  it('shares nothing that a later callback may write into', () => {
    const original: Content = {role: 'user', parts: [{functionResponse: {name: 'read', response: {a: 1}}}]};
    const [first] = original.parts ?? [];
    const copy = withParts(original, [elidePart(first ?? {})]);
    copy.role = 'model';
    Object.assign(copy.parts?.[0] ?? {}, {text: 'x'});
    Object.assign(copy.parts?.[0]?.functionResponse ?? {}, {name: 'write'});
    expect(original).toEqual({role: 'user', parts: [{functionResponse: {name: 'read', response: {a: 1}}}]});
  });
});

/** Two levels deep: what a copy shares with its original is not written into. */
function copyOf({functionResponse, ...others}: Part): Part {
  return {...(functionResponse && {functionResponse: {...functionResponse}}), ...others};
}
