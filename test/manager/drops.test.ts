import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {ManagerHarness} from '../support/manager-harness.ts';

const say = (letter: string, size = 800): string => letter.repeat(size);
const texts = (contents: readonly Content[]): string[] =>
  contents.map((content) => content.parts?.[0]?.text?.[0] ?? content.parts?.[0]?.functionCall?.name ?? 'answer');

/** `a` asks, `A` answers, `b` asks, and so on: 200 tokens each. */
function chat(letters: string): Content[] {
  return [...letters].flatMap((letter) => [user(say(letter)), model(say(letter.toUpperCase()))]);
}

describe('turn drops', () => {
  it('drops the oldest complete turns and stops at the target, content 0 kept', async () => {
    const harness = new ManagerHarness({contextTokens: 2_000});
    const out = await harness.contents([...chat('abcd'), user('now')]);
    expect(texts(out)).toEqual(['a', 'A', 'd', 'D', 'n']);
    expect(harness.records).toMatchObject([{kind: 'drop', covers: [{index: 2}, {index: 4}]}]);
    expect(harness.warnings).toEqual([]);
  });

  it('never drops content 0, the recent window or the live turn, and says once that it is exhausted', async () => {
    const harness = new ManagerHarness({keepRecentContents: 4});
    const history = [...chat('abc'), user('now')];
    const out = await harness.contents(history);
    expect(texts(out)).toEqual(['a', 'A', 'b', 'B', 'c', 'C', 'n']);
    await harness.contents([...history, model('x'), user('more')]);
    expect(harness.codes()).toEqual(['compaction.budget.exhausted']);
  });

  it('says that it is exhausted again after a call at or below the target', async () => {
    const harness = new ManagerHarness();
    const tooLarge = [user(say('a', 8_000))];
    await harness.contents(tooLarge);
    await harness.contents([user('small')]);
    await harness.contents(tooLarge);
    expect(harness.codes()).toEqual(['compaction.budget.exhausted', 'compaction.budget.exhausted']);
  });

  it('keeps the live turn when other agents have spoken since', async () => {
    const live = user(say('l'));
    const foreign = (letter: string): Content => user([{text: 'For context:'}, {text: say(letter)}]);
    const history = [...chat('ab'), live, foreign('x'), foreign('y'), foreign('z'), model('m')];
    const harness = new ManagerHarness({keepRecentContents: 1});
    const out = await harness.contents(history, {userContent: live});
    expect(out).toContainEqual(live);
    expect(texts(out)).toEqual(['a', 'A', 'l', 'F', 'F', 'F', 'm']);
  });

  it('drops a turn with its calls and answers, and no turn that shares a pair with another', async () => {
    const history = [
      user('first'),
      user('one'),
      call('slow', {}, 'c1'),
      user(say('b', 1_600)),
      answer('slow', {late: true}, 'c1'),
      model('done'),
      user('three'),
      call('fast'),
      answer('fast', {text: say('f', 60)}),
      model(say('m', 1_600)),
      user('now'),
    ];
    const harness = new ManagerHarness({contextTokens: 1_200, keepRecentContents: 1, minimumElisionTokens: 1_000});
    const out = await harness.contents(history);
    expect(out).toEqual([...history.slice(0, 6), history.at(-1)]);
  });

  it.each(['called', 'answered'])(
    'keeps a turn in which a preserved tool was %s, also from a sticky drop',
    async () => {
      const turn = [user('one'), call('pin'), answer('pin', {ok: 1}), model(say('m', 3_600))];
      const history = [user('first'), ...turn, user('now')];
      const store = new MemoryCompactionStore();
      const free = new ManagerHarness({keepRecentContents: 1}, {store});
      expect(await free.contents(history)).toEqual([history[0], history.at(-1)]);
      const preserving = new ManagerHarness({keepRecentContents: 1, preserveToolNames: ['pin']}, {store});
      expect(await preserving.contents(history)).toEqual(history);
    },
  );

  it('applies a drop to every later request, in this process and the next', async () => {
    const store = new MemoryCompactionStore();
    const history = [...chat('abcd'), user('now')];
    const first = await new ManagerHarness({contextTokens: 2_000}, {store}).contents(history);
    const next = new ManagerHarness({contextTokens: 2_000}, {store});
    expect(await next.contents(history)).toEqual(first);
    expect(await next.contents([...history, model('m'), user('u')])).toEqual([...first, model('m'), user('u')]);
    expect(next.records).toEqual([]);
  });

  it('drops equal turns one occurrence at a time', async () => {
    const turn = [user('ask'), model(say('A', 1_600))];
    const history = [user('first'), ...turn, ...turn, ...turn, user('now')];
    const harness = new ManagerHarness({contextTokens: 1_400, keepRecentContents: 1});
    expect(await harness.contents(history)).toEqual([user('first'), ...turn, user('now')]);
    expect(await harness.contents([user('first'), ...turn, user('now')])).toEqual([user('first'), user('now')]);
  });
});
