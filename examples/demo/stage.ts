import {join} from 'node:path';
import {byteTokenCounter} from '../../src/testing/count-tokens.ts';
import {type GeminiRequest, startGeminiServer} from '../../src/testing/gemini-server.ts';
import {type AgentProcess, withAgent} from './agent-process.ts';
import type {Narrator} from './narrator.ts';
import type {AgentOptions} from './protocol.ts';
import {type StoryTurn, storyReply} from './story.ts';

/** The window of the demo's model, in tokens. */
export const CONTEXT_TOKENS = 32_000;

/** The local server's tokenizer: not the 4 of the estimate, so that there is something to learn. */
const BYTES_PER_TOKEN = 3.5;
const TURNS_BEFORE_KILL = 2;
const TURNS_BEFORE_CRASH = 4;

/** How many requests had been sent when something happened. */
export interface Marks {
  readonly atKill: number;
  readonly beforeCrash: number;
  readonly atCrash: number;
}

/**
 * The whole story in three processes: killed between two turns, and killed inside a tool.
 *
 * @param baseUrl where the Gemini API is; without it, the real one.
 * @param countRequests how many requests were sent so far.
 */
export async function tellWithKills(
  story: readonly StoryTurn[],
  options: AgentOptions,
  narrator: Narrator,
  baseUrl: string | undefined,
  countRequests: () => number,
): Promise<Marks> {
  const inProcess = (work: (agent: AgentProcess) => Promise<void>): Promise<void> =>
    withAgent(options, baseUrl, (report) => narrator.report(report), work);
  const tell = async (agent: AgentProcess, turns: readonly StoryTurn[], hangInTool?: string): Promise<void> => {
    for (const {question, text} of turns) {
      narrator.turn(question);
      await agent.turn({text, ...(hangInTool && {hangInTool})});
    }
  };

  await inProcess((agent) => tell(agent, story.slice(0, TURNS_BEFORE_KILL)));
  const atKill = countRequests();
  narrator.killed('between two turns', 'A new process opens the same file and goes on with the same session.');

  let beforeCrash = 0;
  await inProcess(async (agent) => {
    await tell(agent, story.slice(TURNS_BEFORE_KILL, TURNS_BEFORE_CRASH));
    beforeCrash = countRequests();
    await tell(agent, story.slice(TURNS_BEFORE_CRASH, TURNS_BEFORE_CRASH + 1), 'read');
  });
  const atCrash = countRequests();
  narrator.killed('inside a tool', 'Its call stands without an answer. A new process goes on all the same.');

  await inProcess((agent) => tell(agent, story.slice(TURNS_BEFORE_CRASH + 1)));
  return {atKill, beforeCrash, atCrash};
}

/** The turns before the crash in one process, silently, against a server of its own. Gives the requests it sent. */
export async function tellStraight(
  story: readonly StoryTurn[],
  options: AgentOptions,
  contextTokens: number,
): Promise<readonly GeminiRequest[]> {
  const server = await serve(story, contextTokens);
  try {
    await withAgent(
      options,
      server.url,
      () => {},
      async (agent) => {
        for (const {text} of story.slice(0, TURNS_BEFORE_CRASH)) await agent.turn({text});
      },
    );
  } finally {
    await server.close();
  }
  return server.requests;
}

/** The local server with the scripted model behind it. */
export function serve(story: readonly StoryTurn[], contextTokens: number): ReturnType<typeof startGeminiServer> {
  return startGeminiServer({
    script: ({contents}) => storyReply(story, contents),
    contextTokens,
    countTokens: byteTokenCounter(BYTES_PER_TOKEN),
  });
}

/** Options of an agent process that keeps its database in `folder`, where the copied source is too. */
export function agentOptions(folder: string, name: string, contextTokens = CONTEXT_TOKENS): AgentOptions {
  const model = process.env.GEMINI_MODEL ?? 'gemini-2.5-flash';
  return {database: join(folder, `${name}.db`), sourceRoot: folder, model, contextTokens};
}
