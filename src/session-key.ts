/** The three ids that name one ADK session. None of them is unique alone. */
export interface SessionKey {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
}

/** One agent's view of a session. Decisions, folds and calibrations are kept apart per scope. */
export interface Scope {
  readonly agentName: string;
  readonly branch?: string;
  readonly isolationScope?: string;
}

/** A text that two session keys share only when all three ids are equal. */
export function sessionKeyText(key: SessionKey): string {
  return JSON.stringify([key.appName, key.userId, key.sessionId]);
}

/** A scope as people read it: `reader`, `reader / branch`. Not unique; see `scopeText`. */
export function scopeLabel({agentName, branch, isolationScope}: Scope): string {
  return [agentName, branch, isolationScope].filter(Boolean).join(' / ');
}

/** A text that two scopes share only when agent, branch and isolation scope are equal. */
export function scopeText(scope: Scope): string {
  return JSON.stringify([scope.agentName, scope.branch ?? null, scope.isolationScope ?? null]);
}
