import {join} from 'node:path';
import {createEvent, type Event} from '@google/adk';
import {describe, expect, it} from 'vitest';
import {recordedContents} from '../../src/adk/recorded-contents.ts';
import {readCompaction} from '../../src/cli/compaction.ts';
import {readRecordedSession} from '../../src/cli/source.ts';
import {parsePolicy} from '../../src/policy.ts';
import type {RecordedSession} from '../../src/replay/recorded-session.ts';
import {replaySession} from '../../src/replay/replay.ts';
import {describePolicy, replayDocument} from '../../src/replay/replay-document.ts';
import {tokenShares} from '../../src/replay/token-shares.ts';
import {recordedSessionView, replayedSessionView} from '../../src/report/view-model.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {runAgent, summarizer} from '../support/agent-store.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

const KEY = {appName: 'helpdesk', userId: 'ann', sessionId: 's1'};
const POLICY = {contextTokens: 8_000, minimumElisionTokens: 100};
const WINDOW = {contextTokens: 8_000, triggerFraction: 0.85, targetFraction: 0.6};

async function storedSession(fold?: string): Promise<RecordedSession> {
  const path = join(temporaryFolder(), 'agent.db');
  await runAgent({
    path,
    key: KEY,
    turns: 12,
    policy: POLICY,
    ...(fold === undefined ? {} : {fold: {summarizer: summarizer(fold)}}),
  });
  const database = openSqliteDatabase({path, readonly: true});
  const session = {...readRecordedSession(database, KEY), compaction: await readCompaction(database, KEY)};
  database.close();
  return session;
}

describe('the view of a stored session', () => {
  it('has every call with its figures, and every cut at its call', async () => {
    const session = await storedSession('All pages were about foxes.');
    const view = recordedSessionView(session, WINDOW);
    expect(view).toMatchObject({origin: 'store', name: KEY, window: {triggerTokens: 6_800, targetTokens: 4_800}});
    expect(view.calls.map((call) => call.reported)).toEqual(
      session.compaction?.samples.map((sample) => sample.reported),
    );
    expect(view.cuts).toHaveLength(session.compaction?.records.length ?? 0);
    const fold = view.cuts.find((cut) => cut.kind === 'fold');
    expect(fold?.summary).toContain('All pages were about foxes.');
    for (const {call, tokensAfter, kind} of view.cuts) {
      // Nothing else was sent than what the last cut before a call left.
      const last = view.cuts.findLast((cut) => cut.call === call);
      if (last?.kind !== kind) {
        continue;
      }
      expect(session.compaction?.samples[call]?.prediction).toBe(tokensAfter);
    }
  });

  it('estimates the cache-stable share close to what a replay knows exactly', async () => {
    const session = await storedSession();
    const view = recordedSessionView(session, WINDOW);
    const policies = [{name: 'same', policy: POLICY}];
    const replay = await replaySession(session, policies, recordedContents);
    const exact = replay.calls.map(({policies: [call]}) => (call ? call.stableTokens / call.tokens : 0));
    const errors = view.calls
      .slice(1)
      .map(({stableShare = 0}, index) => Math.abs(stableShare - (exact[index + 1] ?? 0)));
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.02);
    expect(Math.max(...errors)).toBeLessThan(0.15);
  });

  it('takes the comparison from a replay of the same session, and of no other', async () => {
    const session = await storedSession();
    const policies = [
      {name: 'a', policy: POLICY},
      {name: 'b', policy: {...POLICY, targetFraction: 0.3}},
    ];
    const replayed = {
      ...(await replaySession(session, policies, recordedContents)),
      shares: tokenShares(session.events),
    };
    const descriptions = policies.map((policy) => describePolicy(policy, parsePolicy(policy.policy)));
    const document = replayDocument(descriptions, [replayed], undefined);
    const {comparison} = recordedSessionView(session, WINDOW, document);
    expect(comparison?.rows.map(({name, settings}) => [name, settings])).toEqual([
      ['without compaction', 'the window ignored'],
      ['a', '8,000 tokens, 85 % → 60 %, keeps 12'],
      ['b', '8,000 tokens, 85 % → 30 %, keeps 12'],
    ]);
    const other = {...session, key: {...KEY, sessionId: 'other'}};
    expect(recordedSessionView(other, WINDOW, document).comparison).toBeUndefined();
    const [only] = document.sessions;
    if (only === undefined) {
      throw new Error('There is no session.');
    }
    expect(replayedSessionView(document, only)).toMatchObject({origin: 'replay', comparison, shares: replayed.shares});
  });
});

describe('the view of recorded events', () => {
  const events = (counts: readonly (number | undefined)[]): RecordedSession => ({
    key: KEY,
    state: {},
    lastUpdateTime: 0,
    events: counts.map((promptTokenCount) =>
      createEvent({
        author: 'reader',
        invocationId: 'i1',
        content: {role: 'model', parts: [{text: 'word '.repeat(100)}]},
        ...(promptTokenCount === undefined ? {} : {usageMetadata: {promptTokenCount, cachedContentTokenCount: 50}}),
      }),
    ),
  });

  it('expects the next count from those before, and takes the shares from the counts', () => {
    const {origin, calls, cuts} = recordedSessionView(events([1_000, 1_103, 1_206]), undefined);
    expect([origin, cuts]).toEqual(['recording', []]);
    expect(calls.map(({reported}) => reported)).toEqual([1_000, 1_103, 1_206]);
    expect(Math.abs((calls[2]?.expected ?? 0) - 1_206)).toBeLessThan(30);
    expect(calls[1]?.stableShare).toBeCloseTo(1_000 / 1_103, 6);
    expect(calls[1]?.cachedShare).toBeCloseTo(50 / 1_103, 6);
  });

  it('names an agent on a branch as the view of a store does', () => {
    const [first, ...rest] = events([1_000, 1_103]).events;
    const session = {
      ...events([]),
      events: [{...first, branch: 'team.reader', isolationScope: ''}, ...rest] as Event[],
    };
    const {calls} = recordedSessionView(session, undefined);
    expect(calls.map(({agent}) => agent)).toEqual(['reader / team.reader', 'reader']);
  });

  it('draws no reported count where there is none', () => {
    const {calls} = recordedSessionView(events([undefined, undefined]), undefined);
    expect(calls.map((call) => 'reported' in call)).toEqual([false, false]);
  });
});

describe('tokenShares', () => {
  it('puts calls and answers to their tool, and words to who wrote them', () => {
    const event = (role: string, ...parts: object[]): ReturnType<typeof createEvent> =>
      createEvent({author: 'a', content: {role, parts}});
    const shares = tokenShares([
      event('user', {text: 'Please read.'}),
      event('model', {text: 'Hm.', thought: true}, {functionCall: {name: 'read', args: {}}}),
      event('user', {functionResponse: {name: 'read', response: {text: 'a long text '.repeat(40)}}}),
      event('model', {text: 'Done.'}),
      createEvent({author: 'a', partial: true, content: {role: 'model', parts: [{text: 'Do'}]}}),
    ]);
    expect(shares.map(({kind, name, parts}) => [kind, name, parts])).toEqual([
      ['tool', 'read', 2],
      ['user', '', 1],
      expect.arrayContaining([1]),
      expect.arrayContaining([1]),
    ]);
  });
});
