import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type CalibrationState, expectation, learn} from '../../src/calibrate/calibration.ts';

const learnAll = (samples: readonly (readonly [figure: number, reported: number])[]): CalibrationState | undefined =>
  samples.reduce<CalibrationState | undefined>(
    (state, [figure, reported]) => learn('bytes', state, figure, reported),
    undefined,
  );

describe('the factor of bytes', () => {
  it.each([
    ['nothing reported', [], 1_000, 1_000],
    ['one report of 1.5 times the figure', [[1_000, 1_500]], 1_000, 1_150],
    [
      'two of them',
      [
        [1_000, 1_500],
        [1_000, 1_500],
      ],
      1_000,
      1_255,
    ],
    ['a report below the figure', [[1_000, 500]], 1_000, 850],
    ['a report of ten times the figure: at most 2', [[1_000, 10_000]], 1_000, 2_000],
    ['many reports far below the figure: at least 0.5', Array(20).fill([1_000, 10]), 1_000, 500],
    ['a figure that does not come out even is rounded up', [[1_000, 1_500]], 7, 9],
    ['a figure of 0 teaches nothing', [[0, 500]], 1_000, 1_000],
  ] as const)('%s', (_, samples, figure, expected) => {
    expect(expectation('bytes', learnAll(samples), figure)).toBe(expected);
  });

  it('stays within 0.5 and 2 whatever is reported', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1_000_000), fc.integer())), fc.nat(1_000_000), (samples, figure) => {
        const expected = expectation('bytes', learnAll(samples), figure);
        expect(expected).toBeGreaterThanOrEqual(Math.ceil(figure / 2));
        expect(expected).toBeLessThanOrEqual(figure * 2);
      }),
    );
  });
});
