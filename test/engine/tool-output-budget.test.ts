import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {InvalidOptionsError, type SessionKey, ToolOutputBudget} from '../../src/index.ts';

const key: SessionKey = {appName: 'app', userId: 'ann', sessionId: 's1'};

describe('ToolOutputBudget', () => {
  it.each([
    ['half of what is left', 400_000, 1_000_000, 200_000],
    ['never more than wanted', 400_000, 10, 10],
    ['2,000 where half is less', 3_000, 1_000_000, 2_000],
    ['all that is left where that is less still', 1_500, 1_000_000, 1_500],
    ['nothing of nothing', 0, 5, 0],
    ['half, rounded down', 5_001, 9_999, 2_500],
  ])('grants %s', (_, limit, want, granted) => {
    expect(new ToolOutputBudget(limit).reserve(key, want).granted).toBe(granted);
  });

  it('has 400,000 bytes a session by default', () => {
    expect(new ToolOutputBudget().report(key)).toEqual({limit: 400_000, used: 0, reserved: 0});
  });

  it('settles several reservations in any order, with what was really emitted', () => {
    const budget = new ToolOutputBudget(10_000);
    const first = budget.reserve(key, 4_000);
    const second = budget.reserve(key, 4_000);
    expect([first.granted, second.granted]).toEqual([4_000, 3_000]);
    budget.consume(key, second.id, 100);
    expect(budget.report(key)).toEqual({limit: 10_000, used: 100, reserved: 4_000});
    budget.consume(key, first.id, 9_000);
    expect(budget.report(key)).toEqual({limit: 10_000, used: 9_100, reserved: 0});
    expect(budget.reserve(key, 5_000).granted).toBe(900);
  });

  it('grants nothing once more was emitted than there was', () => {
    const budget = new ToolOutputBudget(1_000);
    budget.consume(key, budget.reserve(key, 1).id, 5_000);
    expect(budget.reserve(key, 10).granted).toBe(0);
  });

  it('keeps sessions apart by all three ids', () => {
    const budget = new ToolOutputBudget(10_000);
    budget.reserve(key, 5_000);
    for (const other of [
      {...key, appName: 'b'},
      {...key, userId: 'b'},
      {...key, sessionId: 'b'},
    ]) {
      expect(budget.report(other).reserved).toBe(0);
    }
  });

  it('a reset restores the session; a reservation from before still settles', () => {
    const budget = new ToolOutputBudget(10_000);
    const open = budget.reserve(key, 5_000);
    budget.consume(key, budget.reserve(key, 1_000).id, 1_000);
    budget.reset(key);
    expect(budget.report(key)).toEqual({limit: 10_000, used: 0, reserved: 0});
    budget.consume(key, open.id, 300);
    expect(budget.report(key).used).toBe(300);
  });

  it.each([
    ['perSessionBytes', () => new ToolOutputBudget(-1)],
    ['perSessionBytes', () => new ToolOutputBudget(Number.NaN)],
    ['want', () => new ToolOutputBudget().reserve(key, 1.5)],
    ['id', () => new ToolOutputBudget().consume(key, 1, 1)],
    [
      'emitted',
      () => {
        const budget = new ToolOutputBudget();
        budget.consume(key, budget.reserve(key, 1).id, -1);
      },
    ],
  ])('names %s when it is wrong', (field, run) => {
    expect(run).toThrow(expect.objectContaining({field, constructor: InvalidOptionsError}));
  });

  it('never has more reserved and used than the limit, while tools emit what they were granted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(5_000), fc.double({min: 0, max: 1, noNaN: true}), fc.boolean())),
        (steps) => {
          const budget = new ToolOutputBudget(10_000);
          const open: {id: number; granted: number}[] = [];
          for (const [want, share, settles] of steps) {
            const reservation = budget.reserve(key, want);
            expect(reservation.granted).toBeLessThanOrEqual(want);
            open.push(reservation);
            const settled = settles ? open.shift() : undefined;
            if (settled) {
              budget.consume(key, settled.id, Math.floor(settled.granted * share));
            }
            const {used, reserved, limit} = budget.report(key);
            expect(used + reserved).toBeLessThanOrEqual(limit);
            expect(reserved).toBe(open.reduce((sum, one) => sum + one.granted, 0));
          }
        },
      ),
    );
  });
});
