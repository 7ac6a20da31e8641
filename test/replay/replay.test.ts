import {join} from 'node:path';
import {createEvent, type Event} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {recordedContents} from '../../src/adk/recorded-contents.ts';
import {readCompaction} from '../../src/cli/compaction.ts';
import {readRecordedSession} from '../../src/cli/source.ts';
import {predictContent} from '../../src/estimate/predict-content.ts';
import {type CompactionPolicy, predictTokens} from '../../src/index.ts';
import {dryRunSummarizer} from '../../src/replay/dry-run-summarizer.ts';
import {policyFigures} from '../../src/replay/figures.ts';
import type {RecordedCall} from '../../src/replay/model-calls.ts';
import {modelCalls} from '../../src/replay/model-calls.ts';
import type {ReplayPolicy} from '../../src/replay/policy-run.ts';
import {countSlope} from '../../src/replay/provider-count.ts';
import type {RecordedSession} from '../../src/replay/recorded-session.ts';
import {replaySession} from '../../src/replay/replay.ts';
import {sessionHistory} from '../../src/report/history.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {runAgent} from '../support/agent-store.ts';
import {RECORDINGS, recordedSession} from '../support/recordings.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {runLive} from './live-run.ts';

const KEY = {appName: 'helpdesk', userId: 'ann', sessionId: 's1'};

/** A session in which nothing was compacted and every count is `1,000 + 1.5 × predicted`. */
async function plainSession(calls: number): Promise<RecordedSession> {
  const events: Event[] = [];
  const add = (author: string, content: Content, more: Partial<Event> = {}): void => {
    events.push(createEvent({author, content, invocationId: 'i1', timestamp: 1_000 + events.length, ...more}));
  };
  add('user', {role: 'user', parts: [{text: 'Read on, please.'}]});
  for (let index = 0; index < calls; index += 1) {
    const contents = await recordedContents(events, {agentName: 'reader'});
    const predicted = predictTokens({model: 'm', contents, toolsDict: {}, liveConnectConfig: {}});
    const functionCall = {id: `c${index}`, name: 'read', args: {page: index}};
    const usageMetadata = {promptTokenCount: 1_000 + Math.round(1.5 * predicted)};
    add('reader', {role: 'model', parts: [{functionCall}]}, {usageMetadata, modelVersion: 'm'});
    const response = {text: `Page ${index}: ${'the quick brown fox, '.repeat(60)}`};
    add('reader', {role: 'user', parts: [{functionResponse: {id: `c${index}`, name: 'read', response}}]});
  }
  return {key: KEY, state: {}, events, lastUpdateTime: 0};
}

function policyOf(policy: Partial<CompactionPolicy>, fold = false): ReplayPolicy {
  return {
    name: 'policy',
    policy: {contextTokens: 12_000, minimumElisionTokens: 50, ...policy} as ReplayPolicy['policy'],
    ...(fold && {fold: {summarizer: dryRunSummarizer()}}),
  };
}

/** What the replay stands for, told independently: reported, and what a change of the contents is worth. */
function countBy(slope: number): Parameters<typeof runLive>[2] {
  return (call: RecordedCall, request, incoming) =>
    Math.max(1, Math.round((call.reported ?? 0) + slope * (predictTokens(request) - predictTokens(incoming))));
}

function slopeOf({events}: RecordedSession): number {
  let predicted = 0;
  const sums = events.map(({content}) => {
    const before = predicted;
    predicted += content ? predictContent(content).millitokens / 1_000 : 0;
    return before;
  });
  return countSlope([
    modelCalls(events).map(({eventIndex, reported = 0}) => ({predicted: sums[eventIndex] ?? 0, reported})),
  ]);
}

/** A summary request carries a tag of its own each time, and its tokens differ by that. */
function withoutUsage(actions: readonly object[] = []): object[] {
  return actions.map((action) => ('usage' in action ? {...action, usage: 'counted'} : action));
}

describe('a replay', () => {
  it.each([
    ['elisions and drops', policyOf({})],
    ['the bytes estimator', policyOf({estimator: 'bytes', targetFraction: 0.4})],
    ['folds', policyOf({keepRecentContents: 6}, true)],
  ])('does what a live manager does over the same session, with %s', async (_, policy) => {
    const session = await plainSession(60);
    const [replay, live] = await Promise.all([
      replaySession(session, [policy], recordedContents),
      runLive(session, policy, countBy(1.5)),
    ]);
    expect(replay.skipped).toEqual([]);
    const calls = replay.calls.map((call) => call.policies[0]);
    expect(calls.map((call) => withoutUsage(call?.actions))).toEqual(live.map((call) => withoutUsage(call.actions)));
    expect(calls.some((call) => (call?.actions.length ?? 0) > 0)).toBe(true);
    const tokens = calls.map((call, index) => (call?.tokens ?? 0) - (live[index]?.tokens ?? 0));
    expect(Math.max(...tokens.map(Math.abs))).toBeLessThanOrEqual(1);
  });

  it('finds again what the manager decided when the session ran', async () => {
    const path = join(temporaryFolder(), 'agent.db');
    const policy = {contextTokens: 6_000, minimumElisionTokens: 100};
    await runAgent({path, key: KEY, turns: 10, policy});
    const database = openSqliteDatabase({path, readonly: true});
    const compaction = await readCompaction(database, KEY);
    const session = {...readRecordedSession(database, KEY), compaction};
    database.close();

    const replay = await replaySession(session, [{name: 'same', policy}], recordedContents);
    const replayed = replay.calls.map((call) => call.policies[0]);
    const coversOf = (actions: readonly object[]): unknown[] =>
      actions.map((action) => ['covers' in action && action.covers, 'kind' in action && action.kind]);
    const recorded = sessionHistory(compaction);
    expect(replayed.map((call) => coversOf(call?.actions ?? []))).toEqual(
      recorded.map((call) => coversOf(call.actions)),
    );
    expect(replayed.flatMap((call) => call?.actions ?? []).length).toBeGreaterThan(3);
    replayed.forEach((call, index) => {
      // The manager's figures are whole numbers: what the request held beside the contents is known to a token.
      expect(Math.abs((call?.tokens ?? 0) - (recorded[index]?.sample?.reported ?? 0))).toBeLessThanOrEqual(1);
    });
  });

  it('counts what was reported when nothing is compacted, and all of a growing request as stable', async () => {
    const session = await plainSession(10);
    const replay = await replaySession(session, [policyOf({contextTokens: 1_000_000})], recordedContents);
    const reported = replay.calls.map((call) => call.reported);
    expect(replay.calls.map((call) => call.uncompacted.tokens)).toEqual(reported);
    expect(replay.calls.map((call) => call.policies[0]?.tokens)).toEqual(reported);
    replay.calls.slice(1).forEach(({uncompacted}, index) => {
      expect(Math.abs(uncompacted.stableTokens - (reported[index] ?? 0))).toBeLessThanOrEqual(2);
    });
    expect(replay.calls[0]?.uncompacted.stableTokens).toBe(0);
  });

  it('leaves out calls that ADK would not have made, and says why', async () => {
    const session = await plainSession(3);
    const orphan = createEvent({
      author: 'reader',
      content: {role: 'user', parts: [{functionResponse: {id: 'nobody', name: 'read', response: {}}}]},
    });
    const answer = createEvent({author: 'reader', content: {role: 'model', parts: [{text: 'Done.'}]}});
    const replay = await replaySession(
      {...session, events: [...session.events, orphan, answer]},
      [policyOf({})],
      recordedContents,
    );
    expect(replay.calls).toHaveLength(3);
    expect(replay.skipped).toEqual([{eventIndex: 8, reason: expect.stringContaining('nobody')}]);
  });

  it('prices what was sent, its cached part and the summaries', () => {
    const usage = {promptTokenCount: 500_000, candidatesTokenCount: 100_000};
    const fold = {
      kind: 'fold',
      scope: {agentName: 'a'},
      time: 1,
      tokensBefore: 2,
      tokensAfter: 1,
      covers: [],
      usage,
    } as const;
    const figures = policyFigures(
      [
        {tokens: 1_000_000, stableTokens: 0, actions: []},
        {tokens: 2_000_000, stableTokens: 1_500_000, actions: [fold]},
      ],
      1_500_000,
      {input: 2, cached: 0.5, output: 10},
    );
    expect(figures).toMatchObject({calls: 2, peakTokens: 2_000_000, overWindow: 1, cuts: 1, folds: 1});
    // 1.5 M uncached and 0.5 M of the summary's input, 1.5 M cached, 0.1 M output.
    expect(figures.cost).toBeCloseTo(2 * 2 + 1.5 * 0.5 + 0.1 * 10, 10);
  });
});

describe.skipIf(RECORDINGS === undefined)('recordings (skipped where ADK_COMPACTION_RECORDINGS is not set)', () => {
  it('the coding session: figures and decisions of a live run, call by call', async () => {
    const session = recordedSession('coding-session.adk.jsonl');
    const policy = policyOf({contextTokens: 100_000, targetFraction: 0.3, minimumElisionTokens: 200}, true);
    const replay = await replaySession(session, [policy], recordedContents);
    const live = await runLive(session, policy, countBy(slopeOf(session)));
    const calls = replay.calls.map((call) => call.policies[0]);
    expect(calls).toHaveLength(431);
    expect(calls.map((call) => withoutUsage(call?.actions))).toEqual(live.map((call) => withoutUsage(call.actions)));
    expect(calls.map((call) => call?.estimate)).toEqual(live.map((call) => call.predicted));
    expect(calls.map((call) => call?.tokens)).toEqual(live.map((call) => call.tokens));
    expect(new Set(calls.flatMap((call) => call?.actions.map((action) => action.kind)))).toContain('fold');
  });

  it('the shopping session, which holds no counts', async () => {
    const session = recordedSession('shopping.session.json');
    const replay = await replaySession(session, [policyOf({contextTokens: 4_000})], recordedContents);
    expect(replay.calls).toHaveLength(20);
    expect(replay.calls.every((call) => call.reported === undefined && call.uncompacted.tokens > 0)).toBe(true);
    expect(replay.calls.some((call) => (call.policies[0]?.actions.length ?? 0) > 0)).toBe(true);
  });
});
