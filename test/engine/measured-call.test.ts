import type {Content} from '@google/genai';
import {expect, it, vi} from 'vitest';
import {type CallMemo, measureCall} from '../../src/engine/measured-call.ts';
import {keepTextsOf} from '../../src/estimate/measure.ts';
import {answer, call, user} from '../../src/testing.ts';
import {requestOf} from '../support/manager-harness.ts';

vi.mock(import('../../src/estimate/measure.ts'), {spy: true});

const contents = [user('Read it.'), call('read'), answer('read', {text: 'x'.repeat(1_000)}), user('And now?')];

it('takes the texts of a session over when it is another one, and recognises every content all the while', () => {
  const [loaded, loadedAgain] = [{}, {}];
  let memo: CallMemo | undefined;
  let history: Content[] = contents;
  const takesOver = [loaded, loaded, loadedAgain, loadedAgain, undefined, undefined, loaded].map((source) => {
    vi.mocked(keepTextsOf).mockClear();
    const known = memo?.measure.measured ?? [];
    history = [...history, user('Go on.')];
    const {measured, memo: next} = measureCall({request: requestOf(structuredClone(history)), source}, true, memo);
    expect(measured.measured.slice(0, known.length)).toEqual(known);
    expect(known.every((content, index) => content === measured.measured[index])).toBe(true);
    memo = next;
    return vi.mocked(keepTextsOf).mock.calls.length;
  });
  expect(takesOver).toEqual([0, 0, 1, 0, 1, 0, 1]);
});
