import {createHash} from 'node:crypto';
import {type SessionKey, sessionKeyText} from '../session-key.ts';

/**
 * Which of 65,536 counters of deletions a session shares. A row for each deleted session would grow without end, and tell
 * who had been there; one counter for all would take every deletion for one of this session's.
 */
export function deletionBucket(key: SessionKey): number {
  return createHash('sha256').update(sessionKeyText(key)).digest().readUInt16BE();
}
