import type {Content, Part} from '@google/genai';
import {answersFollowCalls} from './answers-follow-calls.ts';
import {type CallSite, type Pairs, pairUp} from './pairs.ts';
import {partsOf} from './parts.ts';

/**
 * Gives every function call that nothing answers the answer `{error: 'interrupted'}`, and leaves out function answers
 * without a call: a crash or an abort inside a tool, or an unknown tool name, leaves such calls behind, and the API refuses
 * every later request that holds one.
 *
 * The answer goes into the content that answers the call's siblings, in call order, or into a user content of its own right
 * after the call. The last content is never edited. Returns `contents` itself when there is nothing to repair; the same
 * contents always give the same bytes. Server tools (`toolCall`, `toolResponse`) are the provider's own and left alone.
 */
export function repairOrphans(contents: readonly Content[]): readonly Content[] {
  if (answersFollowCalls(contents)) {
    return contents;
  }
  const pairs = pairUp(contents);
  const interrupted = pairs.calls.filter((call) => call.kind === 'function' && call.answers.length === 0);
  const last = contents.length - 1;
  const orphans = pairs.answers.filter(
    (answer) => answer.kind === 'function' && answer.call === undefined && answer.content !== last,
  );
  const inserted = new Map<number, Insertion[]>();
  const appended = new Map<number, Part[]>();
  for (const call of interrupted) {
    const sibling = answeredSibling(call, pairs);
    if (!sibling) {
      appended.set(call.content, [...(appended.get(call.content) ?? []), interruptedAnswer(contents, call)]);
    } else if (sibling.content !== last) {
      const insertion = {before: sibling.part, part: interruptedAnswer(contents, call)};
      inserted.set(sibling.content, [...(inserted.get(sibling.content) ?? []), insertion]);
    }
  }
  const removed = new Map<number, Set<number>>();
  for (const orphan of orphans) {
    removed.set(orphan.content, (removed.get(orphan.content) ?? new Set()).add(orphan.part));
  }
  if (inserted.size + appended.size + removed.size === 0) {
    return contents;
  }

  return contents.flatMap((content, index) => {
    const edited = editParts(content, inserted.get(index) ?? [], removed.get(index));
    const answers = appended.get(index);
    return [...(edited ? [edited] : []), ...(answers ? [{role: 'user', parts: answers}] : [])];
  });
}

interface Insertion {
  /** Index of the part to stand before; the number of parts for the end. */
  readonly before: number;
  readonly part: Part;
}

/** Where the answer belongs: after the nearest earlier sibling's answer, or before the next one's. */
function answeredSibling(call: CallSite, pairs: Pairs): {content: number; part: number} | undefined {
  const siblings = pairs.calls.filter((other) => other.content === call.content && other.answers.length > 0);
  const earlier = siblings.findLast((other) => other.part < call.part)?.answers[0];
  if (earlier) {
    return {content: earlier.content, part: earlier.part + 1};
  }
  const later = siblings.find((other) => other.part > call.part)?.answers[0];
  return later && {content: later.content, part: later.part};
}

function interruptedAnswer(contents: readonly Content[], call: CallSite): Part {
  const id = partsOf(contents[call.content])[call.part]?.functionCall?.id;
  return {functionResponse: {...(id ? {id} : {}), name: call.name, response: {error: 'interrupted'}}};
}

function editParts(
  content: Content,
  insertions: readonly Insertion[],
  removed: ReadonlySet<number> | undefined,
): Content | undefined {
  if (insertions.length === 0 && !removed) {
    return content;
  }
  const parts = partsOf(content);
  const edited: Part[] = [];
  for (let index = 0; index <= parts.length; index += 1) {
    edited.push(...insertions.filter((insertion) => insertion.before === index).map((insertion) => insertion.part));
    const part = parts[index];
    if (part && !removed?.has(index)) {
      edited.push(part);
    }
  }
  return edited.length > 0 ? {...content, parts: edited} : undefined;
}
