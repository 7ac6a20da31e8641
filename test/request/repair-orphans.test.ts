import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {repairOrphans} from '../../src/request/repair-orphans.ts';
import {answer, call, model, requestFaults, together, user} from '../../src/testing.ts';

const interrupted = (name: string, id?: string): Content => answer(name, {error: 'interrupted'}, id);

describe('repairOrphans', () => {
  it.each<[string, Content[], Content[]]>([
    [
      'answers an orphan call right after it',
      [user('a'), call('x'), user('b')],
      [user('a'), call('x'), interrupted('x'), user('b')],
    ],
    [
      'keeps the id of the call',
      [user('a'), call('x', {}, 'id-1'), user('b')],
      [user('a'), call('x', {}, 'id-1'), interrupted('x', 'id-1'), user('b')],
    ],
    [
      'puts the answers of parallel orphans into one content, in call order',
      [user('a'), together(call('x'), call('y')), user('b')],
      [user('a'), together(call('x'), call('y')), together(interrupted('x'), interrupted('y')), user('b')],
    ],
    [
      'joins the answers of the siblings, in call order',
      [user('a'), together(call('x'), call('y'), call('z')), answer('y', {ok: 1}), user('b')],
      [
        user('a'),
        together(call('x'), call('y'), call('z')),
        together(interrupted('x'), answer('y', {ok: 1}), interrupted('z')),
        user('b'),
      ],
    ],
    [
      'stands after the siblings that are answered in several contents',
      [user('a'), together(call('x'), call('y'), call('z')), answer('x', {ok: 1}), answer('y', {ok: 2}), user('b')],
      [
        user('a'),
        together(call('x'), call('y'), call('z')),
        answer('x', {ok: 1}),
        together(answer('y', {ok: 2}), interrupted('z')),
        user('b'),
      ],
    ],
    [
      'answers a call that the agent has moved past in the live turn',
      [user('a'), call('x'), call('y'), answer('y')],
      [user('a'), call('x'), interrupted('x'), call('y'), answer('y')],
    ],
    [
      'answers a call that ends the request, since the model is called now',
      [user('a'), call('x')],
      [user('a'), call('x'), interrupted('x')],
    ],
    ['leaves out an answer without a call', [user('a'), answer('x'), user('b')], [user('a'), user('b')]],
    [
      'leaves out only the orphan part',
      [user('a'), call('x'), together(answer('x'), answer('z')), user('b')],
      [user('a'), call('x'), answer('x'), user('b')],
    ],
    [
      'leaves out a second orphan beside a good match',
      [user('a'), answer('z'), call('x'), answer('x'), user('b')],
      [user('a'), call('x'), answer('x'), user('b')],
    ],
  ])('%s', (_, contents, expected) => {
    const before = structuredClone(contents);
    const repaired = repairOrphans(contents);
    expect(repaired).toEqual(expected);
    expect(requestFaults(repaired)).toEqual([]);
    expect(contents).toEqual(before);
    expect(JSON.stringify(repairOrphans(structuredClone(contents)))).toBe(JSON.stringify(repaired));
    expect(repairOrphans(repaired)).toBe(repaired);
  });

  it.each<[string, Content[]]>([
    ['nothing is orphaned', [user('a'), call('x'), answer('x'), model('b')]],
    ['answers stand apart from their call', [user('a'), call('x', {}, 'i'), user('b'), answer('x', {}, 'i')]],
    ['the content to edit is the last one', [user('a'), together(call('x'), call('y')), answer('x')]],
    ['the last content is itself an orphan answer', [user('a'), answer('x')]],
    ['a server tool call is not answered', [user('a'), model([{toolCall: {id: 't'}}]), user('b')]],
    ['contents have no parts', [{role: 'user'}, {role: 'model', parts: []}]],
  ])('returns the list itself when %s', (_, contents) => {
    expect(repairOrphans(contents)).toBe(contents);
  });
});
