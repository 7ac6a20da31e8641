import {createEvent, FunctionTool, LlmAgent, Runner, setLogger} from '@google/adk';
import type {Content} from '@google/genai';
import {z} from 'zod';
import {CompactionPlugin, type CompactionPolicy, type FoldOptions, type SessionKey} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {ScriptedModel} from '../../src/testing.ts';

/** A run of an agent in a tool loop, whose session and compaction end up in a store. */
export interface AgentRun {
  readonly path: string;
  readonly key: SessionKey;
  /** Turns of the user. */
  readonly turns?: number;
  /** Calls of the tool in each turn. */
  readonly toolCalls?: number;
  readonly toolName?: string;
  readonly policy: CompactionPolicy;
  readonly fold?: FoldOptions;
}

/** Runs it to its end. The answers of the tool are some 600 tokens each. */
export async function runAgent({
  path,
  key,
  turns = 6,
  toolCalls = 4,
  toolName = 'read',
  policy,
  fold,
}: AgentRun): Promise<void> {
  // Failures that a run provokes would fill a test's output.
  setLogger(null);
  const store = openSqliteStore({path, durability: 'process'});
  try {
    let call = 0;
    const model = new ScriptedModel(({contents}) => {
      call += 1;
      return answersInTurn(contents) < toolCalls ? callOf(toolName, call) : textOf(`I have read ${call} pages so far.`);
    });
    const tool = new FunctionTool({
      name: toolName,
      description: 'Reads a page.',
      parameters: z.object({page: z.number()}),
      execute: ({page}) => ({text: `Page ${page}: ${'the quick brown fox jumps over the lazy dog, '.repeat(50)}`}),
    });
    const plugin = new CompactionPlugin({policy, store: store.compaction, ...(fold && {fold})});
    const runner = new Runner({
      appName: key.appName,
      agent: new LlmAgent({name: 'reader', model, tools: [tool]}),
      sessionService: store.sessions,
      plugins: [plugin],
    });
    await store.sessions.createSession(key);
    for (let turn = 1; turn <= turns; turn += 1) {
      const newMessage = {role: 'user', parts: [{text: `Turn ${turn}: read on, please.`}]};
      for await (const _ of runner.runAsync({userId: key.userId, sessionId: key.sessionId, newMessage})) {
        // The events are in the store.
      }
    }
    await plugin.manager.close();
  } finally {
    store.close();
  }
}

/** A model that writes this summary. */
export function summarizer(summary: string): ScriptedModel {
  return new ScriptedModel(() => textOf(summary), {model: 'scripted-summarizer'});
}

/** A model whose answers are blocked. */
export function blockedSummarizer(): ScriptedModel {
  return new ScriptedModel(() => ({kind: 'blocked', reason: 'SAFETY'}), {model: 'scripted-summarizer'});
}

/** Appends plain events to a new session of a store. */
export async function storeEvents(path: string, key: SessionKey, contents: readonly Content[]): Promise<void> {
  const store = openSqliteStore({path, durability: 'process'});
  const session = await store.sessions.createSession(key);
  for (const content of contents) {
    const author = content.role === 'user' && !content.parts?.some((part) => part.functionResponse) ? 'user' : 'reader';
    await store.sessions.appendEvent({session, event: createEvent({author, content, invocationId: 'i1'})});
  }
  store.close();
}

function answersInTurn(contents: readonly Content[]): number {
  const start = contents.findLastIndex(
    ({role, parts}) => role === 'user' && parts?.some((part) => part.text?.startsWith('Turn ')),
  );
  return contents.slice(start + 1).filter(({parts}) => parts?.some((part) => part.functionResponse)).length;
}

function callOf(name: string, page: number): Content {
  return {role: 'model', parts: [{functionCall: {name, args: {page}}}]};
}

function textOf(text: string): Content {
  return {role: 'model', parts: [{text}]};
}
