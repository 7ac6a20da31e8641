import {
  BasePlugin,
  type Context,
  createSession,
  InvocationContext,
  LlmAgent,
  type LlmRequest,
  PluginManager,
  setLogger,
} from '@google/adk';
import {CompactionPlugin, type CompactionRecord, type FailedFoldRecord, predictTokens} from '../../src/index.ts';
import type {RecordedCall} from '../../src/replay/model-calls.ts';
import {modelCalls} from '../../src/replay/model-calls.ts';
import type {ReplayPolicy} from '../../src/replay/policy-run.ts';
import type {RecordedSession} from '../../src/replay/recorded-session.ts';
import {ScriptedModel} from '../../src/testing.ts';

// What ADK says of plugins would fill a test's output.
setLogger(null);

/** One model call of a live run. */
export interface LiveCall {
  /** What the model reported. */
  readonly tokens: number;
  /** `predictTokens` of the request as it was sent. */
  readonly predicted: number;
  readonly actions: readonly (CompactionRecord | FailedFoldRecord)[];
}

/**
 * Makes each recorded model call again with ADK's own agent and a live compaction plugin: the agent has the recorded events
 * so far in its session, a model answers, and the step ends there.
 *
 * @param count what the model reports for a request
 */
export async function runLive(
  {key, events}: RecordedSession,
  {policy, fold}: ReplayPolicy,
  count: (call: RecordedCall, request: LlmRequest, incoming: LlmRequest) => number,
): Promise<LiveCall[]> {
  const live: LiveCall[] = [];
  let current: RecordedCall | undefined;
  let incoming: LlmRequest | undefined;
  let tokens = 0;
  let predicted = 0;
  let actions: (CompactionRecord | FailedFoldRecord)[] = [];
  const compaction = new CompactionPlugin({
    policy,
    ...(fold && {fold}),
    clock: () => current?.time ?? 0,
    onRecord: (record) => {
      actions.push(record);
    },
    onWarning: () => {},
  });
  const model = new ScriptedModel(() => ({role: 'model', parts: [{text: 'answer'}]}), {
    countTokens: (request) => {
      predicted = predictTokens(request);
      tokens = count(current as RecordedCall, request, incoming as LlmRequest);
      return tokens;
    },
  });
  const before = new Before((request) => {
    // A recording holds neither instructions nor tools, and the name of the model that answered.
    request.config = {};
    request.model = current?.model ?? '';
    incoming = {...request, contents: [...request.contents]};
  });
  const plugins = new PluginManager([before, compaction]);
  for (const call of modelCalls(events)) {
    current = call;
    actions = [];
    const context = new InvocationContext({
      invocationId: 'live',
      agent: new LlmAgent({name: call.scope.agentName, model}),
      session: createSession({
        id: key.sessionId,
        appName: key.appName,
        userId: key.userId,
        events: events.slice(0, call.eventIndex),
      }),
      pluginManager: plugins,
      ...(call.userContent && {userContent: call.userContent}),
    });
    const agent = context.agent as LlmAgent;
    for await (const event of agent.runAsync(context)) {
      if (event.errorMessage) {
        throw new Error(event.errorMessage);
      }
      break;
    }
    live.push({tokens, predicted, actions});
  }
  return live;
}

class Before extends BasePlugin {
  readonly #edit: (request: LlmRequest) => void;

  constructor(edit: (request: LlmRequest) => void) {
    super('before');
    this.#edit = edit;
  }

  override async beforeModelCallback({
    llmRequest,
  }: {
    callbackContext: Context;
    llmRequest: LlmRequest;
  }): Promise<undefined> {
    this.#edit(llmRequest);
    return undefined;
  }
}
