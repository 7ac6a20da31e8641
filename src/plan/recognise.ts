import type {MeasuredContent, MeasuredRequest} from '../estimate/measure.ts';
import {type Bounds, mayDrop, mayElide} from './bounds.ts';
import type {Decisions} from './decisions.ts';
import {Elisions} from './elisions.ts';
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
    view.useElisions(
      view.isUntouched ? allElisions(request, decisions, bounds) : shownElisions(view, decisions, bounds),
    );
  }
  return view;
}

function shownElisions(view: View, decisions: Decisions, bounds: Bounds): Elisions {
  return Elisions.none.with(
    placedAnswers(view.request).filter(
      (answer) => view.isShown(answer.content) && mayElide(answer, bounds) && isDecided('elision', answer, decisions),
    ),
  );
}

/** What was recognised in a request, and by what. Holds nothing that leads to a request: it lives as long as the next one. */
interface Recognised extends Pick<Bounds, 'recentStart' | 'preserveToolNames' | 'hasPins'> {
  readonly elisions: Elisions;
  readonly decisions: Decisions;
  readonly version: number;
}

const recognised = new WeakMap<readonly MeasuredContent[], Recognised>();

/** The elisions in a request of which nothing is folded or dropped. Those of a request it goes on from are taken over. */
function allElisions(request: MeasuredRequest, decisions: Decisions, bounds: Bounds): Elisions {
  const {version} = decisions;
  const earlier = earlierElisions(request, decisions, bounds);
  const start = earlier?.recentStart ?? 0;
  const answers = placedAnswers(request);
  const added = answers
    .slice(answers.findLastIndex((answer) => answer.content < start) + 1)
    .filter((answer) => mayElide(answer, bounds) && isDecided('elision', answer, decisions));
  const elisions = (earlier?.elisions ?? Elisions.none).with(added);
  const {recentStart, preserveToolNames, hasPins} = bounds;
  recognised.set(request.measured, {elisions, decisions, version, recentStart, preserveToolNames, hasPins});
  return elisions;
}

function earlierElisions({base}: MeasuredRequest, decisions: Decisions, bounds: Bounds): Recognised | undefined {
  const earlier = base && recognised.get(base.measured);
  const stillHolds =
    earlier?.decisions === decisions &&
    earlier.version === decisions.version &&
    !earlier.hasPins &&
    !bounds.hasPins &&
    earlier.preserveToolNames === bounds.preserveToolNames &&
    earlier.recentStart <= Math.min(bounds.recentStart, base?.shared ?? 0);
  return stillHolds ? earlier : undefined;
}

function isDecided(
  kind: 'elision' | 'drop',
  item: {identity: string | undefined; occurrence: number},
  decisions: Decisions,
): boolean {
  return item.identity !== undefined && item.occurrence <= decisions.occurrences(kind, item.identity);
}
