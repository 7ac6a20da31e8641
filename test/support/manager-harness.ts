import {
  BaseAgent,
  Context,
  createEventActions,
  createSession,
  InvocationContext,
  type LlmRequest,
  type LlmResponse,
  PluginManager,
  setLogger,
} from '@google/adk';
import type {Content} from '@google/genai';
import {
  CompactionManager,
  type CompactionOptions,
  type CompactionPolicy,
  type CompactionRecord,
  type FailedFoldRecord,
  type Scope,
  type SessionKey,
  type Warning,
} from '../../src/index.ts';

// Failures that a test provokes would fill its output.
setLogger(null);

export const KEY: SessionKey = {appName: 'app', userId: 'ann', sessionId: 's1'};

class NamedAgent extends BaseAgent {
  protected override async *runAsyncImpl(): AsyncGenerator<never, void> {}
  protected override async *runLiveImpl(): AsyncGenerator<never, void> {}
}

export interface CallOptions {
  readonly key?: SessionKey;
  readonly scope?: Partial<Scope>;
  readonly model?: string;
  readonly config?: LlmRequest['config'];
  readonly userContent?: Content;
  readonly signal?: AbortSignal;
}

/** ADK's own context for one model call. */
export function contextFor(options: CallOptions = {}): Context {
  const {key = KEY, scope = {}, userContent, signal} = options;
  return new Context({
    invocationContext: new InvocationContext({
      invocationId: 'invocation',
      agent: new NamedAgent({name: scope.agentName ?? 'agent'}),
      session: createSession({id: key.sessionId, appName: key.appName, userId: key.userId}),
      pluginManager: new PluginManager([]),
      ...(scope.branch === undefined ? {} : {branch: scope.branch}),
      ...(scope.isolationScope === undefined ? {} : {isolationScope: scope.isolationScope}),
      ...(userContent ? {userContent} : {}),
      ...(signal ? {abortSignal: signal} : {}),
    }),
    eventActions: createEventActions(),
  });
}

export function requestOf(contents: Content[], options: CallOptions = {}): LlmRequest {
  return {
    model: options.model ?? 'scripted-model',
    contents,
    toolsDict: {},
    liveConnectConfig: {},
    ...(options.config ? {config: options.config} : {}),
  };
}

/** A manager with its warnings and records kept, and one call of it in a line. */
export class ManagerHarness {
  readonly warnings: Warning[] = [];
  readonly records: (CompactionRecord | FailedFoldRecord)[] = [];
  readonly manager: CompactionManager;

  constructor(policy: Partial<CompactionPolicy> = {}, options: Omit<CompactionOptions, 'policy'> = {}) {
    let now = 1_000;
    this.manager = new CompactionManager({
      policy: {contextTokens: 1_000, estimator: 'bytes', keepRecentContents: 2, minimumElisionTokens: 20, ...policy},
      onWarning: (warning) => this.warnings.push(warning),
      onRecord: (record) => {
        this.records.push(record);
      },
      clock: () => {
        now += 1;
        return now;
      },
      ...options,
    });
  }

  /** One call whose model reports nothing. The contents are cloned first, as ADK does. */
  async contents(contents: readonly Content[], options: CallOptions = {}): Promise<Content[]> {
    return (await this.call(contents, options)).request.contents;
  }

  async call(
    contents: readonly Content[],
    options: CallOptions & {readonly reported?: number} = {},
  ): Promise<{request: LlmRequest; context: Context}> {
    const context = contextFor(options);
    const request = requestOf(structuredClone([...contents]), options);
    await this.manager.beforeModel({context, request});
    if (options.reported !== undefined) {
      await this.respond(context, {usageMetadata: {promptTokenCount: options.reported}});
    }
    return {request, context};
  }

  async respond(context: Context, response: LlmResponse): Promise<void> {
    await this.manager.afterModel({context, response});
  }

  codes(): string[] {
    return this.warnings.map((warning) => warning.code);
  }

  kinds(): string[] {
    return this.records.map((record) => record.kind);
  }
}
