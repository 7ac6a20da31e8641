import type {MeasuredRequest} from '../estimate/measure.ts';
import {type Bounds, mayDrop, mayElide} from './bounds.ts';
import type {Decisions} from './decisions.ts';
import {placedAnswers} from './placed-answers.ts';
import {completeTurns} from './turns.ts';
import {type FoldInUse, View} from './view.ts';

/**
 * Applies earlier decisions to a request: the fold in use, then drops, then elisions, each wherever it covers something
 * and the bounds still allow it. What covers nothing in this request is kept for later ones.
 */
export function recognise(request: MeasuredRequest, decisions: Decisions, bounds: Bounds, fold?: FoldInUse): View {
  const view = new View(request);
  if (fold) {
    view.useFold(fold);
  }
  if (decisions.has('drop')) {
    for (const turn of completeTurns(request)) {
      if (turn.start >= (fold?.split ?? 0) && isDecided('drop', turn, decisions) && mayDrop(turn, bounds)) {
        view.drop(turn.start, turn.end);
      }
    }
  }
  if (decisions.has('elision')) {
    const elided = placedAnswers(request).filter(
      (answer) => view.isShown(answer.content) && mayElide(answer, bounds) && isDecided('elision', answer, decisions),
    );
    view.elide(elided);
  }
  return view;
}

function isDecided(
  kind: 'elision' | 'drop',
  item: {identity: string | undefined; occurrence: number},
  decisions: Decisions,
): boolean {
  return item.identity !== undefined && item.occurrence <= decisions.occurrences(kind, item.identity);
}
