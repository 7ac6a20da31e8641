import type {Content} from '@google/genai';
import {Incremental} from '../estimate/incremental.ts';
import type {MeasuredContent, MeasuredRequest} from '../estimate/measure.ts';
import {pairUp} from '../request/pairs.ts';
import {arePairsInPlace} from '../request/pairs-in-place.ts';
import {answerOf, callOf, partsOf} from '../request/parts.ts';
import {turnStarts} from '../request/turns.ts';
import {answerSkeleton} from './answers.ts';
import {identityOf, OccurrenceCounter} from './identity.ts';

/** A turn with an end: from a user content without answers up to the next one. */
export interface CompleteTurn {
  readonly start: number;
  /** Index after its last content. */
  readonly end: number;
  /** Tools called or answered in it. */
  readonly toolNames: ReadonlySet<string>;
  /** True when a call in it is answered in another turn, or the other way round. */
  readonly sharesPairs: boolean;
  readonly identity: string | undefined;
  /** Which occurrence of its identity it is, from 1; 0 without an identity. */
  readonly occurrence: number;
}

/** Indices of the contents that start a turn. */
export const startsOf: Incremental<readonly number[]> = new Incremental(({contents}, start, earlier = []) => {
  const added = turnStarts(contents, start);
  return added.length === 0 ? earlier : [...earlier, ...added];
});

/** The complete turns of a request, oldest first. The last turn has no end and is not among them. */
export function completeTurns(request: MeasuredRequest): CompleteTurn[] {
  const starts = startsOf.of(request);
  if (starts.length < 2) {
    return [];
  }
  const shared = turnsSharingPairs(request, starts);
  const counter = new OccurrenceCounter();
  return starts.slice(0, -1).map((start, turn) => {
    const end = starts[turn + 1] ?? start;
    const {identity, toolNames} = turnFacts(request, start, end);
    return {
      start,
      end,
      toolNames,
      sharesPairs: shared.has(turn),
      identity,
      occurrence: identity === undefined ? 0 : counter.next(identity),
    };
  });
}

/** `arePairsInPlace` of the contents. */
export const pairsInPlace: Incremental<boolean> = new Incremental(({contents}, start, earlier) =>
  arePairsInPlace(contents, earlier ? start : 0),
);

/** No answer starts a turn: where all stand right behind their calls, no turn shares any. */
function turnsSharingPairs(request: MeasuredRequest, starts: readonly number[]): Set<number> {
  if (pairsInPlace.of(request)) {
    return new Set();
  }
  const pairs = pairUp(request.contents);
  const turnOf = (content: number): number => upperBound(starts, content) - 1;
  const shared = new Set<number>();
  for (const answer of pairs.answers) {
    if (answer.call && turnOf(answer.call.content) !== turnOf(answer.content)) {
      shared.add(turnOf(answer.call.content)).add(turnOf(answer.content));
    }
  }
  return shared;
}

/** Number of values that are at most `limit`, in a sorted list. */
function upperBound(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function toolNamesIn(contents: readonly Content[]): Set<string> {
  const names = contents.flatMap((content) =>
    partsOf(content).flatMap((part) => (callOf(part) ?? answerOf(part))?.name ?? []),
  );
  return new Set(names);
}

/** What is known of the contents of a turn. */
interface TurnFacts {
  readonly measured: readonly MeasuredContent[];
  readonly identity: string | undefined;
  readonly toolNames: ReadonlySet<string>;
}

const knownTurns = new WeakMap<MeasuredContent, TurnFacts>();

/** Remembered by the turn's first content, good for as long as the same contents follow it. */
function turnFacts(request: MeasuredRequest, start: number, end: number): TurnFacts {
  const first = request.measured[start];
  const known = first && knownTurns.get(first);
  if (known && isTurn(known.measured, request.measured, start, end)) {
    return known;
  }
  const contents = request.contents.slice(start, end);
  const facts = {
    measured: request.measured.slice(start, end),
    identity: identityOf(contents.map((content) => ({...content, parts: partsOf(content).map(answerSkeleton)}))),
    toolNames: toolNamesIn(contents),
  };
  if (first) {
    knownTurns.set(first, facts);
  }
  return facts;
}

function isTurn(
  turn: readonly MeasuredContent[],
  measured: readonly MeasuredContent[],
  start: number,
  end: number,
): boolean {
  if (turn.length !== end - start) {
    return false;
  }
  for (let index = 0; index < turn.length; index += 1) {
    if (turn[index] !== measured[start + index]) {
      return false;
    }
  }
  return true;
}
