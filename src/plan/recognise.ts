import type {MeasuredRequest} from '../estimate/measure.ts';
import {RequestFact} from '../estimate/request-facts.ts';
import type {Decision} from '../store/compaction-store.ts';
import {type Bounds, mayDrop, mayElide} from './bounds.ts';
import type {Decisions} from './decisions.ts';
import {Elisions} from './elisions.ts';
import {leaveUnplaced, placedAnswers} from './placed-answers.ts';
import {completeTurns} from './turns.ts';
import {type Cut, type FoldInUse, isSameCut, View} from './view.ts';

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
    const elisions = allElisions(request, decisions, bounds);
    view.useElisions(view.isUntouched ? elisions : shownElisions(elisions, view));
  }
  return view;
}

interface Shown {
  readonly cut: Cut;
  readonly elisions: Elisions;
}

const shown = new WeakMap<Elisions, Shown>();

/** Those of the elisions in what the cut leaves. The same object for the same cut: what is known of one holds for the other. */
function shownElisions(elisions: Elisions, view: View): Elisions {
  const known = shown.get(elisions);
  if (known && isSameCut(known.cut, view.cut)) {
    return known.elisions;
  }
  const left = elisions.where((answer) => view.isShown(answer.content));
  shown.set(elisions, {cut: view.cut, elisions: left});
  return left;
}

/** What was recognised in a request, and by what. Holds nothing that leads to a request: it lives as long as the next one. */
interface Recognised extends Pick<Bounds, 'recentStart' | 'preserveToolNames' | 'hasPins'> {
  readonly elisions: Elisions;
  readonly decisions: Decisions;
  readonly version: number;
}

const recognised = new RequestFact<Recognised>();

/** The elisions in a request, were nothing of it folded or dropped. Those of a request it goes on from are taken over. */
function allElisions(request: MeasuredRequest, decisions: Decisions, bounds: Bounds): Elisions {
  const {version} = decisions;
  const earlier = earlierElisions(request, decisions, bounds);
  const elisions = isComplete(earlier) ? earlier.elisions : moreElisions(request, decisions, bounds, earlier);
  leaveUnplaced(request);
  const {recentStart, preserveToolNames, hasPins} = bounds;
  recognised.keep(request, {elisions, decisions, version, recentStart, preserveToolNames, hasPins});
  return elisions;
}

/**
 * True when everything decided is elided already. Decisions cover the first occurrences of an identity, so whatever follows is
 * no covered one, and need not even be named.
 */
function isComplete(earlier: Recognised | undefined): earlier is Recognised {
  return earlier !== undefined && earlier.elisions.count === earlier.decisions.total('elision');
}

function moreElisions(
  request: MeasuredRequest,
  decisions: Decisions,
  bounds: Bounds,
  earlier: Recognised | undefined,
): Elisions {
  const start = earlier?.recentStart ?? 0;
  const answers = placedAnswers(request);
  const added = answers
    .slice(answers.findLastIndex((answer) => answer.content < start) + 1)
    .filter((answer) => mayElide(answer, bounds) && isDecided('elision', answer, decisions));
  return (earlier?.elisions ?? Elisions.none).with(added);
}

function earlierElisions(request: MeasuredRequest, decisions: Decisions, bounds: Bounds): Recognised | undefined {
  const earlier = recognised.ofBase(request);
  const stillHolds =
    earlier?.decisions === decisions &&
    earlier.version === decisions.version &&
    !earlier.hasPins &&
    !bounds.hasPins &&
    earlier.preserveToolNames === bounds.preserveToolNames &&
    earlier.recentStart <= Math.min(bounds.recentStart, request.base?.shared ?? 0);
  return stillHolds ? earlier : undefined;
}

function isDecided(
  kind: Decision['kind'],
  item: {identity: string | undefined; occurrence: number},
  decisions: Decisions,
): boolean {
  return item.identity !== undefined && item.occurrence <= decisions.occurrences(kind, item.identity);
}
