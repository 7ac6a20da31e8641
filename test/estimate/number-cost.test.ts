import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {addNumber} from '../../src/estimate/number-cost.ts';
import {addText, JsonCost} from '../../src/estimate/text-cost.ts';

function costs(value: number): {readonly number: JsonCost; readonly text: JsonCost} {
  const [number, text] = [new JsonCost(), new JsonCost()];
  addNumber(number, value);
  addText(text, String(value));
  text.bytes -= 2;
  return {number, text};
}

describe('a number costs what its text does', () => {
  const decimal = fc
    .tuple(fc.integer({min: 0, max: 2e9}), fc.integer({min: 0, max: 9}))
    .map(([units, places]) => units / 10 ** places);

  it('whatever the number', () => {
    fc.assert(
      fc.property(fc.oneof(decimal, fc.integer(), fc.double({noDefaultInfinity: true, noNaN: true})), (value) => {
        const {number, text} = costs(value);
        expect(number).toEqual(text);
      }),
      {numRuns: 5_000},
    );
  });

  it.each([
    0,
    -0,
    1,
    9,
    10,
    99,
    100,
    999_999_999,
    1e9,
    1e21,
    -1,
    0.1,
    0.5,
    10.01,
    1.005,
    0.000001,
    0.0000001,
    0.123456,
    0.1234567,
    999_999_999.999999,
    999_999_999.9999999,
    123_456_789.123456,
    0.1 + 0.2,
    1 / 3,
    5e-324,
    Number.MAX_SAFE_INTEGER,
  ])('%d', (value) => {
    const {number, text} = costs(value);
    expect(number).toEqual(text);
  });
});
