import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {chooseSplit} from '../../src/fold/cut.ts';
import {historyOf} from '../../src/fold/history.ts';
import {pairUp} from '../../src/request/pairs.ts';
import {type Answer, callsOnly, contents, frozen, isPinned, rig, says, summaryOf, weigh} from './notation.ts';

/** Lists of paired calls: parallel, interleaved, answered late or never, with texts, thoughts and notes between. */
const history = fc
  .array(
    fc.oneof(
      {weight: 3, arbitrary: fc.constantFrom('u20', 'u30', 'a20', 't10', 'n5', 'P10', 'a10+t5')},
      {weight: 2, arbitrary: fc.record({open: fc.array(fc.nat(3), {minLength: 1, maxLength: 3})})},
      {weight: 3, arbitrary: fc.record({close: fc.integer({min: 1, max: 3})})},
    ),
    {minLength: 1, maxLength: 24},
  )
  .map((steps) => {
    const words: string[] = [];
    const open: string[] = [];
    let ids = 0;
    for (const step of steps) {
      if (typeof step === 'string') {
        words.push(step);
      } else if ('open' in step) {
        const fresh = step.open.map((weight) => `c${5 + weight}#x${ids++}`);
        open.push(...fresh.map((call) => call.slice(call.indexOf('#'))));
        words.push(fresh.join('+'));
      } else {
        const closed = open.splice(0, step.close).map((id) => `r8${id}`);
        if (closed.length > 0) {
          words.push(closed.reverse().join('+'));
        }
      }
    }
    return contents(words.join(' '));
  })
  .filter((list) => list.length > 0);

const answers = fc.array(
  fc.constantFrom<Answer>(
    summaryOf(10),
    summaryOf(200),
    callsOnly,
    says({text: 'cut'}, undefined, 'MAX_TOKENS'),
    () => Promise.reject(new Error('down')),
    [],
  ),
  {minLength: 1, maxLength: 6},
);

/** Contents of the result that answer a call which is not in it. */
function orphans(result: readonly Content[], list: readonly Content[]): unknown[] {
  return pairUp(list).answers.filter(({content, call}) => {
    const kept = (index: number): boolean => result.includes(list[index] as Content);
    return kept(content) && !(call && kept(call.content));
  });
}

describe('properties', () => {
  it('11: every answer in the result has its call in the result', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(6), async (list, keepLast) => {
        const {fold} = rig(40, keepLast, {minFold: 0, pin: isPinned});
        const result = await fold.transform(list);
        expect(orphans(result, list)).toEqual([]);
      }),
    );
  });

  it('12: neither the list nor its contents change, and a folded result is a new list', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat(6), answers, async (list, keepLast, script) => {
        const {fold, reports} = rig(40, keepLast, {minFold: 0, onError: 'continue', answers: script});
        const given = frozen(list);
        const result = await fold.transform(given);
        expect(result === given).toBe(reports.every((report) => report.error !== undefined));
      }),
    );
  });

  it('33: the result is always output, pins and the rest, over a growing list and any summariser', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(history, {minLength: 1, maxLength: 4}),
        fc.nat(4),
        answers,
        async (turns, keepLast, script) => {
          const {fold, reports, calls} = rig(60, keepLast, {onError: 'continue', pin: isPinned, answers: script});
          const list: Content[] = [];
          let inUse: (typeof reports)[number] | undefined;
          for (const turn of turns) {
            list.push(...turn);
            const [callsBefore, reportsBefore] = [calls(), reports.length];
            const result = await fold.transform(list);
            expect(calls() - callsBefore).toBeLessThanOrEqual(2);
            expect(reports.length - reportsBefore).toBeLessThanOrEqual(1);
            const made = reports.slice(reportsBefore).find((report) => report.output);
            inUse = made ?? (result === list || result[0] !== fold.last ? undefined : inUse);
            if (inUse) {
              const {output = [], pinned = [], split} = inUse;
              expect(result).toEqual([...output, ...pinned, ...list.slice(split)]);
              expect(pinned).toEqual(list.slice(0, split).filter(isPinned));
            } else {
              expect(result).toBe(list);
            }
          }
        },
      ),
    );
  });

  it('the split only ever moves earlier, and once moved has no reason to move again', () => {
    fc.assert(
      fc.property(history, fc.nat(30), (list, keepLast) => {
        const {answers: sites, calls} = pairUp(list);
        const known = historyOf(list);
        const split = chooseSplit(known, keepLast);
        expect(split).toBeLessThanOrEqual(Math.max(list.length - keepLast, 0));
        expect(sites.some((site) => site.content >= split && site.call && site.call.content < split)).toBe(false);
        expect(
          calls.some(
            (call) => call.answers.length === 0 && call.content >= known.liveUserIndex && call.content < split,
          ),
        ).toBe(false);
      }),
    );
  });

  it('the split never falls inside a range that stays whole', () => {
    fc.assert(
      fc.property(history, fc.nat(10), fc.nat(20), fc.nat(10), (list, keepLast, start, length) => {
        const range = {start, end: start + length};
        const split = chooseSplit(historyOf(list), keepLast, [range]);
        expect(split > range.start && split < range.end).toBe(false);
      }),
    );
  });

  it('the default minFold never buys a call for less than it weighs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({min: 1, max: 200}), fc.integer({min: 1, max: 60}), async (budget, length) => {
        const {fold, calls} = rig(budget, 1);
        await fold.transform(contents(`u${length} u${budget + 1}`));
        expect(calls() > 0).toBe(length >= Math.max(8, Math.floor(budget / 8)));
      }),
    );
  });
});

it('weighs by the text, so that the figures of these tests are right', () => {
  expect(weigh(contents('u20 c10#a r20#a t30 n5'))).toBe(85);
});
