import type {MeasuredRequest} from '../estimate/measure.ts';
import type {ResolvedPolicy} from '../policy.ts';
import {liveUserIndex} from '../request/turns.ts';
import type {PlacedAnswer} from './placed-answers.ts';
import {type CompleteTurn, startsOf} from './turns.ts';

/** What decisions, old and new, may not touch in one request. */
export interface Bounds {
  /** Index of the first content of the recent window; at most the last content's. */
  readonly recentStart: number;
  /** Index of the live user content, where the live turn starts; -1 when no turn starts at all. */
  readonly liveStart: number;
  readonly preserveToolNames: ReadonlySet<string>;
  /** True when the host pins contents, and may pin others at the next call. */
  readonly hasPins: boolean;
  /** True when the host pins the content, now: it stands whole, whatever was decided before. */
  isPinned(content: number): boolean;
}

/** @param messageIndex of the invocation's own user message; -1 without one */
export function boundsOf(
  request: MeasuredRequest,
  policy: Pick<ResolvedPolicy, 'keepRecentContents' | 'preserveToolNames'>,
  messageIndex: number,
): Omit<Bounds, 'hasPins' | 'isPinned'> {
  return {
    recentStart: request.contents.length - Math.max(policy.keepRecentContents, 1),
    liveStart: liveUserIndex(startsOf.of(request), messageIndex),
    preserveToolNames: policy.preserveToolNames,
  };
}

/** Content 0, the recent window, preserved tools, signed parts and pinned contents keep their answers. */
export function mayElide(answer: PlacedAnswer, bounds: Bounds): boolean {
  return (
    answer.content >= 1 &&
    answer.content < bounds.recentStart &&
    !answer.isSigned &&
    answer.identity !== undefined &&
    !bounds.preserveToolNames.has(answer.toolName) &&
    !bounds.isPinned(answer.content)
  );
}

/** Content 0, the recent window, the live turn, turns with a preserved tool or a pin and turns that share a pair stay. */
export function mayDrop(turn: CompleteTurn, bounds: Bounds): boolean {
  return (
    turn.start >= 1 &&
    turn.end <= bounds.recentStart &&
    turn.end <= bounds.liveStart &&
    !turn.sharesPairs &&
    turn.identity !== undefined &&
    ![...turn.toolNames].some((name) => bounds.preserveToolNames.has(name)) &&
    !hasPinned(turn, bounds)
  );
}

function hasPinned({start, end}: CompleteTurn, bounds: Bounds): boolean {
  for (let index = start; index < end; index += 1) {
    if (bounds.isPinned(index)) {
      return true;
    }
  }
  return false;
}
