import type {MeasuredRequest} from '../estimate/measure.ts';
import {RequestFact} from '../estimate/request-facts.ts';
import {type AnswerFacts, answerFacts} from './answers.ts';
import {OccurrenceCounter} from './identity.ts';

/** An answer at its place, with which occurrence of its identity it is (0 without an identity). */
export interface PlacedAnswer extends AnswerFacts {
  /** Index of the content. */
  readonly content: number;
  readonly occurrence: number;
}

interface Placement {
  readonly answers: readonly PlacedAnswer[];
  /** How many contents, from the first on, were looked at. */
  readonly placed: number;
  /** Handed on to the request that goes on from this one; without it a placement starts afresh. */
  counter: OccurrenceCounter | undefined;
}

const placements = new RequestFact<Placement>();

/** Every answer of the request in order. What a request shares with the one before it is placed once. */
export function placedAnswers(request: MeasuredRequest): readonly PlacedAnswer[] {
  const known = placements.of(request);
  if (known?.placed === request.measured.length) {
    return known.answers;
  }
  const {answers, counter, placed} = known?.counter ? {...known, counter: known.counter} : takeOver(request);
  const added: PlacedAnswer[] = [];
  for (let index = placed; index < request.measured.length; index += 1) {
    const measured = request.measured[index];
    const content = request.contents[index];
    for (const facts of measured && content ? answerFacts(measured, content) : []) {
      const occurrence = facts.identity === undefined ? 0 : counter.next(facts.identity);
      added.push({...facts, content: index, occurrence});
    }
  }
  const all = added.length === 0 ? answers : [...answers, ...added];
  placements.keep(request, {answers: all, counter, placed: request.measured.length});
  return all;
}

/** For a request whose answers need not be placed now: keeps what is known for the one that goes on from it. */
export function leaveUnplaced(request: MeasuredRequest): void {
  if (placements.ofBase(request) && !placements.of(request)) {
    placements.keep(request, takeOver(request));
  }
}

/** What still holds of the earlier request's placement. */
function takeOver(request: MeasuredRequest): Placement & {counter: OccurrenceCounter} {
  const earlier = placements.ofBase(request);
  const shared = request.base?.shared ?? 0;
  const counter = earlier?.counter;
  if (!earlier || !counter) {
    return {answers: [], counter: new OccurrenceCounter(), placed: 0};
  }
  earlier.counter = undefined;
  const end = earlier.answers.findLastIndex((answer) => answer.content < shared) + 1;
  for (const {identity} of earlier.answers.slice(end)) {
    if (identity !== undefined) {
      counter.takeBack(identity);
    }
  }
  const answers = end === earlier.answers.length ? earlier.answers : earlier.answers.slice(0, end);
  return {answers, counter, placed: Math.min(earlier.placed, shared)};
}
