import {jsonStringByteLength} from '../json/byte-length.ts';
import {
  COPY_FROM_LENGTH,
  copyPairs,
  copyUnits,
  firstOf,
  isSurrogate,
  secondOf,
  UNITS,
  UNITS_LENGTH,
} from '../json/utf16-units.ts';
import {CHARACTER_CLASSES, CLASS_OF_UNIT} from './character-classes.ts';
import {NEXT_ROW, transitionWeights} from './text-features.ts';
import {TOKEN_WEIGHTS} from './weights.ts';

/** Weights have three decimals, so thousandths are exact. No sum over a block of units leaves the 32-bit integers. */
export const MILLITOKENS = 1_000;

/** What JSON costs: a sum that is added to while the JSON is read, once for both. */
export class JsonCost {
  /** UTF-8 length of its canonical JSON. */
  bytes = 0;
  /** Predicted tokens, in thousandths: an integer. */
  millitokens = 0;
}

const ROW_BITS = 13;
const ROW_MASK = (1 << ROW_BITS) - 1;
const COLUMNS = CHARACTER_CLASSES.length;

/** What a transition weighs, in thousandths, above the row it leads to: one look-up instead of two. */
const TRANSITIONS = Int32Array.from(
  transitionWeights(TOKEN_WEIGHTS),
  (weight, cell) => (Math.round(weight * MILLITOKENS) << ROW_BITS) | (NEXT_ROW[cell] as number),
);

const COLUMN_BITS = 10;
const COLUMN_MASK = (1 << COLUMN_BITS) - 1;

/** The bytes of each UTF-16 unit above its class. A surrogate takes half of what its pair takes. */
const UNIT_COLUMNS = Uint16Array.from(CLASS_OF_UNIT, (column, unit) => (bytesOf(unit) << COLUMN_BITS) | column);

const ASCII_CLASSES = [...new Set(CLASS_OF_UNIT.subarray(0, 0x80))];
const PAIR_COLUMNS = ASCII_CLASSES.length ** 2;

/**
 * What each ASCII character adds to the bytes and the column of a pair, as its first and as its second: tables small enough to
 * stay in the processor's cache, where one over all pairs would not.
 */
const FIRST_COLUMNS = asciiColumns(ASCII_CLASSES.length);
const SECOND_COLUMNS = asciiColumns(1);

/** As `TRANSITIONS`, for two ASCII characters at once. */
const PAIR_TRANSITIONS = Int32Array.from({length: (TRANSITIONS.length / COLUMNS) * PAIR_COLUMNS}, (_, cell) => {
  const column = cell % PAIR_COLUMNS;
  const first = transitionOf(COLUMNS * Math.floor(cell / PAIR_COLUMNS), Math.floor(column / ASCII_CLASSES.length));
  const second = transitionOf(first & ROW_MASK, column % ASCII_CLASSES.length);
  return (((first >> ROW_BITS) + (second >> ROW_BITS)) << ROW_BITS) | toPairRow(second & ROW_MASK);
});

function bytesOf(unit: number): number {
  return isSurrogate(unit) ? 2 : jsonStringByteLength(String.fromCharCode(unit)) - 2;
}

function asciiColumns(factor: number): Uint16Array {
  return Uint16Array.from(
    {length: 0x80},
    (_, unit) => (bytesOf(unit) << COLUMN_BITS) + factor * ASCII_CLASSES.indexOf(CLASS_OF_UNIT[unit] as number),
  );
}

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

/** Tokens of a text, as a float: the weighted sum of its features. */
export function predictText(text: string): number {
  const cost = new JsonCost();
  addText(cost, text);
  return cost.millitokens / MILLITOKENS;
}

/** Adds a text: the bytes of `JSON.stringify(text)`, the quotes included, and the weighted sum of its features. */
export function addText(cost: JsonCost, text: string): void {
  if (text.length < COPY_FROM_LENGTH) {
    addShortText(cost, text);
  } else {
    addLongText(cost, text);
  }
}

function addShortText(cost: JsonCost, text: string): void {
  let row = 0;
  let millitokens = 0;
  let bytes = 2;
  let hasSurrogates = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const column = UNIT_COLUMNS[unit] as number;
    const transition = TRANSITIONS[row + (column & COLUMN_MASK)] as number;
    hasSurrogates ||= isSurrogate(unit);
    bytes = (bytes + (column >> COLUMN_BITS)) | 0;
    millitokens = (millitokens + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  // A lone surrogate is escaped, and takes more than half a pair.
  cost.bytes += hasSurrogates ? jsonStringByteLength(text) : bytes;
  cost.millitokens += millitokens;
}

function addLongText(cost: JsonCost, text: string): void {
  const {bytes} = cost;
  let row = 0;
  if (text.length <= UNITS_LENGTH) {
    addBlock(cost, text, row);
  } else {
    for (let start = 0; start < text.length; start += UNITS_LENGTH) {
      row = addBlock(cost, text.slice(start, start + UNITS_LENGTH), row);
    }
  }
  cost.bytes = text.isWellFormed() ? cost.bytes + 2 : bytes + jsonStringByteLength(text);
}

/** Adds one block of a text that was read as far as `row`. Gives the row it was read to. */
function addBlock(cost: JsonCost, block: string, row: number): number {
  if (!copyPairs(block)) {
    copyUnits(block);
    return addUnits(cost, block.length, row);
  }
  const next = addPairs(cost, block.length >> 1, row);
  if (block.length % 2 === 0) {
    return next;
  }
  UNITS[0] = block.charCodeAt(block.length - 1);
  return addUnits(cost, 1, next);
}

function addUnits(cost: JsonCost, length: number, start: number): number {
  let row = start;
  let millitokens = 0;
  let bytes = 0;
  for (let index = 0; index < length; index++) {
    const column = UNIT_COLUMNS[UNITS[index] as number] as number;
    const transition = TRANSITIONS[row + (column & COLUMN_MASK)] as number;
    bytes = (bytes + (column >> COLUMN_BITS)) | 0;
    millitokens = (millitokens + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  cost.bytes += bytes;
  cost.millitokens += millitokens;
  return row;
}

function addPairs(cost: JsonCost, length: number, start: number): number {
  let row = toPairRow(start);
  let millitokens = 0;
  let bytes = 0;
  for (let index = 0; index < length; index++) {
    const pair = UNITS[index] as number;
    const column = (FIRST_COLUMNS[firstOf(pair)] as number) + (SECOND_COLUMNS[secondOf(pair)] as number);
    const transition = PAIR_TRANSITIONS[row + (column & COLUMN_MASK)] as number;
    bytes = (bytes + (column >> COLUMN_BITS)) | 0;
    millitokens = (millitokens + (transition >> ROW_BITS)) | 0;
    row = transition & ROW_MASK;
  }
  cost.bytes += bytes;
  cost.millitokens += millitokens;
  return fromPairRow(row);
}
