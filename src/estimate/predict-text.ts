import {CLASS_OF_UNIT} from './character-classes.ts';
import {NEXT_ROW, transitionWeights} from './text-features.ts';
import {TOKEN_WEIGHTS} from './weights.ts';

/** Weights have three decimals, so thousandths are exact. */
const SCALE = 1_000;
const ROW_BITS = 12;
const ROW_MASK = (1 << ROW_BITS) - 1;
/** No sum over so many units leaves the 32-bit integers. */
const BLOCK = 65_536;

/** What a transition weighs, in thousandths, above the row it leads to: one look-up instead of two. */
const TRANSITIONS = Int32Array.from(
  transitionWeights(TOKEN_WEIGHTS),
  (weight, cell) => (Math.round(weight * SCALE) << ROW_BITS) | (NEXT_ROW[cell] as number),
);

/** Tokens of a text, as a float: the weighted sum of its features. */
export function predictText(text: string): number {
  let thousandths = 0;
  let row = 0;
  for (let start = 0; start < text.length; start += BLOCK) {
    const end = Math.min(start + BLOCK, text.length);
    let sum = 0;
    for (let index = start; index < end; index++) {
      const transition = TRANSITIONS[row + (CLASS_OF_UNIT[text.charCodeAt(index)] as number)] as number;
      sum = (sum + (transition >> ROW_BITS)) | 0;
      row = transition & ROW_MASK;
    }
    thousandths += sum;
  }
  return thousandths / SCALE;
}
