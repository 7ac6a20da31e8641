import {parsePolicy} from '../policy.ts';
import type {Prices} from '../replay/figures.ts';
import {modelCalls} from '../replay/model-calls.ts';
import type {ReplayPolicy} from '../replay/policy-run.ts';
import {type CallReplay, replaySession, type SessionReplay} from '../replay/replay.ts';
import {describePolicy, type ReplayDocument, replayDocument} from '../replay/replay-document.ts';
import {type TokenShare, tokenShares} from '../replay/token-shares.ts';
import {dollarTexts} from '../report/number-text.ts';
import {policySettings} from '../report/policy-settings.ts';
import {failureReason} from '../store/records.ts';
import {actionJson} from './action-json.ts';
import {formatCount, formatShare, formatTable, paint, plural, printable} from './format.ts';
import {note, print, printJson, writeResult} from './output.ts';
import {type PolicySettings, readPolicies} from './policies.ts';
import {startProgress} from './progress.ts';
import type {SessionSelection} from './selection.ts';
import {openSource, requireSessions} from './source.ts';

export interface ReplayOptions extends SessionSelection, PolicySettings {
  readonly policy?: readonly string[];
  readonly price?: number;
  readonly priceCached?: number;
  readonly priceOutput?: number;
  readonly report?: string;
  readonly json?: boolean;
}

const CACHED_SHARE_OF_PRICE = 0.1;
const OUTPUT_TIMES_PRICE = 8;

/** `replay SOURCE`: what each policy would have done to the sessions of a source. */
export async function replaySource(path: string, options: ReplayOptions): Promise<void> {
  const policies = await readPolicies(options, options.policy ?? [], async (name) =>
    (await import('../adk/gemini-model.ts')).geminiModel(name),
  );
  const sessions = await replaySessions(path, options, policies);
  const document = replayDocument(
    policies.map((policy) => describePolicy(policy, parsePolicy(policy.policy))),
    sessions,
    pricesOf(options),
  );
  if (options.report !== undefined) {
    const {replayedReport} = await import('../report/make-report.ts');
    writeResult(options.report, replayedReport(document, Date.now()));
    note(`Wrote ${options.report}.`);
  }
  if (options.json) {
    printJson(documentJson(document));
  } else if (options.report !== '-') {
    print(describe(document));
  }
}

async function replaySessions(
  path: string,
  options: ReplayOptions,
  policies: readonly ReplayPolicy[],
): Promise<(SessionReplay & {readonly shares: readonly TokenShare[]})[]> {
  const source = await openSource(path, options);
  try {
    const keys = requireSessions(source, path, options);
    const {recordedContents} = await import('../adk/recorded-contents.ts');
    const replayed = [];
    for (const key of keys) {
      const session = await source.read(key);
      const progress = startProgress(printable(key.sessionId), modelCalls(session.events).length);
      try {
        const replay = await replaySession(session, policies, recordedContents, () => progress.advance());
        replayed.push({...replay, shares: tokenShares(session.events)});
      } finally {
        progress.stop();
      }
    }
    return replayed;
  } finally {
    source.close();
  }
}

function pricesOf({price, priceCached, priceOutput}: ReplayOptions): Prices | undefined {
  if (price === undefined) {
    return undefined;
  }
  return {
    input: price,
    cached: priceCached ?? CACHED_SHARE_OF_PRICE * price,
    output: priceOutput ?? OUTPUT_TIMES_PRICE * price,
  };
}

function documentJson(document: ReplayDocument): object {
  const callJson = ({policies, ...call}: CallReplay): object => ({
    ...call,
    policies: policies.map((policy) => ({...policy, actions: policy.actions.map(actionJson)})),
  });
  return {
    ...document,
    sessions: document.sessions.map((session) => ({...session, calls: session.calls.map(callJson)})),
  };
}

function describe({policies, prices, sessions}: ReplayDocument): string {
  const calls = sessions.reduce((sum, session) => sum + session.calls.length, 0);
  const skipped = sessions.flatMap((session) => session.skipped);
  const sums = (index: number): SummedFigures =>
    sumFigures(sessions.map((session) => (index < 0 ? session.uncompacted : session.figures[index])));
  const right = (title: string): {title: string; align: 'right'} => ({title, align: 'right'});
  const columns = [
    {title: 'POLICY'},
    ...['TOKENS SENT', 'CACHE-STABLE', 'PEAK', 'OVER WINDOW', 'CUTS', 'ELIDED', 'FOLDS', 'DROPPED'].map(right),
    ...(prices ? [right('COST USD')] : []),
  ];
  const row = (name: string, figures: SummedFigures, cost: string): string[] => [
    name,
    formatCount(figures.tokens),
    formatShare(figures.tokens > 0 ? figures.stableTokens / figures.tokens : undefined),
    formatCount(figures.peakTokens),
    formatCount(figures.overWindow),
    formatCount(figures.cuts),
    formatCount(figures.elisions),
    figures.failedFolds > 0
      ? `${formatCount(figures.folds)} (${formatCount(figures.failedFolds)} failed)`
      : formatCount(figures.folds),
    formatCount(figures.drops),
    ...(prices ? [cost] : []),
  ];
  const summed = ['without compaction', ...policies.map(({name}) => name)].map((name, index) => ({
    name,
    figures: sums(index - 1),
  }));
  const costs = dollarTexts(summed.map(({figures}) => figures.cost));
  const rows = summed.map(({name, figures}, index) => row(name, figures, costs[index] ?? ''));
  const settings = policies.map((policy) => `${printable(policy.name)}: ${policySettings(policy)}`);
  const left =
    skipped.length > 0
      ? [
          `${plural(skipped.length, 'call')} left out: ADK would not have made them (${printable(skipped[0]?.reason ?? '')}).`,
        ]
      : [];
  return [
    paint('bold', `${plural(calls, 'model call')} of ${plural(sessions.length, 'session')}`),
    '',
    formatTable(columns, rows),
    ...[...settings, ...left].map((line) => paint('dim', line)),
    ...policies.flatMap(({name}, index) => failedFolds(name, sessions, index)),
    '',
  ].join('\n');
}

/** Why folds of a policy failed: each reason once. */
function failedFolds(name: string, sessions: ReplayDocument['sessions'], index: number): string[] {
  const counts = new Map<string, number>();
  const actions = sessions.flatMap(({calls}) => calls.flatMap(({policies}) => policies[index]?.actions ?? []));
  for (const action of actions) {
    if (action.kind === 'failed-fold') {
      const reason = failureReason(action);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return [...counts].map(([reason, count]) =>
    paint('yellow', printable(`${name}: ${plural(count, 'fold')} failed (${reason})`)),
  );
}

type Figures = NonNullable<ReplayDocument['sessions'][number]['figures'][number]>;
type SummedFigures = Required<Figures>;

function sumFigures(all: readonly (Figures | undefined)[]): SummedFigures {
  const sum = (member: keyof Figures): number => all.reduce((total, figures) => total + (figures?.[member] ?? 0), 0);
  return {
    calls: sum('calls'),
    tokens: sum('tokens'),
    stableTokens: sum('stableTokens'),
    peakTokens: all.reduce((peak, figures) => Math.max(peak, figures?.peakTokens ?? 0), 0),
    overWindow: sum('overWindow'),
    cuts: sum('cuts'),
    elisions: sum('elisions'),
    folds: sum('folds'),
    failedFolds: sum('failedFolds'),
    drops: sum('drops'),
    foldInputTokens: sum('foldInputTokens'),
    foldOutputTokens: sum('foldOutputTokens'),
    cost: sum('cost'),
  };
}
