import {charactersOf, copyPairs, copyUnits, UNITS, UNITS_LENGTH} from '../json/utf16-units.ts';
import {CHARACTER_CLASSES, CLASS_OF_UNIT} from './character-classes.ts';
import {NEXT_ROW, transitionWeights} from './text-features.ts';
import {TOKEN_WEIGHTS} from './weights.ts';

/** Weights have three decimals, so thousandths are exact. No sum over a block of units leaves the 32-bit integers. */
const SCALE = 1_000;
const ROW_BITS = 13;
const ROW_MASK = (1 << ROW_BITS) - 1;
const COLUMNS = CHARACTER_CLASSES.length;

/** What a transition weighs, in thousandths, above the row it leads to: one look-up instead of two. */
const TRANSITIONS = Int32Array.from(
  transitionWeights(TOKEN_WEIGHTS),
  (weight, cell) => (Math.round(weight * SCALE) << ROW_BITS) | (NEXT_ROW[cell] as number),
);

const ASCII_CLASSES = [...new Set(CLASS_OF_UNIT.subarray(0, 0x80))];
const PAIR_COLUMNS = ASCII_CLASSES.length ** 2;

/** The column of each two ASCII characters, as `copyPairs` lays them out. */
const PAIR_CLASS = Uint8Array.from({length: 0x1_0000}, (_, pair) => {
  const [first, second] = charactersOf(pair).map((unit) => ASCII_CLASSES.indexOf(CLASS_OF_UNIT[unit] as number));
  return Math.max(0, (first as number) * ASCII_CLASSES.length + (second as number));
});

/** As `TRANSITIONS`, for two ASCII characters at once. */
const PAIR_TRANSITIONS = Int32Array.from({length: (TRANSITIONS.length / COLUMNS) * PAIR_COLUMNS}, (_, cell) => {
  const column = cell % PAIR_COLUMNS;
  const first = transitionOf(COLUMNS * Math.floor(cell / PAIR_COLUMNS), Math.floor(column / ASCII_CLASSES.length));
  const second = transitionOf(first & ROW_MASK, column % ASCII_CLASSES.length);
  return (((first >> ROW_BITS) + (second >> ROW_BITS)) << ROW_BITS) | toPairRow(second & ROW_MASK);
});

function transitionOf(row: number, asciiClass: number): number {
  return TRANSITIONS[row + (ASCII_CLASSES[asciiClass] as number)] as number;
}

// Rows stay 32-bit integers: as floats they would make each look-up three times as slow.

function toPairRow(row: number): number {
  return Math.imul(row / COLUMNS, PAIR_COLUMNS);
}

function fromPairRow(row: number): number {
  return Math.imul(row / PAIR_COLUMNS, COLUMNS);
}

const COPY_FROM_LENGTH = 32;

/** How far a text is read. */
interface Reading {
  row: number;
  thousandths: number;
}

/** Tokens of a text, as a float: the weighted sum of its features. */
export function predictText(text: string): number {
  return (text.length < COPY_FROM_LENGTH ? shortThousandths(text) : longThousandths(text)) / SCALE;
}

function shortThousandths(text: string): number {
  let row = 0;
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    const transition = TRANSITIONS[row + (CLASS_OF_UNIT[text.charCodeAt(index)] as number)] as number;
    sum = (sum + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  return sum;
}

function longThousandths(text: string): number {
  const reading: Reading = {row: 0, thousandths: 0};
  if (text.length <= UNITS_LENGTH) {
    readBlock(reading, text);
  } else {
    for (let start = 0; start < text.length; start += UNITS_LENGTH) {
      readBlock(reading, text.slice(start, start + UNITS_LENGTH));
    }
  }
  return reading.thousandths;
}

function readBlock(reading: Reading, block: string): void {
  if (!copyPairs(block)) {
    copyUnits(block);
    readUnits(reading, block.length);
    return;
  }
  readPairs(reading, block.length >> 1);
  if (block.length % 2 === 1) {
    UNITS[0] = block.charCodeAt(block.length - 1);
    readUnits(reading, 1);
  }
}

function readUnits(reading: Reading, length: number): void {
  let {row} = reading;
  let sum = 0;
  for (let index = 0; index < length; index++) {
    const transition = TRANSITIONS[row + (CLASS_OF_UNIT[UNITS[index] as number] as number)] as number;
    sum = (sum + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  reading.row = row;
  reading.thousandths += sum;
}

function readPairs(reading: Reading, length: number): void {
  let row = toPairRow(reading.row);
  let sum = 0;
  for (let index = 0; index < length; index++) {
    const transition = PAIR_TRANSITIONS[row + (PAIR_CLASS[UNITS[index] as number] as number)] as number;
    sum = (sum + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  reading.row = fromPairRow(row);
  reading.thousandths += sum;
}
