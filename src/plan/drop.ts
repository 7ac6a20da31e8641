import type {Decision} from '../store/compaction-store.ts';
import type {CoveredItem} from '../store/records.ts';
import {type Bounds, mayDrop} from './bounds.ts';
import type {Step} from './step.ts';
import {completeTurns} from './turns.ts';
import type {View} from './view.ts';

export interface DropOptions {
  readonly bounds: Bounds;
  /** True when the request is small enough; nothing more is dropped then. */
  readonly isDone: (view: View) => boolean;
}

/** Drops whole old turns after the fold in use, oldest first, until the request is small enough. */
export function drop(from: View, options: DropOptions): Step | undefined {
  const {bounds, isDone} = options;
  if (isDone(from)) {
    return undefined;
  }
  const view = from.copy();
  const decisions: Decision[] = [];
  const covers: CoveredItem[] = [];
  for (const turn of completeTurns(view.request)) {
    if (turn.identity === undefined || !mayDrop(turn, bounds) || !view.isKept(turn.start)) {
      continue;
    }
    view.drop(turn.start, turn.end);
    decisions.push({kind: 'drop', identity: turn.identity, occurrences: turn.occurrence});
    covers.push({identity: turn.identity, index: turn.start});
    if (isDone(view)) {
      break;
    }
  }
  return covers.length > 0 ? {kind: 'drop', view, decisions, covers} : undefined;
}
