import type {CompactionRecord, FailedFoldRecord} from '../../src/store/records.ts';
import type {GeminiRequest} from '../../src/testing/gemini-server.ts';
import {formatTokens} from './narrator.ts';
import type {Report} from './protocol.ts';
import {type Act, CONTEXT_TOKENS, isSummaryCall, type Telling} from './stage.ts';

/** One check of the demo. */
export interface Check {
  readonly passed: boolean;
  readonly text: string;
}

/** Contents and tokens by which the history must have grown before a failed summary is asked for again. */
const MARGIN_CONTENTS = 12;
const MARGIN_TOKENS = Math.floor(Math.floor(0.85 * CONTEXT_TOKENS) / 4);

/**
 * What the demo promises.
 *
 * @param straight the requests of an uninterrupted run of the turns before the crash.
 * @param bare the same without compaction.
 */
export function checks(
  {opening, resumed, crashed, ending}: Telling,
  straight: readonly GeminiRequest[],
  bare: readonly GeminiRequest[],
): Check[] {
  const acts = [opening, resumed, crashed, ending];
  const told = acts.flatMap(({requests}) => requests);
  const refused = [...told, ...straight].filter(({faults}) => faults.length > 0).length;
  const highest = Math.max(...told.map(({promptTokens}) => promptTokens));
  const repaired = ending.requests.filter(({text}) => text.includes('{"error":"interrupted"}'));
  const over = bare.filter(({promptTokens}) => promptTokens > CONTEXT_TOKENS).length;
  const [sent, sentBare] = [tokensSent(straight), tokensSent(bare)];
  const agentCalls = told.filter(isAgentCall).length;

  return [
    {
      passed: agentCalls >= 60,
      text: `${agentCalls} model calls in ${acts.reduce((sum, {turns}) => sum + turns, 0)} turns and three processes`,
    },
    {passed: refused === 0, text: `requests refused: ${refused}`},
    {passed: highest <= CONTEXT_TOKENS, text: `largest request: ${formatTokens(highest)} tokens`},
    foldsCheck(acts),
    backOffCheck(opening, resumed),
    resumedCheck(resumed, straight.slice(opening.requests.length)),
    {
      passed: repaired.length > 0 && repaired.every(({faults}) => faults.length === 0),
      text: 'after the second kill the open call is answered {error: "interrupted"}, and the request is accepted',
    },
    {
      passed: sent < sentBare,
      text: `tokens sent in ${bare.length} calls: ${formatTokens(sent)} with compaction, its summary calls included, ${formatTokens(sentBare)} without (${Math.round((1 - sent / sentBare) * 100)} % saved)`,
    },
    {passed: over > 0, text: `without compaction ${over} of them are over the window and would be refused`},
  ];
}

/** Every attempt has a record; every summary but the first is made of the one before and what came after. */
function foldsCheck(acts: readonly Act[]): Check {
  const records = acts.flatMap(({reports}) => foldRecords(reports));
  const made = records.filter(({kind}) => kind === 'fold').length;
  const failed = records.length - made;
  const [first, ...others] = acts.flatMap(({requests}) => requests).filter(isSummaryCall);
  const areRefolds = !!first && !opensWithSummary(first) && others.every(opensWithSummary);
  return {
    passed: made >= 3 && failed === 1 && others.length + 1 === records.length && areRefolds,
    text: `${others.length + 1} summary calls: ${made} folds, each with the summary before it inside, and ${failed} failure`,
  };
}

function opensWithSummary({contents}: GeminiRequest): boolean {
  const record = contents[0]?.parts?.[0]?.text ?? '';
  return /<record (\w+)>\n\[\1 user\]\nSummary of the conversation so far:/.test(record);
}

/** The failure lies before the kill, the next summary call after it. */
function backOffCheck(opening: Act, resumed: Act): Check {
  const failure = foldRecords(opening.reports).find(({kind}) => kind === 'failed-fold');
  const next = foldRecords(resumed.reports)[0];
  const spared = resumed.requests.findIndex(isSummaryCall);
  const contents = grown(failure?.split, next?.split);
  const tokens = grown(failure?.tokensBefore, next?.tokensBefore);
  const backedOff = resumed.reports.some(
    (report) => report.kind === 'warning' && report.code === 'compaction.fold.backoff',
  );
  return {
    passed: backedOff && spared > 0 && (contents >= MARGIN_CONTENTS || tokens >= MARGIN_TOKENS),
    text: `the process after the first kill knows of the failure: it backs off, and asks after ${spared} calls, with ${contents} contents more to fold`,
  };
}

function resumedCheck({requests}: Act, straight: readonly GeminiRequest[]): Check {
  const [resumed, uninterrupted] = [requests.filter(isAgentCall), straight.filter(isAgentCall)];
  const isEqual = texts(resumed) === texts(uninterrupted) && requests.length === straight.length;
  return {
    passed: resumed.length > 0 && isEqual,
    text: `its ${resumed.length} requests, stored summary and all, are byte-equal to those of the uninterrupted run`,
  };
}

function foldRecords(reports: readonly Report[]): (CompactionRecord | FailedFoldRecord)[] {
  return reports.flatMap((report) =>
    report.kind === 'compaction' && ['fold', 'failed-fold'].includes(report.record.kind) ? [report.record] : [],
  );
}

function grown(before: number | undefined, after: number | undefined): number {
  return (after ?? 0) - (before ?? 0);
}

function isAgentCall(request: GeminiRequest): boolean {
  return !isSummaryCall(request);
}

function texts(requests: readonly GeminiRequest[]): string {
  return requests.map(({text}) => text).join('\n');
}

function tokensSent(requests: readonly GeminiRequest[]): number {
  return requests.reduce((sum, {promptTokens}) => sum + promptTokens, 0);
}
