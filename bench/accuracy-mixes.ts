import type {MeasuredKind} from '../scripts/corpus/measured-corpus.ts';
import {type CalibrationState, expectation, learn} from '../src/calibrate/calibration.ts';
import {predictText} from '../src/estimate/text-cost.ts';
import type {Piece} from './accuracy-loop.ts';
import type {Call} from './accuracy-recordings.ts';

const CALLS = 30;
const CHANGE_AT = 15;
const KEPT_SHARE = 0.4;

/** What the calls of a conversation add: kinds of text in turn, and what they change to in the middle, if they do. */
const MIXES: readonly {readonly kinds: readonly string[]; readonly changingTo?: readonly string[]}[] = [
  {kinds: ['prose, English']},
  {kinds: ['TypeScript']},
  {kinds: ['logs']},
  {kinds: ['JSON, API rows']},
  {kinds: ['JSON, pretty']},
  {kinds: ['CSV, numbers']},
  {kinds: ['base64']},
  {kinds: ['prose, Japanese']},
  {kinds: ['prose, Russian']},
  {kinds: ['prose, English', 'logs']},
  {kinds: ['TypeScript', 'JSON, pretty', 'Python']},
  {kinds: ['prose, German', 'prose, Hindi', 'chat', 'HTML, page']},
  {kinds: ['prose, English'], changingTo: ['logs']},
  {kinds: ['logs'], changingTo: ['prose, English']},
  {kinds: ['base64'], changingTo: ['TypeScript']},
  {kinds: ['JSON, compact'], changingTo: ['prose, Chinese']},
];

export interface MixResult {
  readonly name: string;
  /** Calls 1 to 30, from which the expectation has been learning. */
  readonly calls: readonly Call[];
  /** The call after them, once the oldest 60 % of the contents are gone. */
  readonly afterElision: Call;
}

/** Conversations over the corpus, counted by a provider whose rate is `rate` times that of the Gemma 3 vocabulary. */
export function replayMixes(kinds: readonly MeasuredKind[], rate: number): MixResult[] {
  return MIXES.map(({kinds: first, changingTo = first}) => {
    const pools = [first, changingTo].map((names) => pool(kinds, names, rate));
    const added = Array.from({length: CALLS}, (_, index) => {
      const pieces = pools[index < CHANGE_AT ? 0 : 1] ?? [];
      return pieces[index % pieces.length] as Piece;
    });
    const calls: Call[] = [];
    let state: CalibrationState | undefined;
    for (let count = 1; count <= CALLS; count++) {
      const call = callWith(added.slice(0, count), state);
      calls.push(call);
      state = learn('features', state, call.figure, call.reported);
    }
    const name = changingTo === first ? first.join(' + ') : `${first.join(' + ')}, then ${changingTo.join(' + ')}`;
    return {name, calls, afterElision: callWith(newest(added, KEPT_SHARE), state)};
  });
}

function callWith(pieces: readonly Piece[], state: CalibrationState | undefined): Call {
  const figure = Math.round(pieces.reduce((sum, piece) => sum + piece.figure, 0));
  const reported = Math.round(pieces.reduce((sum, piece) => sum + piece.tokens, 0));
  return {figure, expected: expectation('features', state, figure), reported};
}

/** The newest pieces that make up this share of the figure. */
function newest(pieces: readonly Piece[], share: number): Piece[] {
  const kept = [...pieces];
  const goal = share * pieces.reduce((sum, piece) => sum + piece.figure, 0);
  let figure = goal / share;
  while (kept.length > 1 && figure > goal) {
    figure -= kept.shift()?.figure ?? 0;
  }
  return kept;
}

/** Held-out texts of these kinds in turn. */
function pool(kinds: readonly MeasuredKind[], names: readonly string[], rate: number): Piece[] {
  const texts = names.map((name) => {
    const kind = kinds.find((candidate) => candidate.name === name);
    if (!kind) {
      throw new Error(`The corpus has no kind ${name}.`);
    }
    return kind.heldOut;
  });
  const rounds = Math.max(...texts.map((list) => list.length));
  return Array.from({length: rounds}, (_, index) => texts.map((list) => list[index % list.length]))
    .flat()
    .flatMap((text) => (text ? [{figure: predictText(text.text), tokens: text.tokens * rate}] : []));
}
