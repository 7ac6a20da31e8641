import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type CalibrationState, expectation, learn} from '../../src/calibrate/calibration.ts';

type Sample = readonly [figure: number, reported: number];

const learnAll = (samples: readonly Sample[], from?: CalibrationState): CalibrationState | undefined =>
  samples.reduce<CalibrationState | undefined>(
    (state, [figure, reported]) => learn('features', state, figure, reported),
    from,
  );
const expected = (samples: readonly Sample[], figure: number): number =>
  expectation('features', learnAll(samples), figure);

/** Samples of a provider that counts `rate` tokens per token of the figure and `surplus` on top. */
const report = (figures: readonly number[], rate: number, surplus = 0): Sample[] =>
  figures.map((figure) => [figure, Math.round(figure * rate + surplus)]);

const steps = (from: number, to: number, step: number): number[] =>
  Array.from({length: Math.floor((to - from) / step) + 1}, (_, index) => from + index * step);

describe('the anchor of features', () => {
  it.each([
    ['nothing reported: the figure', [], 1_000, 1_000],
    ['the same figure again: what was reported', [[1_000, 1_400]], 1_000, 1_400],
    ['a change counts in full at first', [[1_000, 1_400]], 1_600, 2_000],
    ['a fall counts in full at first', [[1_000, 1_400]], 900, 1_300],
    ['never below 0', [[10_000, 5_000]], 1_000, 0],
    [
      'changes below 500 teach no rate',
      [
        [1_000, 1_000],
        [1_400, 3_000],
      ],
      2_400,
      4_000,
    ],
    [
      'a change of 500 does',
      [
        [1_000, 1_000],
        [1_500, 2_000],
      ],
      2_500,
      3_217,
    ],
    [
      'small changes add up to one that teaches',
      [
        [1_000, 1_000],
        [1_300, 1_600],
        [1_600, 2_200],
      ],
      2_600,
      3_450,
    ],
    [
      'a report that moved against the figure teaches no rate',
      [
        [1_000, 9_000],
        [3_000, 8_000],
      ],
      4_000,
      9_000,
    ],
    [
      'a rate is at most 4',
      [
        [1_000, 1_000],
        [100_000, 90_000_000],
      ],
      100_100,
      90_000_395,
    ],
    [
      'a rate is at least 0.25',
      [
        [1_000, 1_000],
        [10_000_000, 1_001],
      ],
      10_000_400,
      1_101,
    ],
  ] as const)('%s', (_, samples, figure, tokens) => {
    expect(expected(samples, figure)).toBe(tokens);
  });

  it('is an integer of at least 0 whatever was reported, and its rate stays within 0.25 and 4', () => {
    const sample = fc.tuple(fc.nat(2_000_000), fc.oneof(fc.integer({min: 1, max: 100_000_000}), fc.double()));
    fc.assert(
      fc.property(fc.array(sample), fc.nat(2_000_000), (samples, figure) => {
        const state = learnAll(samples);
        const tokens = expectation('features', state, figure);
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
        const rise = expectation('features', state, 9_000_000) - expectation('features', state, 8_000_000);
        expect(rise).toBeGreaterThanOrEqual(state?.marginal === undefined ? 0 : 249_999);
        expect(rise).toBeLessThanOrEqual(4_000_001);
      }),
    );
  });

  it.each([0.6, 1, 1.25, 1.88, 2.4])('finds a rate of %s within a few calls', (rate) => {
    const samples = report(steps(5_000, 60_000, 5_000), rate);
    expect(Math.abs(expected(samples, 100_000) / (100_000 * rate) - 1)).toBeLessThan(0.03);
  });

  it.each([0.6, 1.25, 2.4])('is right after an elision of 60 % at a rate of %s', (rate) => {
    const samples = report(steps(4_000, 100_000, 4_000), rate, 6_000);
    const truth = 40_000 * rate + 6_000;
    expect(Math.abs(expected(samples, 40_000) / truth - 1)).toBeLessThan(0.01);
  });

  it.each([3_000, 15_000, 40_000, 80_000])(
    'a constant surplus of %s learnt in small turns stays a constant',
    (surplus) => {
      const samples = report(steps(300, 6_000, 300), 1, surplus);
      expect(expected(samples, 100_000)).toBe(100_000 + surplus);
      expect(expected(samples.slice(0, 1), 100_000)).toBe(100_000 + surplus);
    },
  );

  it('a first report that is far above a large figure is taken for a rate, so that what is left after a cut is not overestimated', () => {
    expect(expected([[150_000, 360_000]], 60_000)).toBeGreaterThan(120_000);
    expect(expected([[150_000, 360_000]], 60_000)).toBeLessThan(180_000);
  });

  it('two odd samples at the start are forgotten', () => {
    const odd: Sample[] = [
      [1_000, 4_000],
      [1_600, 60_000],
      [2_300, 2_400],
    ];
    const samples = [...odd, ...report(steps(4_000, 60_000, 2_000), 1.2)];
    expect(Math.abs(expected(samples, 100_000) / 120_000 - 1)).toBeLessThan(0.03);
  });

  it('one odd report in the middle leaves the call after the next as it was', () => {
    const before = report(steps(2_000, 60_000, 2_000), 1.2);
    const samples = [...before, [62_000, 900] as const, ...report([64_000], 1.2)];
    expect(Math.abs(expected(samples, 66_000) / (66_000 * 1.2) - 1)).toBeLessThan(0.06);
  });

  it('a picture that is predicted too low leaves the text turns that follow at their rate', () => {
    const samples: Sample[] = [...report(steps(1_000, 5_000, 1_000), 1), [6_032, 6_300], [7_032, 7_300]];
    expect(Math.abs(expected(samples, 10_000) - 10_268)).toBeLessThan(250);
  });
});
