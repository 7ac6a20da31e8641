import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import type {ReplayDocument} from '../../src/replay/replay-document.ts';
import type {SessionOverview} from '../../src/store/sqlite/session-overview.ts';
import {runAgent} from '../support/agent-store.ts';
import {RECORDINGS, recording} from '../support/recordings.ts';
import {adkEvents, makeAdkDatabase} from './adk-database.ts';
import {CommandRig, keyOf, POLICY, shared} from './command-rig.ts';

const rig = new CommandRig();
let store = '';
beforeAll(async () => {
  store = await rig.makeStore();
});

describe('replay', () => {
  const priced = shared(() =>
    rig.succeedJson<ReplayDocument>([
      ...['replay', store, '--session', 'plain', '--context-tokens', '8000', '--minimum', '100', '--price', '1'],
      ...['--policy', 'name=same', '--policy', 'name=deep,target=0.3', '--policy', 'name=fold,fold'],
    ]),
  );

  it('sets several policies side by side, at a price', async () => {
    const replay = await priced();
    expect(replay.policies.map(({name}) => name)).toEqual(['same', 'deep', 'fold']);
    const [session] = replay.sessions;
    expect(session?.calls).toHaveLength(60);
    const [same, deep, fold] = session?.figures ?? [];
    expect(session?.uncompacted.overWindow).toBeGreaterThan(0);
    expect(same?.overWindow).toBe(0);
    expect(deep?.tokens).toBeLessThan(same?.tokens ?? 0);
    expect(fold?.folds).toBeGreaterThan(0);
    expect(fold?.foldInputTokens).toBeGreaterThan(0);
    expect(deep?.cost).toBeLessThan(session?.uncompacted.cost ?? 0);
    const {sessions} = await rig.succeedJson<{sessions: SessionOverview[]}>(['sessions', store, '--session', 'plain']);
    expect(same).toMatchObject({
      elisions: sessions[0]?.elisions,
      drops: sessions[0]?.drops,
      peakTokens: sessions[0]?.peakTokens,
    });
  });

  it('JSON keeps the price of output, though it leaves out what folds put into requests', async () => {
    const {prices, sessions} = await priced();
    expect(prices).toEqual({input: 1, cached: 0.1, output: 8});
    const actions = sessions.flatMap(({calls}) => calls.flatMap((call) => call.policies.flatMap((run) => run.actions)));
    const folds = actions.filter(({kind}) => kind === 'fold');
    expect(folds.length).toBeGreaterThan(0);
    for (const fold of folds) {
      expect(Object.keys(fold)).toEqual(expect.not.arrayContaining(['output']));
    }
  });

  it('shows a cost of less than a cent in figures, not as 0.00', async () => {
    const text = await rig.succeed(['replay', store, '--session', 'plain', '--price', '0.001']);
    const [bare = '', policy = ''] = [...text.matchAll(/ (0\.\d+)$/gmu)].map(([, cost]) => cost);
    expect([bare, policy]).toEqual([expect.stringMatching(/^0\.00\d+$/u), expect.stringMatching(/^0\.00\d+$/u)]);
    expect(Math.min(Number(bare), Number(policy))).toBeGreaterThan(0);
    expect(bare).toHaveLength(policy.length);
  });

  it('prints a table, and writes the report for its owner only', async () => {
    const report = rig.path('replay.html');
    const text = await rig.succeed([
      'replay',
      store,
      '--user',
      'ann',
      '--policy',
      'name=a',
      '--policy',
      'name=b,target=0.2',
      '--report',
      report,
    ]);
    expect(text).toContain('120 model calls of 2 sessions');
    expect(text).toMatch(/^without compaction +[\d,]+/mu);
    expect(readFileSync(report, 'utf8')).toContain('<!doctype html>');
    expect(statSync(report).mode & 0o777).toBe(0o600);
  });

  it('reads session JSON, JSONL and a database of ADK, and finds the same calls in each', async () => {
    makeAdkDatabase(rig.path('adk.db'), adkEvents());
    writeFileSync(rig.path('session.json'), JSON.stringify({id: 's1', events: adkEvents()}));
    writeFileSync(
      rig.path('events.jsonl'),
      adkEvents()
        .map((event) => JSON.stringify(event))
        .join('\n'),
    );
    for (const source of ['adk.db', 'session.json', 'events.jsonl']) {
      const {sessions} = await rig.succeedJson<ReplayDocument>(['replay', rig.path(source)]);
      expect(sessions.map(({calls}) => calls.map(({reported}) => reported))).toEqual([[120, 150]]);
    }
  });

  it.skipIf(RECORDINGS === undefined)(
    'three policies over the recorded coding session (skipped where ADK_COMPACTION_RECORDINGS is not set)',
    async () => {
      const {sessions} = await rig.succeedJson<ReplayDocument>([
        ...['replay', recording('coding-session.adk.jsonl'), '--context-tokens', '100000'],
        ...['--policy', 'name=default', '--policy', 'name=deep,target=0.3', '--policy', 'name=fold,target=0.3,fold'],
      ]);
      const [session] = sessions;
      expect(session?.calls).toHaveLength(431);
      expect(session?.uncompacted).toMatchObject({tokens: 46_656_408, peakTokens: 177_604});
      expect(session?.figures.map((figures) => figures.overWindow)).toEqual([0, 0, 0]);
      expect(session?.figures[2]?.folds).toBeGreaterThan(0);
    },
  );
});

describe('export and import', () => {
  it('take a session to another store, whole', async () => {
    const file = rig.path('plain.json');
    await rig.succeed(['export', store, '--session', 'plain', '-o', file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = rig.path('copy.db');
    expect(await rig.succeed(['import', copy, file])).toBe('Imported 1 session with 120 events.\n');
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const exported = JSON.parse(readFileSync(file, 'utf8')) as {events: object[]};
    const again = JSON.parse(await rig.succeed(['export', copy])) as {events: object[]};
    expect(again.events).toEqual(exported.events);
    expect(await rig.succeed(['import', copy, file])).toContain('Left alone: 1, there already.');
  });

  it('bring sessions, events and state out of a database of ADK', async () => {
    makeAdkDatabase(rig.path('from-adk.db'), adkEvents());
    const copy = rig.path('adk-copy.db');
    expect(await rig.succeed(['import', copy, rig.path('from-adk.db')])).toBe('Imported 1 session with 4 events.\n');
    const session = JSON.parse(await rig.succeed(['export', copy])) as {
      state: object;
      events: {content: {parts: object[]}}[];
    };
    expect(session.state).toEqual({'app:season': 'spring', 'user:size': 'M', cart: ['dress']});
    expect(session.events[1]?.content.parts[0]).toEqual({
      functionCall: {id: 'c1', name: 'find', args: {max_price: 50}},
    });
  });
});

describe('purge', () => {
  const makeTwo = async (name: string): Promise<string> => {
    const path = rig.path(name);
    for (const session of ['plain', 'folds']) {
      await runAgent({path, key: keyOf('ann', session), turns: 1, policy: POLICY});
    }
    return path;
  };
  const names = async (file: string): Promise<string[]> =>
    (await rig.succeedJson<{sessions: SessionOverview[]}>(['sessions', file])).sessions.map(({sessionId}) => sessionId);

  it('deletes what is named, once it is told to without a question', async () => {
    const file = await makeTwo('purge.db');
    expect(await rig.succeed(['purge', file, '--session', 'plain', '--yes'])).toBe('Deleted 1 session.\n');
    expect(await names(file)).toEqual(['folds']);
    expect(await rig.succeed(['purge', file, '--older-than', '30d', '--yes'])).toBe(
      'No sessions match; nothing was deleted.\n',
    );
    expect(await rig.succeed(['purge', file, '--older-than', '2999-01-01', '--yes'])).toBe('Deleted 1 session.\n');
    expect(await names(file)).toEqual([]);
  });

  it('deletes nothing where nothing is named', async () => {
    const file = await makeTwo('kept.db');
    const unnamed = await rig.run(['purge', file, '--yes']);
    expect([unnamed.exitCode, unnamed.stderr]).toEqual([2, expect.stringContaining('--older-than')]);
    expect(await names(file)).toHaveLength(2);
  });
});

describe('migrate', () => {
  it('leaves a current store as it is, and makes no file', async () => {
    expect(await rig.succeed(['migrate', store])).toContain('has the current schema');
    const {exitCode} = await rig.run(['migrate', rig.path('nothing.db')]);
    expect([exitCode, existsSync(rig.path('nothing.db'))]).toEqual([1, false]);
  });
});
