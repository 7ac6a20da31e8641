import {join} from 'node:path';
import type {Content} from '@google/genai';
import {byteTokenCounter} from '../../src/testing/count-tokens.ts';
import {type GeminiRequest, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import {type AgentProcess, withAgent} from './agent-process.ts';
import type {Narrator} from './narrator.ts';
import type {AgentOptions, Report} from './protocol.ts';
import {type StoryTurn, storyReply, storySummary} from './story.ts';

/** The window of the demo's models, in tokens. */
export const CONTEXT_TOKENS = 32_000;

/** The local server's tokenizer: at odds with the estimate, so that there is something to learn. */
const BYTES_PER_TOKEN = 3.5;
const SUMMARIZER = 'summarizer';
/** The summary call that fails, counted from 1: after a fold and a refold. */
const FAILING_SUMMARY_CALL = 5;

/** A stretch of the story: what was sent and what the agent process reported. */
export interface Act {
  readonly turns: number;
  readonly requests: readonly GeminiRequest[];
  readonly reports: readonly Report[];
}

/** The story in three processes. */
export interface Telling {
  /** The first process, killed after the turn in which the summariser failed. */
  readonly opening: Act;
  /** The second process, until a summary was made again. */
  readonly resumed: Act;
  /** The turn in which the second process was killed inside a tool. */
  readonly crashed: Act;
  /** The third process. */
  readonly ending: Act;
}

/**
 * The whole story in three processes: killed between two turns, and killed inside a tool.
 *
 * @param baseUrl where the Gemini API is; without it, the real one.
 * @param sent the list that the server adds its requests to.
 */
export async function tellWithKills(
  story: readonly StoryTurn[],
  options: AgentOptions,
  narrator: Narrator,
  baseUrl?: string,
  sent: readonly GeminiRequest[] = [],
): Promise<Telling> {
  let reports: Report[] = [];
  let [turns, turnsBefore, requestsBefore] = [0, 0, 0];
  const inProcess = <Result>(work: (agent: AgentProcess) => Promise<Result>): Promise<Result> =>
    withAgent(
      options,
      baseUrl,
      (report) => {
        reports.push(report);
        narrator.report(report);
      },
      work,
    );
  const tell = async (agent: AgentProcess, turn: StoryTurn | undefined, hangInTool?: string): Promise<void> => {
    if (!turn) {
      return;
    }
    narrator.turn(turn.question);
    await agent.turn({text: turn.text, ...(hangInTool && {hangInTool})});
    turns++;
  };
  const tellUntil = async (agent: AgentProcess, kind: 'fold' | 'failed-fold', lastTurn: number): Promise<void> => {
    const isOver = (): boolean => reports.some((report) => report.kind === 'compaction' && report.record.kind === kind);
    while (turns < lastTurn && !isOver()) {
      await tell(agent, story[turns]);
    }
  };
  const endAct = (): Act => {
    const act = {turns: turns - turnsBefore, requests: sent.slice(requestsBefore), reports};
    [turnsBefore, requestsBefore, reports] = [turns, sent.length, []];
    return act;
  };

  await inProcess((agent) => tellUntil(agent, 'failed-fold', story.length - 3));
  const opening = endAct();
  narrator.killed('between two turns', 'A new process opens the same file and goes on with the same session.');

  const resumed = await inProcess(async (agent) => {
    await tellUntil(agent, 'fold', story.length - 2);
    const act = endAct();
    await tell(agent, story[turns], 'read');
    return act;
  });
  const crashed = endAct();
  narrator.killed('inside a tool', 'Its call stands without an answer. A new process goes on all the same.');

  await inProcess((agent) => tell(agent, story.at(-1)));
  return {opening, resumed, crashed, ending: endAct()};
}

/** `turns` in one process, silently, against a server of its own. Gives the requests it sent. */
export async function tellStraight(
  story: readonly StoryTurn[],
  turns: number,
  options: AgentOptions,
  contextTokens: number,
): Promise<readonly GeminiRequest[]> {
  const server = await serve(story, contextTokens);
  const tell = async (agent: AgentProcess): Promise<void> => {
    for (const {text} of story.slice(0, turns)) {
      await agent.turn({text});
    }
  };
  try {
    await withAgent(options, server.url, () => {}, tell);
  } finally {
    await server.close();
  }
  return server.requests;
}

/** The local server with the scripted models behind it. */
export function serve(story: readonly StoryTurn[], contextTokens: number): ReturnType<typeof startGeminiServer> {
  let summaryCalls = 0;
  const summarise = (contents: readonly Content[]): ScriptedReply =>
    ++summaryCalls === FAILING_SUMMARY_CALL ? {kind: 'error', status: 503} : storySummary(story, contents);
  return startGeminiServer({
    script: (request) => (isSummaryCall(request) ? summarise(request.contents) : storyReply(story, request.contents)),
    contextTokens,
    countTokens: byteTokenCounter(BYTES_PER_TOKEN),
  });
}

/** Whether a request asks the summariser, not the agent's model. */
export function isSummaryCall({model}: GeminiRequest): boolean {
  return model === SUMMARIZER;
}

/** Options of an agent process that keeps its database in `folder`, where the copied source is too. */
export function agentOptions(folder: string, name: string, contextTokens = CONTEXT_TOKENS): AgentOptions {
  return {
    database: join(folder, `${name}.db`),
    sourceRoot: folder,
    model: 'gemini-2.5-flash',
    summarizer: SUMMARIZER,
    contextTokens,
  };
}
