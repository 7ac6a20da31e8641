import type {Content} from '@google/genai';
import {arePairsInPlace} from './pairs-in-place.ts';
import {answerOf, callOf, partsOf, type ToolReference} from './parts.ts';

/** A call at its place in a list of contents, with the answers that belong to it. */
export interface CallSite extends ToolReference {
  /** Index of the content. */
  readonly content: number;
  /** Index of the part in the content. */
  readonly part: number;
  readonly answers: AnswerSite[];
}

/** An answer at its place. Without `call` it is an orphan. */
export interface AnswerSite extends ToolReference {
  readonly content: number;
  readonly part: number;
  readonly call?: CallSite;
}

export interface Pairs {
  readonly calls: readonly CallSite[];
  readonly answers: readonly AnswerSite[];
}

/**
 * Pairs calls with their answers, part by part.
 *
 * An answer with an id belongs to the one call that carries it; a second answer with that id too. An answer without an
 * id, or with an id that several calls carry, belongs to the nearest earlier content that still has an unanswered call of
 * that name, and there to the first such call. An answer never belongs to a call that comes after it.
 */
export function pairUp(contents: readonly (Content | null | undefined)[]): Pairs {
  return arePairsInPlace(contents) ? pairInPlace(contents) : pairByRules(contents);
}

/** Pairs the answers of each content with the calls of the one before, where that is all there is: the rules say the same. */
function pairInPlace(contents: readonly (Content | null | undefined)[]): Pairs {
  const calls: CallSite[] = [];
  const answers: AnswerSite[] = [];
  let asked: CallSite[] = [];
  for (let index = 0; index < contents.length; index += 1) {
    const parts = partsOf(contents[index]);
    const open = asked;
    asked = [];
    let answered = 0;
    for (let part = 0; part < parts.length; part += 1) {
      const call = callOf(parts[part]);
      if (call) {
        const site: CallSite = {...call, content: index, part, answers: []};
        calls.push(site);
        asked.push(site);
      }
      const answer = answerOf(parts[part]);
      const callSite = answer && open[answered];
      if (callSite) {
        const site: AnswerSite = {...answer, content: index, part, call: callSite};
        answers.push(site);
        callSite.answers.push(site);
        answered += 1;
      }
    }
  }
  return {calls, answers};
}

/** Exported for its test: what `pairUp` gives in every case. */
export function pairByRules(contents: readonly (Content | null | undefined)[]): Pairs {
  const byId = countCallIds(contents);
  const calls: CallSite[] = [];
  const answers: AnswerSite[] = [];
  const placed = byKind<CallSite>();
  const open = byKind<CallSite[]>();

  contents.forEach((content, contentIndex) => {
    partsOf(content).forEach((part, partIndex) => {
      const call = callOf(part);
      if (call) {
        const site: CallSite = {...call, content: contentIndex, part: partIndex, answers: []};
        calls.push(site);
        push(open[call.kind], call.name, site);
        if (call.id !== undefined && byId[call.kind].get(call.id) === 1) {
          placed[call.kind].set(call.id, site);
        }
      }
      const answer = answerOf(part);
      if (answer) {
        const callSite =
          answer.id !== undefined && (byId[answer.kind].get(answer.id) ?? 0) <= 1
            ? placed[answer.kind].get(answer.id)
            : firstOpenOfNearestContent(open[answer.kind].get(answer.name), answer, contentIndex);
        const site: AnswerSite = {
          ...answer,
          content: contentIndex,
          part: partIndex,
          ...(callSite ? {call: callSite} : {}),
        };
        answers.push(site);
        if (callSite) {
          callSite.answers.push(site);
          close(open[callSite.kind].get(callSite.name), callSite);
        }
      }
    });
  });
  return {calls, answers};
}

function countCallIds(contents: readonly (Content | null | undefined)[]): ByKind<number> {
  const count = byKind<number>();
  for (const content of contents) {
    for (const part of partsOf(content)) {
      const call = callOf(part);
      if (call?.id !== undefined) {
        const counts = count[call.kind];
        counts.set(call.id, (counts.get(call.id) ?? 0) + 1);
      }
    }
  }
  return count;
}

/** Function answers stand in a later content than their call; a server tool's answer may follow in the same one. */
function firstOpenOfNearestContent(
  open: readonly CallSite[] | undefined,
  answer: ToolReference,
  contentIndex: number,
): CallSite | undefined {
  const isEarlier = (site: CallSite): boolean => site.content < contentIndex || answer.kind === 'tool';
  const nearest = open?.findLast(isEarlier);
  return nearest && open?.find((site) => site.content === nearest.content);
}

function close(sites: CallSite[] | undefined, site: CallSite): void {
  const at = sites?.lastIndexOf(site) ?? -1;
  if (sites && at >= 0) {
    sites.splice(at, 1);
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) {
    list.push(value);
  } else {
    map.set(key, [value]);
  }
}

/** Functions and server tools have ids and names of their own. Keys built of both would be hashed anew at each look. */
type ByKind<Value> = Readonly<Record<ToolReference['kind'], Map<string, Value>>>;

function byKind<Value>(): ByKind<Value> {
  return {function: new Map(), tool: new Map()};
}
