import {describe, expect, it} from 'vitest';
import {expectation, learn} from '../../src/calibrate/calibration.ts';
import {isSample} from '../../src/calibrate/samples.ts';

describe('isSample', () => {
  it.each([1, 100, 100_000_000])('takes %s', (count) => {
    expect(isSample(count)).toBe(true);
  });

  it.each([0, -1, 1.5, 100_000_001, Number.NaN, Number.POSITIVE_INFINITY, '100', null, undefined, 10n, {}])(
    'refuses %s',
    (count) => {
      expect(isSample(count)).toBe(false);
    },
  );
});

describe.each(['features', 'bytes'] as const)('learning by %s', (estimator) => {
  it.each([0, -5, 1.5, 100_000_001, Number.NaN, Number.POSITIVE_INFINITY])(
    'learns nothing from a count of %s',
    (count) => {
      const state = learn(estimator, undefined, 10_000, 12_000);
      expect(learn(estimator, state, 20_000, count)).toEqual(state);
      expect(expectation(estimator, learn(estimator, undefined, 20_000, count), 5_000)).toBe(5_000);
    },
  );

  it('leaves the state it was given unchanged', () => {
    const state = Object.freeze(learn(estimator, undefined, 10_000, 12_000));
    expect(learn(estimator, state, 20_000, 30_000)).not.toEqual(state);
  });

  it('reads the same back from JSON', () => {
    const state = [9_000, 12_345, 4_000].reduce(
      (learnt, figure) => learn(estimator, learnt, figure, Math.round(figure * 1.37)),
      learn(estimator, undefined, 1_000, 1_377),
    );
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    expect(Object.values(state).every(Number.isFinite)).toBe(true);
  });

  it.each([
    ['no members', {}],
    ['not a number', {factor: 'x', figure: 'x'}],
    [
      'NaN',
      {factor: Number.NaN, figure: Number.NaN, reported: 5, marginal: 1, weight: 1, baseFigure: 1, baseReported: 1},
    ],
    ['out of bounds', {factor: 20, figure: 1, reported: 5, marginal: 20, weight: 1, baseFigure: 1, baseReported: 1}],
    ['a member missing', {figure: 1_000, reported: 50_000, marginal: 1}],
    ['negative', {factor: -1, figure: -1, reported: 5, marginal: 1, weight: 1, baseFigure: 1, baseReported: 1}],
    ['null', null],
  ])('takes a damaged state for none: %s', (_, state) => {
    const damaged = state as unknown as Record<string, number>;
    expect(expectation(estimator, damaged, 7_000)).toBe(7_000);
    expect(learn(estimator, damaged, 7_000, 9_000)).toEqual(learn(estimator, undefined, 7_000, 9_000));
  });
});

it('takes the state of the other estimator for none', () => {
  expect(expectation('bytes', learn('features', undefined, 1_000, 1_900), 500)).toBe(500);
  expect(expectation('features', learn('bytes', undefined, 1_000, 1_900), 500)).toBe(500);
});
