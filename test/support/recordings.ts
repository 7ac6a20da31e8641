import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {RecordedSession} from '../../src/replay/recorded-session.ts';
import {parseSessions} from '../../src/replay/session-file.ts';

/** The folder of the recordings, or `undefined` where `ADK_COMPACTION_RECORDINGS` is not set. */
export const RECORDINGS: string | undefined = process.env.ADK_COMPACTION_RECORDINGS || undefined;

/** Path of a recording. */
export function recording(name: string): string {
  return join(RECORDINGS ?? '', name);
}

/** The one session in a recording. */
export function recordedSession(name: string): RecordedSession {
  const names = {appName: 'recorded', userId: 'recorded', sessionId: 'recorded'};
  return parseSessions(readFileSync(recording(name), 'utf8'), names)[0] as RecordedSession;
}
