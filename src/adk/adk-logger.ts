import {getLogger} from '@google/adk';
import type {Warning} from '../warnings.ts';

/** Hands a warning to ADK's logger. */
export function logWarning(warning: Warning): void {
  getLogger().warn(`[adk-compaction] ${warning.code} (session ${warning.session}): ${warning.message}`);
}

/** Reports to ADK's logger what must not reach the turn. */
export function logFailure(what: string, error: unknown): void {
  getLogger().error(`[adk-compaction] ${what}:`, error);
}
