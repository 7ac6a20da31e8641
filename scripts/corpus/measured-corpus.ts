import {countFeatures, FEATURES, type FeatureName} from '../../src/estimate/text-features.ts';
import {halves, readCorpus} from './corpus.ts';
import {fitWeights, type Observation} from './regression.ts';
import {installPackages, TokenCounter} from './tokenizer.ts';

export type Weights = Readonly<Record<FeatureName, number>>;

/** One text with its features and its true count. */
export interface MeasuredText {
  readonly text: string;
  readonly features: Float64Array;
  readonly tokens: number;
}

export interface MeasuredKind {
  readonly name: string;
  readonly fitted: readonly MeasuredText[];
  readonly heldOut: readonly MeasuredText[];
}

const PRIOR_STRENGTH = 0.001;
const TOLERATED_PERCENT = 3;
const ROUNDS = 15;

/** What a feature costs when no text says so: round numbers, a token per word, mark or emoji and a part of one per letter. */
const PRIOR: Readonly<Record<FeatureName, number>> = {
  wordAfterSpace: 1,
  wordAfterMark: 1,
  wordAfterDigit: 1,
  tagName: 1,
  hump: 0.6,
  shortHump: 0.6,
  letter8: 0.1,
  letter10: 0.1,
  openEnd: 0.1,
  rare: 0.1,
  rarest: 0.1,
  accented: 0.1,
  umlaut: 0.1,
  extended: 0.1,
  vietnamese: 0.1,
  upperRun: 0.1,
  digit: 1,
  spaceBeforeDigit: 0.1,
  spaces: 0.6,
  tab: 0.6,
  newline: 0.6,
  mark: 0.6,
  markAfterSpace: 0.6,
  ruleRun: 0.1,
  greekWord: 0.6,
  greek: 0.25,
  cyrillicWord: 0.6,
  cyrillic: 0.25,
  ukrainian: 0.1,
  hebrewWord: 0.6,
  hebrew: 0.25,
  arabicWord: 0.6,
  arabic: 0.25,
  indicWord: 0.6,
  indic: 0.25,
  otherScriptWord: 0.6,
  otherScript: 0.25,
  hangulWord: 0.6,
  hangul: 0.6,
  thai: 0.25,
  kana: 0.6,
  han: 0.6,
  traditionalHan: 0.1,
  wideMark: 1,
  symbol: 1,
  emoji: 1,
  astral: 3,
  joiner: 1,
};

/** The corpus with the true counts of its texts. Installs the tokenizer and the texts when they are missing. */
export function measureCorpus(): MeasuredKind[] {
  const packages = installPackages();
  const counter = new TokenCounter();
  const measure = (text: string): MeasuredText => {
    const counts = countFeatures(text);
    return {text, features: Float64Array.from(FEATURES, (name) => counts[name]), tokens: counter.count(text)};
  };
  const kinds = readCorpus(packages).map((kind) => {
    const {fitted, heldOut} = halves(kind);
    return {name: kind.name, fitted: fitted.map(measure), heldOut: heldOut.map(measure)};
  });
  counter.save();
  return kinds;
}

/**
 * The weights with the least squared relative error on the fitted halves, every kind counting the same; then again and
 * again with more weight on the kinds that came out badly, so that none stays far off.
 */
export function fitKinds(kinds: readonly MeasuredKind[]): Weights {
  let shares = kinds.map(() => 1);
  let weights: Weights = PRIOR;
  for (let round = 0; round < ROUNDS; round++) {
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const observations = kinds.flatMap(({fitted}, index): Observation[] => {
      const share = (shares[index] ?? 1) / mean / fitted.length;
      return fitted.map(({features, tokens}) => ({features, tokens, share}));
    });
    const values = fitWeights(
      observations,
      FEATURES.map((name) => PRIOR[name]),
      PRIOR_STRENGTH,
    );
    weights = Object.fromEntries(
      FEATURES.map((name, index) => [name, Number((values[index] ?? 0).toFixed(3))]),
    ) as Weights;
    shares = kinds.map(({fitted}, index) => {
      const excess = signedError(weights, fitted) / TOLERATED_PERCENT;
      return 0.5 * (shares[index] ?? 1) + 0.5 * (1 + excess * excess);
    });
  }
  return weights;
}

/** By how many percent the weights are off on these texts together; negative when they predict too little. */
export function signedError(weights: Weights, texts: readonly MeasuredText[]): number {
  let predicted = 0;
  let actual = 0;
  for (const {features, tokens} of texts) {
    FEATURES.forEach((name, index) => {
      predicted += weights[name] * (features[index] ?? 0);
    });
    actual += tokens;
  }
  return 100 * (predicted / actual - 1);
}
