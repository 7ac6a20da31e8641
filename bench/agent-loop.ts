import {
  type BaseContextCompactor,
  BaseLlm,
  type BaseLlmConnection,
  type BasePlugin,
  type BaseSessionService,
  FunctionTool,
  InMemorySessionService,
  LlmAgent,
  type LlmRequest,
  type LlmResponse,
  Runner,
} from '@google/adk';
import type {Content} from '@google/genai';
import {mixedText, tableRows} from './mixed-contents.ts';

export const KEY = {appName: 'bench', userId: 'user', sessionId: 'session'};

/** A tool loop: each model call but the last of a turn asks for one tool result of 8 KB. */
export interface LoopOptions {
  readonly calls: number;
  /** How many turns have these calls, in equal parts. Default: one. */
  readonly turns?: number;
  readonly results: 'text' | 'json';
  readonly plugins?: readonly BasePlugin[];
  readonly sessions?: BaseSessionService;
  readonly contextCompactors?: readonly BaseContextCompactor[];
  /** Default: one that costs next to nothing. */
  readonly model?: BaseLlm;
  /** Called with what reached the model. */
  onRequest?(request: LlmRequest): void;
}

const RESULT_BYTES = 8_000;
const BYTES_PER_TOKEN = 4;

/** Runs the loop in ADK's own runner. Rejects when a call failed. */
export async function runAgentLoop(options: LoopOptions): Promise<void> {
  const {calls, turns = 1, plugins = [], sessions = new InMemorySessionService(), contextCompactors} = options;
  const runner = new Runner({
    appName: KEY.appName,
    agent: new LlmAgent({
      name: 'agent',
      model: options.model ?? new LoopModel(calls / turns, options.onRequest),
      tools: [readTool(options.results)],
      ...(contextCompactors && {contextCompactors: [...contextCompactors]}),
    }),
    sessionService: sessions,
    plugins: [...plugins],
  });
  await sessions.getOrCreateSession(KEY);
  const runConfig = {maxLlmCalls: calls + 1};
  for (let turn = 0; turn < turns; turn += 1) {
    const newMessage: Content = {role: 'user', parts: [{text: `Read everything of part ${turn}.`}]};
    for await (const event of runner.runAsync({...KEY, newMessage, runConfig})) {
      if (event.errorMessage !== undefined) {
        throw new Error(event.errorMessage);
      }
    }
  }
}

function readTool(results: LoopOptions['results']): FunctionTool {
  let reads = 0;
  return new FunctionTool({
    name: 'read',
    description: 'Reads the next file.',
    execute: () => {
      reads += 1;
      return results === 'text' ? {output: mixedText(RESULT_BYTES, reads)} : {rows: tableRows(RESULT_BYTES, reads)};
    },
  });
}

/** Asks for one more file on every call but each last of a turn, and costs next to nothing itself. */
class LoopModel extends BaseLlm {
  readonly #callsPerTurn: number;
  readonly #onRequest: LoopOptions['onRequest'];
  #done = 0;

  constructor(callsPerTurn: number, onRequest: LoopOptions['onRequest']) {
    super({model: 'loop-model'});
    this.#callsPerTurn = callsPerTurn;
    this.#onRequest = onRequest;
  }

  async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.#onRequest?.(request);
    this.#done += 1;
    const isLast = this.#done % this.#callsPerTurn === 0;
    const part = isLast ? {text: 'Done.'} : {functionCall: {name: 'read', args: {path: `src/file-${this.#done}.ts`}}};
    const promptTokenCount = promptTokens(request.contents);
    yield {content: {role: 'model', parts: [part]}, usageMetadata: {promptTokenCount}};
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('Not part of the benchmark.'));
  }
}

/** Four bytes a token, by what is known of the results instead of by walking through them. */
function promptTokens(contents: readonly Content[]): number {
  let bytes = 0;
  for (const content of contents) {
    const response = content.parts?.[0]?.functionResponse?.response;
    const isWhole = response?.rows !== undefined || String(response?.output ?? '').length > 100;
    bytes += isWhole ? RESULT_BYTES + 100 : 100;
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}
