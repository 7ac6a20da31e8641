import {describe, expect, it} from 'vitest';
import {dollarTexts, shareText} from '../../src/report/number-text.ts';

describe('a share', () => {
  it.each([
    [0.9561, 1, '95.6 %'],
    [-0.0021, 1, '-0.2 %'],
    [-0.0004, 1, '0.0 %'],
    [-0, 2, '0.00 %'],
    [-0.004, 0, '0 %'],
    [-0.006, 0, '-1 %'],
    [1, 0, '100 %'],
  ])('%d with %i decimals is %s: what rounds to nothing has no sign', (share, digits, text) => {
    expect(shareText(share, digits)).toBe(text);
  });
});

describe('prices side by side', () => {
  it.each([
    [
      [1.4512, 0.963],
      ['1.45', '0.96'],
    ],
    [
      [0.0026, 0.00291],
      ['0.0026', '0.0029'],
    ],
    [
      [12.5, 0.0314],
      ['12.500', '0.031'],
    ],
    [
      [0, 0.1],
      ['0.00', '0.10'],
    ],
    [
      [0, 0],
      ['0.00', '0.00'],
    ],
    [[0.000_000_01], ['0.000000']],
    [[], []],
  ])('%j have the decimals that show two figures of the smallest', (costs, texts) => {
    expect(dollarTexts(costs)).toEqual(texts);
  });
});
