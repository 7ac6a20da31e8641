import {getLogger} from '@google/adk';
import type {Warning} from '../warnings.ts';

/** Hands a warning to ADK's logger, with the error behind it. */
export function logWarning(warning: Warning, cause?: unknown): void {
  const line = `[adk-compaction] ${warning.code} (session ${warning.session}): ${warning.message}`;
  getLogger().warn(line, ...(cause === undefined ? [] : [cause]));
}

/** Hands the error behind a warning that the host took itself to ADK's logger, for whoever looks deeper. */
export function logCause(warning: Warning, cause: unknown): void {
  getLogger().debug(`[adk-compaction] ${warning.code}:`, cause);
}

/** Reports to ADK's logger what must not reach the turn. */
export function logFailure(what: string, error: unknown): void {
  getLogger().error(`[adk-compaction] ${what}:`, error);
}
