import {join} from 'node:path';
import {
  BasePlugin,
  type Context,
  createEvent,
  type Event,
  type LlmRequest,
  type RunConfig,
  Runner,
  type RunnerConfig,
} from '@google/adk';
import type {Content} from '@google/genai';
import Database from 'better-sqlite3';
import {expect, onTestFinished} from 'vitest';
import {
  type CompactionOptions,
  CompactionPlugin,
  type CompactionRecord,
  type FailedFoldRecord,
  type Warning,
} from '../../src/index.ts';
import {openSqliteStore, type SqliteStore, type SqliteStoreOptions} from '../../src/sqlite.ts';
import {expectSound} from './case-kit.ts';
import {KEY} from './manager-harness.ts';
import {temporaryFolder} from './temporary-folder.ts';

/** Path of a database file that is gone when the test has ended. */
export function databasePath(): string {
  return join(temporaryFolder(), 'agent.db');
}

/** A second file with what the first one holds now. */
export function copyOfDatabase(path: string): string {
  const copy = databasePath();
  const database = new Database(path);
  database.prepare('VACUUM INTO ?').run(copy);
  database.close();
  return copy;
}

/** Runs one statement on a file that others may have open. */
export function onDatabase<Row>(path: string, statement: string, ...values: unknown[]): Row[] {
  const database = new Database(path);
  try {
    const prepared = database.prepare(statement);
    if (prepared.reader) {
      return prepared.all(...values) as Row[];
    }
    prepared.run(...values);
    return [];
  } finally {
    database.close();
  }
}

/** Every stored event, byte for byte. */
export function storedEvents(path: string): string[] {
  return onDatabase<{body_json: string}>(path, 'SELECT body_json FROM events ORDER BY id').map((row) => row.body_json);
}

/** A model call as it came to the compaction and as it went on. */
export interface ObservedCall {
  readonly agentName: string;
  readonly before: LlmRequest;
  readonly after: LlmRequest;
}

export interface RigOptions {
  readonly path: string;
  /** Called for each process, so that nothing but the file is shared. */
  readonly agent: () => NonNullable<RunnerConfig['agent']>;
  readonly compaction: Omit<CompactionOptions, 'store'>;
  /** Registered before the compaction. */
  readonly plugins?: readonly BasePlugin[];
  readonly store?: Omit<SqliteStoreOptions, 'path'>;
}

/** What one process has: a store on the file, a runner, the compaction; V1 to V4 are checked on every model call. */
export class AgentRig {
  readonly store: SqliteStore;
  readonly plugin: CompactionPlugin;
  readonly calls: ObservedCall[] = [];
  readonly records: (CompactionRecord | FailedFoldRecord)[] = [];
  readonly warnings: Warning[] = [];
  readonly #runner: Runner;
  readonly path: string;
  readonly #options: RigOptions;

  constructor(options: RigOptions) {
    this.#options = options;
    this.path = options.path;
    this.store = openSqliteStore({durability: 'process', ...options.store, path: options.path});
    onTestFinished(() => this.store.close());
    this.plugin = new CompactionPlugin({
      ...options.compaction,
      store: this.store.compaction,
      onRecord: (record) => {
        this.records.push(record);
      },
      onWarning: (warning) => this.warnings.push(warning),
    });
    const before = new Map<object, LlmRequest>();
    this.#runner = new Runner({
      appName: KEY.appName,
      agent: options.agent(),
      sessionService: this.store.sessions,
      plugins: [
        ...(options.plugins ?? []),
        new Watcher('before', (context, request) => before.set(context.actions, request)),
        this.plugin,
        new Watcher('after', (context, request) => {
          const came = before.get(context.actions);
          if (came) {
            this.calls.push({agentName: context.agentName, before: came, after: request});
          }
        }),
      ],
    });
  }

  /** Closes the file; what comes back is the next process. */
  restart(changes: Partial<RigOptions> = {}): AgentRig {
    this.store.close();
    return new AgentRig({...this.#options, ...changes});
  }

  /** Appends events that an earlier run would have left. */
  async append(...events: Partial<Event>[]): Promise<void> {
    const session = await this.store.sessions.getOrCreateSession(KEY);
    for (const event of events) {
      await this.store.sessions.appendEvent({session, event: createEvent(event)});
    }
  }

  /** Appends contents as events of the user and of the agent. */
  async appendContents(contents: readonly Content[], agentName = 'agent'): Promise<void> {
    await this.append(
      ...contents.map((content) => ({author: content.role === 'user' ? 'user' : agentName, content: {...content}})),
    );
  }

  /** One run, which must not fail. */
  async turn(message: string | Content, runConfig?: RunConfig): Promise<Event[]> {
    const checked = this.calls.length;
    await this.store.sessions.getOrCreateSession(KEY);
    const events: Event[] = [];
    const newMessage = typeof message === 'string' ? {role: 'user', parts: [{text: message}]} : message;
    for await (const event of this.#runner.runAsync({...KEY, newMessage, ...(runConfig && {runConfig})})) {
      events.push(event);
    }
    expect(events.flatMap((event) => event.errorMessage ?? [])).toEqual([]);
    for (const {before, after} of this.calls.slice(checked)) {
      expectSound(before, after);
    }
    return events;
  }

  /** The last request as it went to the model. */
  get lastSent(): Content[] {
    return this.calls.at(-1)?.after.contents ?? [];
  }

  kinds(): string[] {
    return this.records.map((record) => record.kind);
  }
}

class Watcher extends BasePlugin {
  readonly #watch: (context: Context, request: LlmRequest) => void;

  constructor(name: string, watch: (context: Context, request: LlmRequest) => void) {
    super(`watcher-${name}`);
    this.#watch = watch;
  }

  override async beforeModelCallback(call: {callbackContext: Context; llmRequest: LlmRequest}): Promise<undefined> {
    const {contents, model, config} = call.llmRequest;
    const copy = {
      ...(model === undefined ? {} : {model}),
      contents: structuredClone(contents),
      ...(config && {config}),
    };
    this.#watch(call.callbackContext, {...copy, toolsDict: {}, liveConnectConfig: {}});
  }
}
