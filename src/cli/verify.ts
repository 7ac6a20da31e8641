import {prefixHash} from '../json/prefix-hash.ts';
import type {RecordedSession} from '../replay/recorded-session.ts';
import {repairOrphans} from '../request/repair-orphans.ts';
import type {CompactionRecord} from '../store/records.ts';
import {sessionOverviews} from '../store/sqlite/session-overview.ts';
import {verifySqliteDatabase} from '../store/sqlite/verify.ts';
import {readCompaction} from './compaction.ts';
import {EXIT} from './failure.ts';
import {formatTime, paint, plural, printable} from './format.ts';
import {reading} from './open-store.ts';
import {print, printJson} from './output.ts';
import {filterOf, type SessionSelection} from './selection.ts';
import {readRecordedSession} from './source.ts';

export interface VerifyOptions extends SessionSelection {
  readonly json?: boolean;
}

interface Findings {
  readonly sessions: number;
  readonly folds: number;
  /** What is wrong with the file. */
  readonly faults: readonly string[];
  /** What is sound and worth knowing. */
  readonly remarks: readonly string[];
}

/** `verify DB`: the file, its rows, and folds whose beginning is no longer what it was. */
export async function verifyStore(path: string, options: VerifyOptions): Promise<void> {
  const findings = await reading(path, async (database): Promise<Findings> => {
    const faults = verifySqliteDatabase(database);
    const remarks: string[] = [];
    const {sessions} = sessionOverviews(database, filterOf(options));
    let folds = 0;
    for (const {isStored, ...key} of sessions) {
      const name = `Session ${key.sessionId} of user ${key.userId}, app ${key.appName}`;
      const {records} = await readCompaction(database, key);
      const made = records.filter((record) => record.kind === 'fold');
      folds += made.length;
      if (!isStored) {
        remarks.push(
          `${name} is known to compaction alone: its events are kept by another session service, or were deleted without deleteSession.`,
        );
      } else if (made.length > 0) {
        const stale = await staleFolds(readRecordedSession(database, key), made);
        remarks.push(...stale.map((fold) => `${name}: ${fold}`));
      }
    }
    return {sessions: sessions.length, folds, faults, remarks};
  });
  if (findings.faults.length > 0) {
    process.exitCode = EXIT.failed;
  }
  if (options.json) {
    printJson(findings);
  } else {
    print(describe(path, findings));
  }
}

/** A fold is used only while the contents it stands for are what they were. */
async function staleFolds({events}: RecordedSession, folds: readonly CompactionRecord[]): Promise<string[]> {
  const {recordedContents} = await import('../adk/recorded-contents.ts');
  const stale: string[] = [];
  for (const {scope, split = 0, prefixHash: hash, time} of folds) {
    const contents = repairOrphans(await recordedContents(events, scope)).slice(0, split);
    if (contents.length === split && prefixHash([...contents]) === hash) {
      continue;
    }
    stale.push(
      `the fold of ${formatTime(time)} (${scope.agentName}, contents 0 to ${split - 1}) does not match the session any more and is not used.`,
    );
  }
  return stale;
}

function describe(path: string, {sessions, folds, faults, remarks}: Findings): string {
  const verdict =
    faults.length === 0
      ? `${path} is sound: ${plural(sessions, 'session')}, ${plural(folds, 'fold')}.`
      : paint('red', `${path} has ${plural(faults.length, 'fault')}:`);
  const advice = faults.length === 0 ? [] : ['Restore the file from a backup, or export what can still be read.'];
  return `${[verdict, ...faults.map((fault) => `  ${printable(fault)}`), ...advice, ...remarks.map((remark) => `  ${printable(remark)}`)].join('\n')}\n`;
}
