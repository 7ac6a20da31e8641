import {CLASS_OF_UNIT} from './character-classes.ts';
import {NEXT_ROW, transitionWeights} from './text-features.ts';
import {TOKEN_WEIGHTS} from './weights.ts';

const WEIGHT = transitionWeights(TOKEN_WEIGHTS);

/**
 * Tokens of a text, as a float: the weighted sum of its features. Every transition of the automaton has one weight, so a
 * text costs a few look-ups and one addition per UTF-16 unit.
 */
export function predictText(text: string): number {
  let tokens = 0;
  let row = 0;
  for (let index = 0; index < text.length; index++) {
    const cell = row + (CLASS_OF_UNIT[text.charCodeAt(index)] as number);
    tokens += WEIGHT[cell] as number;
    row = NEXT_ROW[cell] as number;
  }
  return tokens;
}
