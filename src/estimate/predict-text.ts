import {weighFeatures} from './text-features.ts';
import {TOKEN_WEIGHTS} from './weights.ts';

/** Tokens of a text, as a float: the weighted sum of its features. */
export const predictText: (text: string) => number = weighFeatures(TOKEN_WEIGHTS);
