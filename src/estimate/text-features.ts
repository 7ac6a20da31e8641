import {CHARACTER_CLASSES, type CharacterClass, CLASS_OF_UNIT} from './character-classes.ts';

/**
 * What is counted in a text. Letters of Latin words count by where the word begins and how long it is; letters of other
 * scripts one by one, with a word of their own where the script has spaces.
 */
export const FEATURES = [
  'wordAfterSpace',
  'wordAfterMark',
  'wordAfterDigit',
  'tagName',
  'hump',
  'shortHump',
  'letter8',
  'letter10',
  'openEnd',
  'rare',
  'rarest',
  'accented',
  'umlaut',
  'extended',
  'vietnamese',
  'upperRun',
  'digit',
  'spaceBeforeDigit',
  'spaces',
  'tab',
  'newline',
  'mark',
  'markAfterSpace',
  'ruleRun',
  'greekWord',
  'greek',
  'cyrillicWord',
  'cyrillic',
  'ukrainian',
  'hebrewWord',
  'hebrew',
  'arabicWord',
  'arabic',
  'indicWord',
  'indic',
  'otherScriptWord',
  'otherScript',
  'hangulWord',
  'hangul',
  'thai',
  'kana',
  'han',
  'traditionalHan',
  'wideMark',
  'symbol',
  'emoji',
  'astral',
  'joiner',
] as const;

export type FeatureName = (typeof FEATURES)[number];

/** What the automaton remembers of the text before the current unit. */
type State =
  | {readonly kind: Exclude<StateKind, 'lower' | 'upper'>}
  | {readonly kind: 'lower'; readonly length: number; readonly open: boolean}
  | {readonly kind: 'upper'; readonly length: number};
type StateKind =
  | 'other'
  | 'space'
  | 'spaces'
  | 'tab'
  | 'newline'
  | 'digit'
  | 'mark'
  | 'rule'
  | 'angle'
  | 'script'
  | 'lower'
  | 'upper';

interface Transition {
  readonly next: State;
  readonly features: readonly FeatureName[];
}

const LONGEST_LOWER = 10;
const SHORT_SEGMENT = 3;

/** The first state is the one a text begins in. */
const STATES: readonly State[] = [
  ...(['other', 'space', 'spaces', 'tab', 'newline', 'digit', 'mark', 'rule', 'angle', 'script'] as const).map(
    (kind) => ({kind}),
  ),
  ...[false, true].flatMap((open) =>
    Array.from({length: LONGEST_LOWER}, (_, index) => ({kind: 'lower' as const, length: index + 1, open})),
  ),
  {kind: 'upper', length: 1},
  {kind: 'upper', length: 2},
];

function transition(state: State, characterClass: CharacterClass): Transition {
  const step = stepFrom(state, characterClass);
  const isOpenEnd = state.kind === 'lower' && state.open && step.next.kind !== 'lower' && step.next.kind !== 'upper';
  return isOpenEnd ? {next: step.next, features: [...step.features, 'openEnd']} : step;
}

function stepFrom(state: State, characterClass: CharacterClass): Transition {
  switch (characterClass) {
    case 'openVowel':
      return lowerLetter(state, true, []);
    case 'plain':
      return lowerLetter(state, false, []);
    case 'rare':
    case 'rarest':
    case 'accented':
    case 'umlaut':
    case 'extended':
    case 'vietnamese':
      return lowerLetter(state, false, [characterClass]);
    case 'upper':
      return upperLetter(state);
    case 'digit':
      return {next: {kind: 'digit'}, features: state.kind === 'space' ? ['digit', 'spaceBeforeDigit'] : ['digit']};
    case 'space':
      if (state.kind === 'space') {
        return {next: {kind: 'spaces'}, features: ['spaces']};
      }
      return {next: {kind: state.kind === 'spaces' ? 'spaces' : 'space'}, features: []};
    case 'tab':
    case 'newline':
      return {next: {kind: characterClass}, features: state.kind === characterClass ? [] : [characterClass]};
    case 'mark':
    case 'rule':
    case 'angle':
      return {next: {kind: characterClass}, features: markFeatures(state, characterClass)};
    case 'greek':
    case 'cyrillic':
    case 'hebrew':
    case 'arabic':
    case 'indic':
    case 'otherScript':
    case 'hangul':
      return {
        next: {kind: 'script'},
        features: isInWord(state) ? [characterClass] : [`${characterClass}Word`, characterClass],
      };
    case 'ukrainian': {
      const letter = stepFrom(state, 'cyrillic');
      return {next: letter.next, features: [...letter.features, 'ukrainian']};
    }
    case 'thai':
    case 'kana':
    case 'han':
      return {next: {kind: 'script'}, features: [characterClass]};
    case 'traditionalHan':
      return {next: {kind: 'script'}, features: ['han', 'traditionalHan']};
    case 'wideMark':
    case 'symbol':
    case 'emoji':
    case 'astral':
    case 'joiner':
      return {next: {kind: 'other'}, features: [characterClass]};
    case 'lowSurrogate':
      return {next: {kind: 'other'}, features: []};
  }
}

function lowerLetter(state: State, open: boolean, extra: readonly FeatureName[]): Transition {
  if (state.kind === 'upper') {
    return {next: {kind: 'lower', length: 2, open}, features: state.length > 1 ? ['hump', ...extra] : extra};
  }
  if (state.kind !== 'lower') {
    return {next: {kind: 'lower', length: 1, open}, features: [wordStart(state), ...extra]};
  }
  const length = Math.min(state.length + 1, LONGEST_LOWER);
  const long: readonly FeatureName[] = length >= 10 ? ['letter10'] : length >= 8 ? ['letter8'] : [];
  return {next: {kind: 'lower', length, open}, features: [...long, ...extra]};
}

function upperLetter(state: State): Transition {
  if (state.kind === 'upper') {
    return {next: {kind: 'upper', length: 2}, features: ['upperRun']};
  }
  const start = state.kind !== 'lower' ? wordStart(state) : state.length > SHORT_SEGMENT ? 'hump' : 'shortHump';
  return {next: {kind: 'upper', length: 1}, features: [start]};
}

function wordStart(state: State): FeatureName {
  switch (state.kind) {
    case 'space':
      return 'wordAfterSpace';
    case 'digit':
      return 'wordAfterDigit';
    case 'angle':
      return 'tagName';
    default:
      return 'wordAfterMark';
  }
}

/** A run of marks is mostly one token. */
function markFeatures(state: State, characterClass: 'mark' | 'rule' | 'angle'): readonly FeatureName[] {
  switch (state.kind) {
    case 'mark':
    case 'angle':
      return [];
    case 'rule':
      return characterClass === 'rule' ? ['ruleRun'] : [];
    case 'space':
      return ['markAfterSpace'];
    default:
      return ['mark'];
  }
}

function isInWord(state: State): boolean {
  return state.kind === 'lower' || state.kind === 'upper' || state.kind === 'script';
}

const COLUMNS = CHARACTER_CLASSES.length;
const TRANSITIONS: readonly Transition[] = STATES.flatMap((state) =>
  CHARACTER_CLASSES.map((characterClass) => transition(state, characterClass)),
);
/** The row of the state after a transition, by row of the state before plus class. A text begins in row 0. */
export const NEXT_ROW: Uint16Array = Uint16Array.from(
  TRANSITIONS,
  ({next}) => COLUMNS * STATES.findIndex((state) => isSame(state, next)),
);

function isSame(first: State, second: State): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}

/** How often each feature occurs in a text. */
export function countFeatures(text: string): Record<FeatureName, number> {
  const counts = Object.fromEntries(FEATURES.map((name) => [name, 0])) as Record<FeatureName, number>;
  let row = 0;
  for (let index = 0; index < text.length; index++) {
    const cell = row + (CLASS_OF_UNIT[text.charCodeAt(index)] as number);
    for (const name of TRANSITIONS[cell]?.features ?? []) {
      counts[name] += 1;
    }
    row = NEXT_ROW[cell] as number;
  }
  return counts;
}

/** What each transition of the automaton weighs: the sum over its features. Indexed like `NEXT_ROW`. */
export function transitionWeights(weights: Readonly<Record<FeatureName, number>>): Float64Array {
  return Float64Array.from(TRANSITIONS, ({features}) => features.reduce((sum, name) => sum + weights[name], 0));
}
