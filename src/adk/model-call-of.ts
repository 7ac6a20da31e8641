import type {Context, LlmRequest} from '@google/adk';
import type {ModelCall} from '../engine/model-call.ts';

/** Reads what the engine needs from ADK's callback context. */
export function modelCallOf(context: Context, request: LlmRequest): ModelCall {
  const {invocationContext} = context;
  const {branch, isolationScope, session, userContent} = invocationContext;
  return {
    key: {appName: session.appName, userId: session.userId, sessionId: session.id},
    scope: {
      agentName: agentNameOf(context),
      ...(branch === undefined ? {} : {branch}),
      ...(isolationScope === undefined ? {} : {isolationScope}),
    },
    request,
    userContent,
    source: session,
    signal: context.abortSignal ?? invocationContext.abortSignal,
  };
}

/** ADK's getter throws when a workflow node calls a model without an agent. */
function agentNameOf(context: Context): string {
  try {
    return context.agentName;
  } catch {
    return '';
  }
}
