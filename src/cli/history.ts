import type {StoredCompaction} from '../replay/recorded-session.ts';
import {type Action, backOffs, type HistoryCall, sessionHistory, toolCounts} from '../report/history.ts';
import {type SessionKey, scopeLabel} from '../session-key.ts';
import {type CompactionRecord, failureReason} from '../store/records.ts';
import {actionJson} from './action-json.ts';
import {readCompaction, WHY_UNCOUNTED} from './compaction.ts';
import {formatCount, formatShare, formatTable, formatTime, paint, plural, printable} from './format.ts';
import {reading} from './open-store.ts';
import {print, printJson} from './output.ts';
import {type SessionSelection, selectSession} from './selection.ts';

export interface HistoryOptions extends SessionSelection {
  readonly summaries?: boolean;
  readonly json?: boolean;
}

/** `history DB`: what compaction did in one session, call by call. */
export async function showHistory(path: string, options: HistoryOptions): Promise<void> {
  const {key, compaction} = await reading(path, async (database) => {
    const key = selectSession(database, options);
    return {key, compaction: await readCompaction(database, key)};
  });
  const calls = sessionHistory(compaction);
  if (options.json) {
    const callsJson = calls.map((call) => ({...call, actions: call.actions.map(actionJson)}));
    printJson({...key, calls: callsJson, backOffs: backOffs(compaction)});
  } else {
    print(describe(key, calls, compaction, options.summaries === true));
  }
}

function describe(
  {appName, userId, sessionId}: SessionKey,
  calls: readonly HistoryCall[],
  compaction: StoredCompaction,
  showsSummaries: boolean,
): string {
  const head = `${paint('bold', printable(sessionId))}  ${paint('dim', printable(`app ${appName}, user ${userId}`))}\n`;
  if (calls.length === 0) {
    return `${head}\nCompaction has recorded nothing in this session. ${WHY_UNCOUNTED}\n`;
  }
  const columns = [
    {title: '#', align: 'right' as const},
    {title: 'TIME (UTC)'},
    {title: 'AGENT'},
    ...['PREDICTED', 'EXPECTED', 'REPORTED', 'ERROR'].map((title) => ({title, align: 'right' as const})),
    {title: 'WHAT WAS DONE'},
  ];
  const rows = calls.map(({scope, time, sample, actions}, index) => [
    String(index + 1),
    formatTime(time),
    scopeLabel(scope),
    formatCount(sample?.prediction),
    formatCount(sample?.expected),
    formatCount(sample?.reported),
    sample ? formatShare((sample.expected - sample.reported) / sample.reported) : '–',
    actions.map((action) => describeAction(action)).join('\n'),
  ]);
  const waiting = backOffs(compaction).map(({scope, since, reason}) =>
    paint(
      'yellow',
      printable(
        `${scopeLabel(scope)} backs off since ${formatTime(since)}: no summary is asked for until the history has grown (${reason}).`,
      ),
    ),
  );
  const summaries = showsSummaries ? foldSummaries(compaction.records) : [];
  return `${[head, formatTable(columns, rows), ...waiting.map((line) => `${line}\n`), ...summaries].join('\n')}`;
}

/** One line: what an action did, and what it saved or why it failed. */
function describeAction(action: Action): string {
  switch (action.kind) {
    case 'failed-fold':
      return `fold failed (${failureReason(action)}), ${plural(action.attempts, 'attempt')}`;
    case 'elision':
      return `elided ${plural(action.covers.length, 'answer')} (${toolsText(action)}), ${saving(action)}`;
    case 'fold':
      return `folded ${plural(action.split ?? 0, 'content')} into a summary, ${saving(action)}`;
    case 'drop':
      return `dropped ${plural(action.covers.length, 'turn')}, ${saving(action)}`;
  }
}

function saving({tokensBefore, tokensAfter}: CompactionRecord): string {
  return `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)}`;
}

function toolsText(record: CompactionRecord): string {
  return toolCounts(record)
    .map(({name, count}) => `${printable(name)} ×${count}`)
    .join(', ');
}

function foldSummaries(records: readonly CompactionRecord[]): string[] {
  return records.flatMap(({kind, time, split, summary}) =>
    kind === 'fold'
      ? `${paint('bold', `Summary of ${formatTime(time)}, contents 0 to ${(split ?? 1) - 1}`)}\n\n${(summary ?? '(none)').split('\n').map(printable).join('\n')}\n`
      : [],
  );
}
