import type {Content} from '@google/genai';
import {expect, it} from 'vitest';
import {historyOf} from '../../src/fold/history.ts';
import {contents} from './notation.ts';

it('works out hashes and pairs at most once', () => {
  let read = 0;
  const counted = {
    role: 'user',
    get parts(): NonNullable<Content['parts']> {
      read += 1;
      return [{text: 'a'}];
    },
  };
  const history = historyOf([counted, ...contents('u9 u9')], {liveUserIndex: 2});
  const once = (work: () => unknown): boolean => {
    const first = work();
    const before = read;
    return work() === first && read === before;
  };
  expect(once(() => history.prefixHash(2))).toBe(true);
  expect(once(() => history.pairs())).toBe(true);
});

it('takes what a host already knows', () => {
  const pairs = {calls: [], answers: []};
  const history = historyOf(contents('u9 u9'), {pairs: () => pairs, prefixHash: () => 'mine', liveUserIndex: 0});
  expect([history.pairs(), history.prefixHash(1), history.liveUserIndex]).toEqual([pairs, 'mine', 0]);
});
