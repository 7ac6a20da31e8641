import type {Content, Part} from '@google/genai';
import {answersFollowCalls} from '../request/answers-follow-calls.ts';
import {pairUp} from '../request/pairs.ts';
import {arePairsInPlace} from '../request/pairs-in-place.ts';
import {answerOf, dataMember, hasAnswers, partsOf} from '../request/parts.ts';
import {ELISION_MARKER} from './elide-part.ts';
import type {Rendered} from './view.ts';

/** A promise that a plan would break. */
export type BrokenPromise =
  | 'no-contents'
  | 'last-content-changed'
  | 'first-content-not-user'
  | 'empty-content'
  | 'unfit-summary'
  | 'part-changed'
  | 'order-changed'
  | 'pair-split'
  | 'estimate-grew';

export interface VerifyFigures {
  /** Deciding figure of the request as it came in, orphans repaired. */
  readonly before: number;
  /** Deciding figure of the request as it would go out. */
  readonly after: number;
}

/**
 * Checks a rendered plan against the contents it was made from. It looks at the result alone and trusts nothing the planner
 * says but the source index of each content. Empty when every promise holds.
 */
export function verify(before: readonly Content[], plan: Rendered, figures: VerifyFigures): BrokenPromise[] {
  const {contents: after, sources} = plan;
  const broken = new Set<BrokenPromise>();
  if (after.length === 0 && before.length > 0) {
    broken.add('no-contents');
  }
  if (after.at(-1) !== before.at(-1)) {
    broken.add('last-content-changed');
  }
  if (opensWithUser(before) && !opensWithUser(after)) {
    broken.add('first-content-not-user');
  }
  let previous = -1;
  for (let index = 0; index < after.length; index += 1) {
    const content = after[index] as Content;
    const source = sources[index] ?? -1;
    const original = before[source];
    if (source === -1 ? previous !== -1 : source <= previous) {
      broken.add('order-changed');
    }
    previous = source === -1 ? previous : source;
    if (content === original) {
      continue;
    }
    if (partsOf(content).length === 0 && (!original || partsOf(original).length > 0)) {
      broken.add('empty-content');
    }
    if (original && !isWhole(original, content)) {
      broken.add('part-changed');
    }
  }
  if (!isFit(after.filter((_, index) => sources[index] === -1))) {
    broken.add('unfit-summary');
  }
  if (leavesOut(before, plan) && splitsPair(before, sources)) {
    broken.add('pair-split');
  }
  if (figures.after > figures.before) {
    broken.add('estimate-grew');
  }
  return [...broken];
}

function opensWithUser(contents: readonly Content[]): boolean {
  return contents[0]?.role === 'user' && !hasAnswers(contents[0]);
}

/** True when a provider takes what stands for a fold: it comes from an endpoint or an option, and may be anything. */
function isFit(summary: readonly Content[]): boolean {
  return (
    summary.every(
      (content) =>
        (content?.role === 'user' || content?.role === 'model') &&
        partsOf(content).every((part) => isFitPart(part, content.role)),
    ) && answersFollowCalls(summary)
  );
}

function isFitPart(part: Part, role: string | undefined): boolean {
  return dataMember(part) !== undefined && part.text !== '' && (!part.functionCall || role === 'model');
}

// Members that eliding may change.
const PARTS = {parts: true} as const;
const BODY = {response: true, parts: true} as const;
const ANSWERS = {functionResponse: {functionResponse: true}, toolResponse: {toolResponse: true}} as const;

/** The same object, or one with the same parts in the same order but for elided answer bodies. */
function isWhole(original: Content, content: Content): boolean {
  if (original === content) {
    return true;
  }
  const originalParts = partsOf(original);
  const parts = partsOf(content);
  return (
    hasSameMembers(original, content, PARTS) &&
    parts.length === originalParts.length &&
    parts.every((part, index) => part === originalParts[index] || isElided(originalParts[index], part))
  );
}

function isElided(original: Part | undefined, part: Part): boolean {
  if (!original || answerOf(original) === undefined || original.thoughtSignature !== undefined) {
    return false;
  }
  const kind = original.functionResponse ? 'functionResponse' : 'toolResponse';
  const answer = part[kind];
  return (
    answer !== undefined &&
    isMarker(answer.response) &&
    !('parts' in answer) &&
    hasSameMembers(original, part, ANSWERS[kind]) &&
    hasSameMembers(original[kind] ?? {}, answer, BODY)
  );
}

function isMarker(response: Record<string, unknown> | undefined): boolean {
  return response?.output === ELISION_MARKER && hasNoOther(response, {output: true});
}

/** True when all other members are the very same values: what a plan keeps, it does not copy. Makes no garbage. */
function hasSameMembers(original: object, copy: object, changed: Readonly<Record<string, true>>): boolean {
  for (const name in original) {
    if (!Object.hasOwn(changed, name) && (original as Members)[name] !== (copy as Members)[name]) {
      return false;
    }
  }
  return hasNoOther(copy, original, changed);
}

/** True when every member of `object` has a name that one of the others has. */
function hasNoOther(object: object, known: object, alsoKnown: object = known): boolean {
  for (const name in object) {
    if (!Object.hasOwn(known, name) && !Object.hasOwn(alsoKnown, name)) {
      return false;
    }
  }
  return true;
}

type Members = Readonly<Record<string, unknown>>;

/** Sources are in order: as many as there are contents, and none a summary, are all of them. */
function leavesOut(before: readonly Content[], {contents: after, sources}: Rendered): boolean {
  return after.length !== before.length || sources[0] === -1;
}

function splitsPair(before: readonly Content[], sources: readonly number[]): boolean {
  const kept = new Set(sources);
  if (arePairsInPlace(before)) {
    return before.some((content, index) => kept.has(index) !== kept.has(index - 1) && hasAnswers(content));
  }
  return pairUp(before).answers.some(
    (answer) => answer.call && kept.has(answer.content) !== kept.has(answer.call.content),
  );
}
