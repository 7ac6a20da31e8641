import type {Content} from '@google/genai';
import {contentSize} from '../estimate/measure.ts';
import {RequestFact} from '../estimate/request-facts.ts';
import {addSizes, SEPARATOR, type Size, ZERO_SIZE} from '../estimate/size.ts';
import type {AppliedFold} from '../fold/applied-fold.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {drop} from '../plan/drop.ts';
import {elide} from '../plan/elide.ts';
import type {Elisions} from '../plan/elisions.ts';
import {recognise} from '../plan/recognise.ts';
import type {Step} from '../plan/step.ts';
import {pairsInPlace} from '../plan/turns.ts';
import {type BrokenPromise, verify} from '../plan/verify.ts';
import {type Cut, type FoldInUse, isSameCut, View} from '../plan/view.ts';
import type {ResolvedPolicy} from '../policy.ts';
import type {CompactionRecord} from '../store/records.ts';
import type {Situation} from './situation.ts';

/** The request as everything decided so far leaves it, with the given fold or the one in use. */
export function currentView(situation: Situation, fold = foldInUse(situation)): View {
  const {request, state, bounds} = situation;
  return recognise(request, state.decisions, bounds, fold && inRequest(fold));
}

/** The fold that stands for the beginning of the request now; another call of the scope may install one at any wait. */
export function foldInUse({state, history}: Situation): AppliedFold | undefined {
  return state.foldMemory.inUse(history);
}

interface WrittenOutput {
  readonly json: string;
  readonly size: Size;
}

const writtenOutputs = new WeakMap<readonly Content[], WrittenOutput>();

/**
 * The fold as it goes into a request: its output as a store gives it back, keys in order, so that a fold made here and one
 * restored send the same bytes; and a copy for each request, since ADK and later callbacks write into what they are given.
 */
function inRequest(fold: AppliedFold): FoldInUse {
  const {json, size} = writtenOutput(fold.output);
  return {
    identity: fold.output,
    split: fold.split,
    output: JSON.parse(json) as Content[],
    outputSize: size,
    pinned: fold.pinned.filter((pin) => typeof pin === 'number'),
  };
}

function writtenOutput(output: readonly Content[]): WrittenOutput {
  const known = writtenOutputs.get(output);
  if (known) {
    return known;
  }
  const written = {
    json: canonicalJson(output),
    size: output.reduce((size, content) => addSizes(addSizes(size, contentSize(content)), SEPARATOR), ZERO_SIZE),
  };
  writtenOutputs.set(output, written);
  return written;
}

/** The promises that the view would break. */
function brokenPromises(situation: Situation, view: View): BrokenPromise[] {
  const {request, figure} = situation;
  return verify(request.contents, view.render(), {before: figure(request.size), after: figure(view.size)});
}

/** What was left of a request when no promise was broken. */
interface Verified {
  readonly cut: Cut;
  readonly elisions: Elisions;
}

const verifiedRequests = new RequestFact<Verified>();

/** The view, or the request as it came when the view would break a promise. */
export function verified(situation: Situation, view: View): View {
  if (view.isUntouched) {
    return view;
  }
  const broken = isVerified(situation, view) ? [] : brokenPromises(situation, view);
  if (broken.length === 0) {
    verifiedRequests.keep(view.request, {cut: view.cut, elisions: view.elisions});
    return view;
  }
  situation.rejections.push(...broken);
  situation.state.warnings.raise(
    'compaction.plan.rejected',
    `Earlier decisions would have broken a promise (${broken.join(', ')}); the request goes out as it came.`,
  );
  return new View(situation.request);
}

/**
 * Contents that only stand behind a request break no promise that the same decisions kept in it, unless an answer among them
 * belongs to a call that was folded or dropped. The figure may be another model's, which counts other things.
 */
function isVerified({figure}: Situation, {request, size, cut, elisions, hasFoldOrDrops}: View): boolean {
  const known = verifiedRequests.ofStart(request);
  return (
    known !== undefined &&
    known.elisions === elisions &&
    isSameCut(known.cut, cut) &&
    figure(size) <= figure(request.size) &&
    (!hasFoldOrDrops || pairsInPlace.of(request))
  );
}

/** New elisions until the target is met; all that are possible when the compaction was asked for. */
export function elisionStep(situation: Situation, from: View, policy: ResolvedPolicy): Step | undefined {
  const {bounds, figure, isForced} = situation;
  return checkedStep(
    situation,
    elide(from, {
      bounds,
      figure,
      minimumTokens: policy.minimumElisionTokens,
      isDone: (view) => !isForced && isWithinTarget(situation, view),
    }),
  );
}

/** New drops until the target is met. */
export function dropStep(situation: Situation, from: View): Step | undefined {
  return checkedStep(
    situation,
    drop(from, {
      bounds: situation.bounds,
      isDone: (view) => isWithinTarget(situation, view),
    }),
  );
}

export function isWithinTarget(situation: Situation, view: View): boolean {
  return situation.expected(view) <= situation.targetTokens;
}

/** One record for all that a step decided. */
export function stepRecord(situation: Situation, before: View, step: Step, time: number): CompactionRecord {
  return {
    kind: step.kind,
    scope: situation.state.scope,
    time,
    tokensBefore: situation.figure(before.size),
    tokensAfter: situation.figure(step.view.size),
    covers: step.covers,
  };
}

function checkedStep(situation: Situation, step: Step | undefined): Step | undefined {
  return step && brokenByNew(situation, step.kind, step.view).length === 0 ? step : undefined;
}

/** The promises that a view with something new would break. A warning says that it is not made. */
export function brokenByNew(situation: Situation, kind: CompactionRecord['kind'], view: View): BrokenPromise[] {
  const broken = brokenPromises(situation, view);
  if (broken.length > 0) {
    situation.rejections.push(...broken);
    situation.state.warnings.raise(
      'compaction.plan.rejected',
      `A new ${kind} would have broken a promise (${broken.join(', ')}) and is not made.`,
    );
  }
  return broken;
}
