import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {MemoryCompactionStore} from '../../src/index.ts';
import {compactionFaults, model, user} from '../../src/testing.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';
import {summarizer} from './fold-rig.ts';

const text = (pick: number): string => `${pick} `.repeat(100);
const calling = (id: string): Content => ({role: 'model', parts: [{functionCall: {id, name: 'read', args: {id}}}]});
const answering = (id: string, pick: number): Content => ({
  role: 'user',
  parts: [{functionResponse: {id, name: 'read', response: {output: text(pick)}}}],
});

/** What may happen to a history between two calls. `pick` chooses among what is there, and names what is new. */
type Change = (contents: Content[], pick: number) => unknown;

const CHANGES: Readonly<Record<string, Change>> = {
  'a turn ends and another begins': (contents, pick) => contents.push(model(text(pick)), user(`go on ${pick}`)),
  'a call is answered': (contents, pick) => contents.push(calling(`a${pick}`), answering(`a${pick}`, pick)),
  'a long answer comes': (contents, pick) => contents.push(calling(`b${pick}`), answering(`b${pick}`, pick * 7919)),
  'an earlier call is answered once more': (contents, pick) => contents.push(answering(`a${pick}`, pick)),
  'a call stays open and the user goes on': (contents, pick) =>
    contents.push(calling(`c${pick}`), user(`stop ${pick}`)),
  'the open call is answered late': (contents, pick) => contents.push(answering(`c${pick}`, pick)),
  'a server tool runs': (contents, pick) =>
    contents.push({
      role: 'model',
      parts: [
        {toolCall: {id: `s${pick}`, toolType: 'GOOGLE_SEARCH_WEB' as never, args: {}}},
        {toolResponse: {id: `s${pick}`, toolType: 'GOOGLE_SEARCH_WEB' as never, response: {found: text(pick)}}},
      ],
    }),
  'a content changes': (contents, pick) => contents.splice(pick % contents.length, 1, user(`changed ${pick}`)),
  'a content goes': (contents, pick) => contents.length > 1 && contents.splice(pick % contents.length, 1),
  'nothing happens': () => undefined,
};

/** What the last request was estimated at. */
async function figuresOf({manager}: ManagerHarness): Promise<unknown> {
  const [scope] = (await manager.status(KEY)).scopes;
  return {estimate: scope?.estimate, pinned: scope?.pinned, prediction: scope?.prediction};
}

const USUAL = ['a turn ends and another begins', 'a call is answered', 'a long answer comes'];

const steps = fc.array(
  fc.tuple(
    fc.oneof({weight: 4, arbitrary: fc.constantFrom(...USUAL)}, fc.constantFrom(...Object.keys(CHANGES))),
    fc.nat({max: 40}),
  ),
  {minLength: 10, maxLength: 40},
);

describe.each([
  {name: 'elisions and drops', policy: {}, folds: false},
  {name: 'drops', policy: {minimumElisionTokens: 1_000_000}, folds: false},
  {name: 'elisions and folds', policy: {minimumElisionTokens: 100}, folds: true},
  {name: 'folds', policy: {minimumElisionTokens: 1_000_000}, folds: true},
])('a manager that goes on, with $name', ({policy, folds}) => {
  it('sends what one that starts now sends, and breaks no promise', async () => {
    let compared = 0;
    let kinds: string[] = [];
    await fc.assert(
      fc.asyncProperty(steps, async (changes) => {
        const store = new MemoryCompactionStore();
        const harness = (): ManagerHarness =>
          new ManagerHarness(
            {contextTokens: 1_500, keepRecentContents: 3, ...policy},
            {
              store,
              ...(folds && {
                fold: {summarizer: summarizer('What came before.'), summarizerContextTokens: 100_000, minFold: 2},
              }),
            },
          );
        const running = harness();
        const contents: Content[] = [user('start')];
        for (const [change, pick] of changes) {
          CHANGES[change]?.(contents, pick);
          const sent = await running.contents(contents);
          const starting = harness();
          const sentFresh = await starting.contents(contents);
          if (starting.records.length === 0) {
            expect(sent).toEqual(sentFresh);
            expect(await figuresOf(running)).toEqual(await figuresOf(starting));
            compared += 1;
          }
          expect(compactionFaults(contents, sent)).toEqual([]);
        }
        kinds = [...new Set([...kinds, ...running.kinds()])];
      }),
      {numRuns: 40},
    );
    expect(compared).toBeGreaterThan(500);
    expect(kinds).toEqual(expect.arrayContaining(folds ? ['fold'] : ['drop']));
  });
});
