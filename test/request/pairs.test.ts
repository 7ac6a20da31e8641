import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {pairByRules, pairUp} from '../../src/request/pairs.ts';
import {answer, call, model, together, user} from '../../src/testing.ts';

/** `answer place -> call place`, or `-> none`, in the order of the answers. */
function pairing(contents: Content[]): string[] {
  return pairUp(contents).answers.map(
    ({content, part, call: site}) => `${content}.${part} -> ${site ? `${site.content}.${site.part}` : 'none'}`,
  );
}

describe('pairUp', () => {
  it.each<[string, Content[], string[]]>([
    ['by id, whatever stands between', [call('x', {}, 'a'), user('u'), answer('x', {}, 'a')], ['2.0 -> 0.0']],
    [
      'a second answer with the id belongs to it too',
      [call('x', {}, 'a'), answer('x', {}, 'a'), answer('x', {}, 'a')],
      ['1.0 -> 0.0', '2.0 -> 0.0'],
    ],
    ['an id that no call carries is an orphan', [call('x', {}, 'a'), answer('x', {}, 'b')], ['1.0 -> none']],
    [
      'without an id the nearest earlier unanswered call of that name',
      [call('x'), call('x'), answer('x'), answer('x')],
      ['2.0 -> 1.0', '3.0 -> 0.0'],
    ],
    [
      'in one content the first unanswered call of that name',
      [together(call('x'), call('y'), call('x')), together(answer('x'), answer('x'), answer('y'))],
      ['1.0 -> 0.0', '1.1 -> 0.2', '1.2 -> 0.1'],
    ],
    [
      'an id that several calls carry counts as none',
      [call('x', {}, 'a'), answer('x', {}, 'a'), call('x', {}, 'a'), answer('x', {}, 'a')],
      ['1.0 -> 0.0', '3.0 -> 2.0'],
    ],
    ['another name finds nothing', [call('x'), answer('y')], ['1.0 -> none']],
    ['an answer before its call is an orphan', [answer('x'), call('x')], ['0.0 -> none']],
    [
      'an id that stands only after the answer is an orphan too',
      [answer('x', {}, 'a'), call('x', {}, 'a')],
      ['0.0 -> none'],
    ],
    [
      'a server tool answers in the same content',
      [model([{toolCall: {id: 't', toolType: 'S' as never}}, {toolResponse: {id: 't', toolType: 'S' as never}}])],
      ['0.1 -> 0.0'],
    ],
    [
      'a server tool call is not answered by a function',
      [model([{toolCall: {id: 't'}}]), answer('', {}, 't')],
      ['1.0 -> none'],
    ],
    [
      'contents without parts are passed over',
      [{role: 'user'}, call('x'), {role: 'model', parts: []}, answer('x')],
      ['3.0 -> 1.0'],
    ],
  ])('%s', (_, contents, expected) => {
    expect(pairing(contents)).toEqual(expected);
  });

  it('lists the answers of each call', () => {
    const [first, second] = pairUp([together(call('x'), call('y')), answer('y')]).calls;
    expect(first?.answers).toEqual([]);
    expect(second?.answers).toMatchObject([{content: 1, part: 0}]);
  });
});

describe('pairUp where answers follow their calls', () => {
  const reference = fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom(undefined, 'a', 'b', 'c'));
  const round = fc.array(reference, {minLength: 1, maxLength: 3}).map((references) => [
    {role: 'model', parts: references.flatMap(([name, id]) => call(name, {}, id).parts ?? [])},
    {role: 'user', parts: references.flatMap(([name, id]) => answer(name, {}, id).parts ?? [])},
  ]);
  const text = fc.constant([user('u')]);
  const broken = fc.constantFrom([call('x')], [answer('x')], [answer('y', {}, 'a')]);

  it.each([
    ['and nothing else stands', fc.oneof(round, text)],
    ['or nearly', fc.oneof({weight: 6, arbitrary: round}, text, broken)],
  ])('gives what the rules give, %s', (_, piece) => {
    fc.assert(
      fc.property(fc.array(piece, {maxLength: 8}), (pieces) => {
        const contents = pieces.flat();
        expect(pairUp(contents)).toEqual(pairByRules(contents));
      }),
      {numRuns: 1_000},
    );
  });
});
