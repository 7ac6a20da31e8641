import type {Figure} from '../estimate/size.ts';
import type {Decision} from '../store/compaction-store.ts';
import type {CoveredItem} from '../store/records.ts';
import {type Bounds, mayElide} from './bounds.ts';
import {placedAnswers} from './placed-answers.ts';
import type {Step} from './step.ts';
import type {View} from './view.ts';

/** A saving of one token can vanish when the whole request is rounded, and the estimate would not fall. */
const SMALLEST_SAVING_TOKENS = 2;

export interface ElideOptions {
  readonly bounds: Bounds;
  readonly figure: Figure;
  /** Bodies estimated below this are left alone, in tokens of `figure`. */
  readonly minimumTokens: number;
  /** True when the request is small enough; nothing more is elided then. */
  readonly isDone: (view: View) => boolean;
}

/** Elides old answers, oldest first, until the request is small enough. `undefined` when there is nothing to elide. */
export function elide(from: View, options: ElideOptions): Step | undefined {
  const {bounds, figure, minimumTokens, isDone} = options;
  if (isDone(from)) {
    return undefined;
  }
  const view = from.copy();
  const decisions: Decision[] = [];
  const covers: CoveredItem[] = [];
  for (const answer of placedAnswers(view.request)) {
    if (
      answer.identity === undefined ||
      !mayElide(answer, bounds) ||
      !view.isKept(answer.content) ||
      from.isElided(answer) ||
      figure(answer.body) < minimumTokens ||
      figure(answer.saved) < SMALLEST_SAVING_TOKENS
    ) {
      continue;
    }
    view.elide(answer);
    decisions.push({kind: 'elision', identity: answer.identity, occurrences: answer.occurrence});
    covers.push({identity: answer.identity, toolName: answer.toolName, index: answer.content});
    if (isDone(view)) {
      break;
    }
  }
  return covers.length > 0 ? {kind: 'elision', view, decisions, covers} : undefined;
}
