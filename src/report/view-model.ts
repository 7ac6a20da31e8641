import {modelCalls, type RecordedCall} from '../replay/model-calls.ts';
import type {PolicyFigures} from '../replay/policy-figures.ts';
import {sampledCalls} from '../replay/provider-count.ts';
import type {RecordedSession} from '../replay/recorded-session.ts';
import type {ReplayDocument, ReplayedSession} from '../replay/replay-document.ts';
import {tokenShares} from '../replay/token-shares.ts';
import {type Scope, type SessionKey, scopeLabel, scopeText, sessionKeyText} from '../session-key.ts';
import {failureReason} from '../store/records.ts';
import {type Action, backOffs, type HistoryCall, sessionHistory, toolCounts} from './history.ts';
import {policySettings} from './policy-settings.ts';
import {recordedCallViews} from './recording.ts';
import {stableShares} from './stable-share.ts';
import type {CallView, ComparisonView, CutView, FailedFoldView, PolicyView, SessionView, WindowView} from './view.ts';

/** The window with its trigger and target, for the lines of a chart. */
export interface ReportWindow {
  readonly contextTokens: number;
  readonly triggerFraction: number;
  readonly targetFraction: number;
}

function windowView({contextTokens, triggerFraction, targetFraction}: ReportWindow): WindowView {
  return {
    contextTokens,
    triggerTokens: Math.floor(contextTokens * triggerFraction),
    targetTokens: Math.floor(contextTokens * targetFraction),
  };
}

/** The view of a session from a store or from a file of events; with a replay, the comparison of its policies. */
export function recordedSessionView(
  session: RecordedSession,
  window: ReportWindow | undefined,
  replay?: ReplayDocument,
): SessionView {
  const replayed = replay?.sessions.find(({key}) => sessionKeyText(key) === sessionKeyText(session.key));
  const {compaction} = session;
  const history = compaction ? sessionHistory(compaction) : [];
  return {
    name: nameOf(session.key),
    origin: history.length > 0 ? 'store' : 'recording',
    ...(window && {window: windowView(window)}),
    ...(history.length > 0
      ? {calls: storedCallViews(history, session), ...actionViews(history)}
      : {calls: recordedCallViews(session.events), cuts: [], failedFolds: []}),
    backOffs: compaction
      ? backOffs(compaction).map(({scope, since, reason}) => ({agent: scopeLabel(scope), since, reason}))
      : [],
    shares: tokenShares(session.events),
    ...(replay && replayed && {comparison: comparisonView(replay, replayed)}),
  };
}

/** The view of a replayed session: what the first policy would have done, and the comparison of all. */
export function replayedSessionView(replay: ReplayDocument, session: ReplayedSession): SessionView {
  const [policy] = replay.policies;
  const history = session.calls.map(({scope, time, policies}) => ({scope, time, actions: policies[0]?.actions ?? []}));
  return {
    name: nameOf(session.key),
    origin: 'replay',
    ...(policy && {window: windowView(policy)}),
    calls: session.calls.map(({scope, time, model, reported, policies}, index) => {
      const {tokens, stableTokens, expected} = policies[0] ?? {tokens: 0, stableTokens: 0};
      return {
        time,
        agent: scopeLabel(scope),
        model,
        ...(expected === undefined ? {} : {expected}),
        ...(reported === undefined ? {} : {reported: tokens}),
        ...(index > 0 && tokens > 0 ? {stableShare: stableTokens / tokens} : {}),
      };
    }),
    ...actionViews(history),
    backOffs: [],
    shares: session.shares,
    comparison: comparisonView(replay, session),
  };
}

function storedCallViews(history: readonly HistoryCall[], {events, compaction}: RecordedSession): CallView[] {
  const recorded = new Map(
    [...sampledCalls(modelCalls(events), compaction?.samples ?? [])].map(([call, sample]) => [sample, call]),
  );
  const recordedCall = ({sample}: HistoryCall): RecordedCall | undefined => sample && recorded.get(sample);
  const shares = new Map<HistoryCall, number | undefined>();
  for (const scope of new Set(history.map((call) => scopeText(call.scope)))) {
    const calls = history.filter((call) => scopeText(call.scope) === scope);
    stableShares(calls, events, (call) => recordedCall(call)?.eventIndex).forEach((share, index) => {
      const call = calls[index];
      if (call) {
        shares.set(call, share);
      }
    });
  }
  return history.map((call): CallView => {
    const {scope, time, sample} = call;
    const stableShare = shares.get(call);
    const cachedTokens = recordedCall(call)?.cached;
    return {
      time,
      agent: scopeLabel(scope),
      model: sample?.model ?? '',
      ...(sample && {expected: sample.expected, reported: sample.reported}),
      ...(stableShare === undefined ? {} : {stableShare}),
      ...(sample && cachedTokens !== undefined ? {cachedShare: cachedTokens / sample.reported} : {}),
    };
  });
}

function actionViews(
  history: readonly {readonly scope: Scope; readonly actions: readonly Action[]}[],
): Pick<SessionView, 'cuts' | 'failedFolds'> {
  const cuts: CutView[] = [];
  const failedFolds: FailedFoldView[] = [];
  history.forEach(({scope, actions}, call) => {
    const agent = scopeLabel(scope);
    for (const action of actions) {
      const {time} = action;
      if (action.kind === 'failed-fold') {
        const {attempts, tokensBefore: tokens} = action;
        failedFolds.push({call, time, agent, reason: failureReason(action), attempts, tokens});
      } else {
        const {kind, tokensBefore, tokensAfter, covers, split = 0, summary} = action;
        cuts.push({
          call,
          kind,
          time,
          agent,
          tokensBefore,
          tokensAfter,
          count: kind === 'fold' ? split : covers.length,
          tools: kind === 'elision' ? toolCounts(action) : [],
          ...(summary === undefined ? {} : {summary}),
        });
      }
    }
  });
  return {cuts, failedFolds};
}

function comparisonView(replay: ReplayDocument, session: ReplayedSession): ComparisonView {
  const {policies, prices} = replay;
  const row = (name: string, settings: string, figures: PolicyFigures, tokensByCall: number[]): PolicyView => {
    const {calls: _calls, stableTokens, foldInputTokens: _input, foldOutputTokens: _output, ...rest} = figures;
    return {
      name,
      settings,
      ...rest,
      stableShare: figures.tokens === 0 ? 0 : stableTokens / figures.tokens,
      tokensByCall,
    };
  };
  return {
    hasPrices: prices !== undefined,
    rows: [
      row(
        'without compaction',
        'the window ignored',
        session.uncompacted,
        session.calls.map((call) => call.uncompacted.tokens),
      ),
      ...session.figures.map((figures, index) => {
        const policy = policies[index];
        const tokens = session.calls.map((call) => call.policies[index]?.tokens ?? 0);
        return row(policy?.name ?? '', policy ? policySettings(policy) : '', figures, tokens);
      }),
    ],
  };
}

function nameOf({appName, userId, sessionId}: SessionKey): SessionKey {
  return {appName, userId, sessionId};
}
