import {
  CONTENT_REQUEST_PROCESSOR,
  createSession,
  type Event,
  InvocationContext,
  LlmAgent,
  type LlmRequest,
  PluginManager,
} from '@google/adk';
import type {Content} from '@google/genai';
import type {Scope} from '../session-key.ts';

/**
 * The contents that ADK sends to the model of an agent when a session holds these events: ADK's own assembly, with the
 * default `includeContents`. Rejects where ADK itself would end the turn, such as for an answer without its call.
 */
export async function recordedContents(events: readonly Event[], scope: Scope): Promise<Content[]> {
  const {agentName, branch, isolationScope} = scope;
  const context = new InvocationContext({
    invocationId: 'recorded',
    agent: agentNamed(agentName),
    session: createSession({id: 'recorded', appName: 'recorded', userId: 'recorded', events: [...events]}),
    pluginManager: new PluginManager([]),
    ...(branch === undefined ? {} : {branch}),
    ...(isolationScope === undefined ? {} : {isolationScope}),
  });
  const request: LlmRequest = {contents: [], toolsDict: {}, liveConnectConfig: {}};
  for await (const _ of CONTENT_REQUEST_PROCESSOR.runAsync(context, request)) {
    // It yields nothing; it has to be run to its end.
  }
  return request.contents;
}

/** ADK refuses names that a recording may hold. */
function agentNamed(name: string): LlmAgent {
  return Object.assign(new LlmAgent({name: 'recorded'}), {name});
}
