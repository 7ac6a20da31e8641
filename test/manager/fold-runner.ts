import {
  type BaseLlm,
  type BaseSessionService,
  type BaseTool,
  type Event,
  LlmAgent,
  type LlmResponse,
  Runner,
} from '@google/adk';
import {
  CompactionPlugin,
  type CompactionPolicy,
  type CompactionRecord,
  type FailedFoldRecord,
  type FoldOptions,
  type SessionKey,
  type Warning,
} from '../../src/index.ts';
import {openSqliteStore, type SqliteStore} from '../../src/sqlite.ts';
import {requestFaults, type ScriptedModel, user} from '../../src/testing.ts';

export const SESSION: SessionKey = {appName: 'app', userId: 'ann', sessionId: 's1'};

export interface ProcessOptions {
  readonly agent: ScriptedModel;
  readonly fold: FoldOptions;
  readonly policy?: Partial<CompactionPolicy>;
  readonly tools?: BaseTool[];
  /** Default: those of the store. */
  readonly sessions?: BaseSessionService;
}

/** What one process of a host has: a runner with the plugin, sessions and decisions in one file. */
export class AgentProcess {
  readonly store: SqliteStore;
  readonly plugin: CompactionPlugin;
  readonly records: (CompactionRecord | FailedFoldRecord)[] = [];
  readonly warnings: Warning[] = [];
  readonly #runner: Runner;
  readonly #sessions: BaseSessionService;
  readonly #agent: ScriptedModel;

  constructor(path: string, {agent, fold, policy, tools = [], sessions}: ProcessOptions) {
    this.#agent = agent;
    this.store = openSqliteStore({path, durability: 'process'});
    this.plugin = new CompactionPlugin({
      policy: {contextTokens: 1_200, estimator: 'bytes', calibration: false, keepRecentContents: 3, ...policy},
      store: this.store.compaction,
      fold: {summarizerContextTokens: 100_000, ...fold},
      onRecord: (record) => void this.records.push(record),
      onWarning: (warning) => void this.warnings.push(warning),
    });
    this.#sessions = sessions ?? this.store.sessions;
    this.#runner = new Runner({
      appName: SESSION.appName,
      agent: new LlmAgent({name: 'agent', model: agent, instruction: 'You help.', tools}),
      sessionService: this.#sessions,
      plugins: [this.plugin],
    });
  }

  /** One user turn. Throws when it failed, or when a request of it would have been refused. */
  async turn(text: string): Promise<Event[]> {
    await this.#sessions.getOrCreateSession(SESSION);
    const first = this.#agent.requests.length;
    const events: Event[] = [];
    for await (const event of this.#runner.runAsync({...SESSION, newMessage: user(text)})) {
      events.push(event);
    }
    const faults = this.#agent.requests.slice(first).flatMap(({contents}) => requestFaults(contents));
    const errors = events.flatMap(({errorCode, errorMessage}) => (errorCode ? [`${errorCode}: ${errorMessage}`] : []));
    if (faults.length + errors.length > 0 || events.length === 0) {
      throw new Error(`The turn failed: ${[...faults, ...errors].join(' ')}`);
    }
    return events;
  }

  async events(): Promise<readonly Event[]> {
    return (await this.#sessions.getSession(SESSION))?.events ?? [];
  }

  async end(): Promise<void> {
    await this.plugin.manager.close();
    this.store.close();
  }
}

/** An ADK model that answers every call with these responses, one after the other, and counts its calls. */
export class ResponseModel {
  readonly model = 'response-model';
  calls = 0;
  readonly #answer: (signal: AbortSignal | undefined) => AsyncGenerator<LlmResponse>;

  constructor(answer: readonly LlmResponse[] | ((signal: AbortSignal | undefined) => Promise<never>)) {
    this.#answer = async function* (signal) {
      yield* typeof answer === 'function' ? [await answer(signal)] : answer;
    };
  }

  generateContentAsync(_request: unknown, _stream?: boolean, signal?: AbortSignal): AsyncGenerator<LlmResponse> {
    this.calls += 1;
    return this.#answer(signal);
  }

  asLlm(): BaseLlm {
    return this as unknown as BaseLlm;
  }
}
