import type {Content} from '@google/genai';
import {expect, it, vi} from 'vitest';
import {verify} from '../../src/plan/verify.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {summarizer} from '../manager/fold-rig.ts';
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

const talk = (letter: string): Content[] => [user(letter.repeat(800)), model(letter.repeat(800))];

it.each([
  {kind: 'drops', options: {}},
  {kind: 'a fold', options: {fold: {summarizer: summarizer('What came before.'), summarizerContextTokens: 100_000}}},
])('checks $kind once, until an answer stands elsewhere than behind its call', async ({options}) => {
  const harness = new ManagerHarness({contextTokens: 2_000}, options);
  const checksOf = async (contents: readonly Content[]): Promise<number> => {
    vi.mocked(verify).mockClear();
    await harness.contents(contents);
    return vi.mocked(verify).mock.calls.length;
  };
  const history = [...talk('a'), ...talk('b'), ...talk('c'), ...talk('d'), user('now')];
  expect(await checksOf(history)).toBeGreaterThan(0);
  expect(harness.records.length).toBe(1);
  await harness.contents(history);
  const later = [...history, call('read', {}, 'one'), answer('read', {text: 'x'}, 'one'), model('done'), user('more')];
  expect(await checksOf(later)).toBe(0);
  expect(await checksOf([...later, model('and'), user('more')])).toBe(0);
  const again = [...later, model('and'), user('more'), answer('read', {text: 'y'}, 'one')];
  expect(await checksOf(again)).toBeGreaterThan(0);
});

it('checks a drop that a request has room for only later', async () => {
  const harness = new ManagerHarness({contextTokens: 1_600});
  const history = [...talk('a'), ...talk('b'), ...talk('c'), ...talk('d'), user('now')];
  await harness.contents(history);
  expect(harness.records).toMatchObject([{kind: 'drop', covers: [{index: 2}, {index: 4}]}]);
  const short = [...history.slice(0, 6), user('and')];
  expect((await harness.contents(short)).length).toBe(short.length - 2);
  vi.mocked(verify).mockClear();
  expect((await harness.contents([...short, model('so'), user('now')])).length).toBe(short.length + 2 - 4);
  expect(vi.mocked(verify)).toHaveBeenCalled();
});

it('uses a fold no longer once another model counts less for what it stands for', async () => {
  const fold = {summarizer: summarizer('s '.repeat(1_500)), summarizerContextTokens: 100_000};
  const harness = new ManagerHarness({contextTokens: 20_000, estimator: 'features'}, {fold});
  const signed = (letter: string): Content[] => [
    user(letter),
    {role: 'model', parts: [{text: letter, thoughtSignature: 'A'.repeat(60_000)}]},
  ];
  const history = [...signed('a'), ...signed('b'), ...signed('c'), user('now')];
  const seen = {model: 'gemini-3-pro'};
  const folded = await harness.contents(history, seen);
  expect(harness.kinds()).toEqual(['fold']);
  const later = [...history, model('so'), user('and')];
  expect((await harness.contents(later, seen)).length).toBe(folded.length + 2);
  const last = [...later, model('so'), user('and')];
  expect((await harness.contents(last, {model: 'gemini-2.5-flash'})).length).toBe(last.length);
  expect(harness.codes()).toContain('compaction.plan.rejected');
});
