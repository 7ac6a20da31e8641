import type {Content} from '@google/genai';
import {type CompactionPolicy, type CompactionStore, type FoldOptions, MemoryCompactionStore} from '../../src/index.ts';
import {compactionFaults, model, requestFaults, ScriptedModel, type ScriptedReply, user} from '../../src/testing.ts';
import {ManagerHarness} from '../support/manager-harness.ts';

/** Turns of about 100 tokens each, every content with a text of its own, then the live user content. */
export function chat(turns: number, live = 'now', from = 0): Content[] {
  return [...Array.from({length: turns}, (_, turn) => turnOf(from + turn)).flat(), user(live)];
}

export function turnOf(turn: number, name = ''): [Content, Content] {
  return [user(`question ${name}${turn} ${'q'.repeat(180)}`), model(`answer ${name}${turn} ${'a'.repeat(180)}`)];
}

/** A summariser that gives these replies in order, the last one for ever. */
export function summarizer(...replies: (string | ScriptedReply)[]): ScriptedModel {
  return new ScriptedModel((_, index) => {
    const reply = replies[Math.min(index, replies.length - 1)] ?? '';
    return typeof reply === 'string' ? model(reply) : reply;
  });
}

export const noText: ScriptedReply = {kind: 'answer', parts: [{functionCall: {name: 'read', args: {}}}]};

/** A manager with a trigger of 1,020 and a target of 720 tokens that keeps three contents; its summariser has room enough. */
export function folding(
  fold: FoldOptions,
  store: CompactionStore = new MemoryCompactionStore(),
  policy: Partial<CompactionPolicy> = {},
): ManagerHarness {
  return new ManagerHarness(
    {contextTokens: 1_200, keepRecentContents: 3, ...policy},
    {store, fold: {summarizerContextTokens: 100_000, ...fold}},
  );
}

/** What a request is faulty in, on its own and against the one that came in. */
export function faults(before: readonly Content[], after: readonly Content[]): string[] {
  return [...requestFaults(after), ...compactionFaults(before, after)];
}

export function summaryText(summary: string): string {
  return `Summary of the conversation so far:\n\n${summary}`;
}

export function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map((part) => part.text ?? '').join('');
}

/** The text that a summariser was given to read. */
export function materialOf({requests}: ScriptedModel, call = requests.length - 1): string {
  return textOf(requests[call]?.contents[0]);
}

export function gate(): {readonly opened: Promise<void>; open(): void} {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {opened, open: () => open()};
}
