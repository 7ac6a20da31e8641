import {addText, JsonCost} from './text-cost.ts';

const LARGEST = 1e9;
const LONGEST_INTEGER = 9;
/** With the integer digits no more than the 15 that every double holds. */
const LONGEST_FRACTION = 6;
const FRACTION_UNITS = 10 ** LONGEST_FRACTION;

/** What a number costs, by how many digits it has before and after the point: digits cost alike. */
const COSTS: readonly (readonly JsonCost[])[] = Array.from({length: LONGEST_INTEGER + 1}, (_, integer) =>
  Array.from({length: LONGEST_FRACTION + 1}, (_, fraction) =>
    writtenCost(`${'9'.repeat(integer)}${fraction > 0 ? '.' : ''}${'9'.repeat(fraction)}`),
  ),
);

/** Adds a finite number. The usual ones, few digits on both sides of the point, are costed without writing them out. */
export function addNumber(cost: JsonCost, value: number): void {
  const added = usualCost(value) ?? writtenCost(String(value));
  cost.bytes += added.bytes;
  cost.millitokens += added.millitokens;
}

function usualCost(value: number): JsonCost | undefined {
  if (value < 0 || value >= LARGEST) {
    return undefined;
  }
  const integer = Math.trunc(value);
  if (integer === value) {
    return COSTS[digits(integer)]?.[0];
  }
  const units = Math.round(value * FRACTION_UNITS);
  // A double is written with the fewest digits that name it: with these, when they do.
  return units / FRACTION_UNITS === value ? COSTS[digits(integer)]?.[fractionDigits(units)] : undefined;
}

function digits(integer: number): number {
  let count = 1;
  for (let power = 10; power <= integer; power *= 10) {
    count += 1;
  }
  return count;
}

function fractionDigits(units: number): number {
  let count = LONGEST_FRACTION;
  for (let rest = units; rest % 10 === 0; rest /= 10) {
    count -= 1;
  }
  return count;
}

function writtenCost(text: string): JsonCost {
  const cost = new JsonCost();
  addText(cost, text);
  cost.bytes -= 2;
  return cost;
}
