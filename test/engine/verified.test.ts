import type {Content} from '@google/genai';
import {expect, it, vi} from 'vitest';
import {verify} from '../../src/plan/verify.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {ManagerHarness} from '../support/manager-harness.ts';

vi.mock(import('../../src/plan/verify.ts'), {spy: true});

const turn = (letter: string): Content[] => [call('read'), answer('read', {text: letter.repeat(4_000)}), model('done')];

it('checks elisions when they are made, when they are recognised, and when something else than an addition changes', async () => {
  const harness = new ManagerHarness({keepRecentContents: 1});
  const history = [user('start'), ...turn('x'), user('next')];
  const checksOf = async (contents: readonly Content[]): Promise<number> => {
    vi.mocked(verify).mockClear();
    await harness.contents(contents);
    return vi.mocked(verify).mock.calls.length;
  };
  expect(await checksOf(history)).toBe(1);
  expect(await checksOf(history)).toBe(1);
  expect(await checksOf([...history, model('a'), user('b')])).toBe(0);
  expect(await checksOf([...history, model('a'), user('b'), model('c'), user('d')])).toBe(0);
  expect(await checksOf([...history, model('a'), user('b'), model('c'), user('changed')])).toBe(1);
  const edited = [user('begin'), ...history.slice(1), model('a'), user('b'), model('c'), user('d')];
  expect(await checksOf(edited)).toBe(1);
  expect(await checksOf([...edited, ...turn('y'), user('e')])).toBeGreaterThan(0);
  expect(harness.records.at(-1)).toMatchObject({kind: 'elision', covers: [{index: edited.length + 1}]});
  expect(await checksOf([...edited, ...turn('y'), user('e'), model('f'), user('g')])).toBe(1);
  expect(await checksOf([...edited, ...turn('y'), user('e'), model('f'), user('g'), model('h')])).toBe(0);
});
