import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {largestFitting} from '../../src/fold/largest-fitting.ts';

describe('the largest that fits', () => {
  it('is the last one that is not too much, whatever the steps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), {minLength: 1, maxLength: 300}),
        fc.integer({min: -1_000, max: 50_000}),
        (steps, limit) => {
          let sum = 0;
          const sizes = steps.map((step) => (sum += step));
          const found = largestFitting(sizes.length - 1, (value) => (sizes[value] ?? 0) - limit);
          const expected = sizes.findLastIndex((size) => size <= limit);
          expect(found).toBe(expected < 0 ? undefined : expected);
        },
      ),
    );
  });

  it('is found in a handful of tries where sizes grow evenly, and never in many more than halving takes', () => {
    fc.assert(
      fc.property(fc.integer({min: 1_000, max: 100_000}), fc.double({min: 0, max: 1, noNaN: true}), (high, share) => {
        const even = triesFor(high, (value) => 250 * value - Math.floor(250 * high * share));
        expect(even).toBeLessThanOrEqual(6);
        const uneven = triesFor(high, (value) => value ** 4 - (high * share) ** 4);
        expect(uneven).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(high)) + 3);
      }),
    );
  });

  it.each([
    ['nothing', () => Number.NaN, undefined],
    ['everything', () => Number.NEGATIVE_INFINITY, 100],
    ['those with a size', (value: number) => (value > 60 ? Number.NaN : -1), 60],
    ['those that are not endless', (value: number) => (value > 60 ? Number.POSITIVE_INFINITY : -1), 60],
  ])('also where sizes are no numbers: %s fits', (_, excess, expected) => {
    expect(largestFitting(100, excess)).toBe(expected);
  });
});

function triesFor(high: number, excess: (value: number) => number): number {
  let tries = 0;
  largestFitting(high, (value) => {
    tries += 1;
    return excess(value);
  });
  return tries;
}
