import type {Content} from '@google/genai';
import {expect, it} from 'vitest';
import {isUsable} from '../../src/fold/applied-fold.ts';
import {historyOf} from '../../src/fold/history.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {answer, call, model, user} from '../../src/testing.ts';

const serverTool: Content = {
  role: 'model',
  parts: [
    {toolCall: {id: 's', toolType: 'GOOGLE_SEARCH_WEB' as never, args: {}}},
    {toolResponse: {id: 's', toolType: 'GOOGLE_SEARCH_WEB' as never, response: {}}},
  ],
};

it.each<[string, Content[], number[]]>([
  ['each answer right behind its call', [user('a'), call('f'), answer('f', {}), user('b'), user('c')], [1, 3, 4, 5]],
  ['a server tool among them', [user('a'), call('f'), answer('f', {}), serverTool, user('c')], [1, 3, 4, 5]],
  [
    'an answer that comes late',
    [user('a'), call('f', {}, 'x'), user('b'), answer('f', {}, 'x'), model('c')],
    [1, 4, 5],
  ],
])('a fold is used at any split but between a call and its answer: %s', (_, contents, splits) => {
  const usable = contents
    .map((_content, index) => index + 1)
    .filter((split) => {
      const fold = {split, prefixHash: prefixHash(contents.slice(0, split)), output: [user('s')], pinned: []};
      return isUsable(fold, historyOf(contents));
    });
  expect(usable).toEqual(splits);
});
