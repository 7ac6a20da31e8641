import type {Content} from '@google/genai';
import {expect, it} from 'vitest';
import {type CallMemo, measureCall} from '../../src/engine/measured-call.ts';
import {answer, call, user} from '../../src/testing.ts';
import {requestOf} from '../support/manager-harness.ts';

const contents = [user('Read it.'), call('read'), answer('read', {text: 'x'.repeat(1_000)}), user('And now?')];

function measured(history: readonly Content[], earlier: CallMemo | undefined, source?: object) {
  return measureCall({request: requestOf(structuredClone([...history])), source}, true, earlier);
}

it('compares with the texts of the session that the last request came from, and no longer keeps those before', () => {
  const [loaded, loadedAgain] = [{}, {}];
  const first = measured(contents, undefined, loaded);
  const second = measured([...contents, user('On.')], first.memo, loaded);
  expect(second.memo.measure.snapshots).toBe(first.memo.measure.snapshots);
  const third = measured([...contents, user('On.'), user('Go.')], second.memo, loadedAgain);
  expect(third.memo.measure.snapshots).not.toBe(second.memo.measure.snapshots);
  expect(third.memo.measure.snapshots).toEqual(third.measured.memo.snapshots);
  expect(third.measured.measured.slice(0, 5)).toEqual(second.measured.measured);
  const fourth = measured([...contents, user('On.'), user('Go.'), user('On.')], third.memo, loadedAgain);
  expect(fourth.memo.measure.snapshots).toBe(third.memo.measure.snapshots);
  expect(fourth.measured.measured.slice(0, 6)).toEqual(third.measured.measured);
});

it('keeps the texts of a request that comes from nowhere it knows', () => {
  const first = measured(contents, undefined);
  expect(measured(contents, first.memo).memo.measure.snapshots).toBe(first.memo.measure.snapshots);
});
