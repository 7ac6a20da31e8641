import {type SessionKey, sessionKeyText} from '../session-key.ts';

const BUCKETS = 65_536;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Which of 65,536 counters of deletions a session shares. A row for each deleted session would grow without end, and tell
 * who had been there; one counter for all would take every deletion for one of this session's.
 */
export function deletionBucket(key: SessionKey): number {
  const text = sessionKeyText(key);
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
}
