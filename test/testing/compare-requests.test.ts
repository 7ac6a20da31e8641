import type {Content} from '@google/genai';
import {expect, it} from 'vitest';
import {answer, call, model, together, user} from '../../src/testing/build-request.ts';
import {compactionFaults} from '../../src/testing/compare-requests.ts';

const signed = model([{functionCall: {name: 'read', args: {}}, thoughtSignature: 'c2ln'}]);
const long = answer('read', {text: 'long'}, 'c1');
const elided = answer('read', {output: '[elided]'}, 'c1');
const interrupted = answer('read', {error: 'interrupted'});
const before = [
  user('do it'),
  model('ok'),
  user('go'),
  signed,
  long,
  model([{text: 'one'}, {text: 'two'}]),
  user('next'),
];
const summary = user('Summary of the conversation so far:\nall is well');

it.each<[string, Content[], Content[]]>([
  ['nothing changed', before, structuredClone(before)],
  ['a body elided', before, [...before.slice(0, 4), elided, ...before.slice(5)]],
  ['a turn dropped', before, [before[0] as Content, user('next')]],
  ['a prefix folded', before, [summary, ...before.slice(2)]],
  ['a call answered as interrupted', [user('a'), signed, user('b')], [user('a'), signed, interrupted, user('b')]],
  [
    'an interrupted answer put between two others',
    [user('a'), answer('x'), user('b')],
    [user('a'), together(interrupted, answer('x'), interrupted), user('b')],
  ],
  [
    'an orphan answer left out of a content',
    [user('a'), together(answer('x'), answer('orphan')), user('b')],
    [user('a'), answer('x'), user('b')],
  ],
  ['equal contents told apart', [user('a'), user('a'), user('b')], [user('a'), user('a'), user('b')]],
])('accepts %s', (_, original, compacted) => {
  expect(compactionFaults(original, compacted)).toEqual([]);
});

it.each<[string, Content[], string]>([
  ['a changed last content', [...before.slice(0, 6), user('next!')], 'The last content is not the one that came in.'],
  ['a lost signature', before.toSpliced(3, 1, call('read')), 'contents[3] is no content of the request before'],
  ['a shortened text', before.toSpliced(0, 1, user('do')), 'contents[0] is no content of the request before'],
  [
    'a changed order',
    before.toSpliced(1, 2, user('go'), model('ok')),
    'contents[2] is no content of the request before',
  ],
  ['a content twice', before.toSpliced(1, 0, user('do it')), 'contents[1] is no content of the request before'],
  ['a body half elided', before.toSpliced(4, 1, answer('read', {text: 'lo'}, 'c1')), 'contents[4] is no content'],
  [
    'an elision that lost its id',
    before.toSpliced(4, 1, answer('read', {output: '[elided]'})),
    'contents[4] is no content',
  ],
  ['an empty content', before.toSpliced(1, 0, user([])), 'contents[1] is no content of the request before'],
  [
    'a text part lost',
    before.toSpliced(5, 1, model([{text: 'one'}])),
    'contents[5] is no content of the request before',
  ],
  ['a part lost', before.toSpliced(3, 1, model([])), 'contents[3] is no content of the request before'],
])('refuses %s', (_, compacted, fault) => {
  expect(compactionFaults(before, compacted)).toContainEqual(expect.stringContaining(fault));
});

it('lets the host say what it added', () => {
  const compacted = [user('<digest>'), ...before.slice(2)];
  expect(compactionFaults(before, compacted)).toHaveLength(1);
  expect(compactionFaults(before, compacted, (content) => content.parts?.[0]?.text === '<digest>')).toEqual([]);
});
