import type {Content} from '@google/genai';
import {Incremental} from '../estimate/incremental.ts';
import type {MeasuredContent, MeasuredRequest} from '../estimate/measure.ts';
import {type Pairs, pairUp} from '../request/pairs.ts';
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
  const shared = turnsSharingPairs(pairUp(request.contents), starts);
  const counter = new OccurrenceCounter();
  return starts.slice(0, -1).map((start, turn) => {
    const end = starts[turn + 1] ?? start;
    const identity = turnIdentity(request, start, end);
    return {
      start,
      end,
      toolNames: toolNamesIn(request.contents.slice(start, end)),
      sharesPairs: shared.has(turn),
      identity,
      occurrence: identity === undefined ? 0 : counter.next(identity),
    };
  });
}

function turnsSharingPairs(pairs: Pairs, starts: readonly number[]): Set<number> {
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

interface NamedTurn {
  readonly measured: readonly MeasuredContent[];
  readonly identity: string | undefined;
}

const namedTurns = new WeakMap<MeasuredContent, NamedTurn>();

/** Remembered by the turn's first content, good for as long as the same contents follow it. */
function turnIdentity(request: MeasuredRequest, start: number, end: number): string | undefined {
  const measured = request.measured.slice(start, end);
  const first = measured[0];
  const known = first && namedTurns.get(first);
  if (known && known.measured.length === measured.length && known.measured.every((one, at) => one === measured[at])) {
    return known.identity;
  }
  const identity = identityOf(
    request.contents.slice(start, end).map((content) => ({...content, parts: partsOf(content).map(answerSkeleton)})),
  );
  if (first) {
    namedTurns.set(first, {measured, identity});
  }
  return identity;
}
