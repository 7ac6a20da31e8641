import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import type {SessionOverview} from '../../src/store/sqlite/session-overview.ts';
import {RECORDINGS, recording} from '../support/recordings.ts';
import {CommandRig, POLICY, SUMMARY} from './command-rig.ts';

const rig = new CommandRig();
let store = '';
beforeAll(async () => {
  store = await rig.makeStore();
});

describe('--help', () => {
  it('names every command, with examples and exit codes', async () => {
    const help = await rig.succeed(['--help']);
    for (const name of 'sessions history verify export replay report serve import purge migrate'.split(' ')) {
      expect(help).toContain(`\n  ${name} `);
      expect(await rig.succeed([name, '--help'])).toMatch(/Examples?:\n {2}\$ adk-compaction/u);
    }
    expect(help).toContain('Exit codes: 0 done');
  });

  it('tells the version of the package', async () => {
    const {version} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await rig.succeed(['--version'])).toBe(`${version}\n`);
  });
});

describe('commands that only read', () => {
  it('leave the file as it was, byte for byte', async () => {
    const before = readFileSync(store);
    await rig.succeed(['sessions', store]);
    await rig.succeed(['history', store, '--session', 'folds']);
    await rig.succeed(['verify', store]);
    await rig.succeed(['replay', store, '--session', 'plain']);
    expect(readFileSync(store).equals(before)).toBe(true);
  });
});

describe('sessions', () => {
  it('lists what is in the store, the one last active first', async () => {
    const {sessions, total} = await rig.succeedJson<{sessions: SessionOverview[]; total: number}>(['sessions', store]);
    expect(total).toBe(3);
    expect(sessions.map(({sessionId, events, calls}) => [sessionId, events, calls])).toEqual([
      ['fails', 120, 60],
      ['folds', 120, 60],
      ['plain', 120, 60],
    ]);
    const [fails, folds] = sessions;
    expect(folds?.folds).toBeGreaterThan(0);
    expect(fails?.failedFolds).toBeGreaterThan(0);
    expect(fails?.peakTokens).toBeLessThan(POLICY.contextTokens);
    const table = await rig.succeed(['sessions', store]);
    expect(table).toMatch(/^SESSION +USER +APP/u);
    expect(table).toContain('3 sessions');
  });

  it.each([
    [
      ['--user', 'ann'],
      ['folds', 'plain'],
    ],
    [['--session', 'plain'], ['plain']],
    [['--app', 'nobody'], []],
    [['--limit', '1', '--page', '2'], ['folds']],
    [
      ['--since', '1h'],
      ['fails', 'folds', 'plain'],
    ],
    [['--since', '2999-01-01'], []],
  ])('narrows by %j', async (args, expected) => {
    const {sessions} = await rig.succeedJson<{sessions: SessionOverview[]}>(['sessions', store, ...args]);
    expect(sessions.map(({sessionId}) => sessionId)).toEqual(expected);
  });
});

describe('a session that compaction counted no call of', () => {
  let imported = '';
  beforeAll(async () => {
    imported = rig.path('imported.db');
    const session = rig.path('uncounted.json');
    await rig.succeed(['export', store, '--session', 'plain', '-o', session]);
    await rig.succeed(['import', imported, session]);
  });

  it.each([['sessions'], ['history']])('%s says what may be the reason', async (command) => {
    const text = await rig.succeed([command, imported]);
    expect(text).toContain('the plugin was made without store: store.compaction, or the session was imported');
  });

  it('sessions says how many there are, and says nothing where all have calls', async () => {
    expect(await rig.succeed(['sessions', imported])).toContain('1 session with 0 CALLS');
    expect(await rig.succeed(['sessions', store])).not.toContain('0 CALLS');
  });
});

describe('history', () => {
  it('tells call by call what was expected, reported and done, with summaries on demand', async () => {
    const text = await rig.succeed(['history', store, '--session', 'folds']);
    expect(text).toMatch(/elided \d+ answers? \(read ×\d+\), [\d,]+ → [\d,]+/u);
    expect(text).toMatch(/folded \d+ contents into a summary, [\d,]+ → [\d,]+/u);
    expect(text).not.toContain('foxes');
    expect(await rig.succeed(['history', store, '--session', 'folds', '--summaries'])).toContain(SUMMARY);
  });

  it('tells of failed folds with their reason, and of the back-off', async () => {
    const text = await rig.succeed(['history', store, '--session', 'fails']);
    expect(text).toMatch(/fold failed \(error: SAFETY\), 1 attempt/u);
    expect(text).toMatch(/reader backs off since .* \(error: SAFETY\)/u);
    const {backOffs, calls} = await rig.succeedJson<{backOffs: object[]; calls: object[]}>([
      'history',
      store,
      '--session',
      'fails',
    ]);
    expect(backOffs).toHaveLength(1);
    expect(calls).toHaveLength(60);
  });

  it('asks which session when several match', async () => {
    const {exitCode, stderr} = await rig.run(['history', store, '--user', 'ann']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('2 sessions')]);
    expect(stderr).toContain('Choose one with --app, --user and --session.');
  });
});

describe('report', () => {
  it('writes one page for its owner only', async () => {
    const output = rig.path('report.html');
    const {stderr} = await rig.run(['report', store, '-o', output, '--context-tokens', '8000']);
    expect(stderr).toBe(`Wrote ${output}: 3 sessions.\n`);
    expect(statSync(output).mode & 0o777).toBe(0o600);
    const html = readFileSync(output, 'utf8');
    expect(html).toContain('"triggerTokens":6800,"targetTokens":4800');
  });

  it('adds the comparison of a replay, and reads a replay alone', async () => {
    const replay = await rig.succeed(['replay', store, '--session', 'folds', '--policy', 'name=other', '--json']);
    writeFileSync(rig.path('replay.json'), replay);
    const both = await rig.succeed([
      'report',
      store,
      '--session',
      'folds',
      '--replay',
      rig.path('replay.json'),
      '-o',
      '-',
    ]);
    expect(both).toContain('"origin":"store"');
    expect(both).toContain('"name":"other"');
    expect(await rig.succeed(['report', rig.path('replay.json'), '-o', '-'])).toContain('"origin":"replay"');
  });

  it.skipIf(RECORDINGS === undefined).each(['coding-session.adk.jsonl', 'shopping.session.json'])(
    'draws %s (skipped where ADK_COMPACTION_RECORDINGS is not set)',
    async (name) => {
      expect(await rig.succeed(['report', recording(name), '-o', '-'])).toContain('"origin":"recording"');
    },
  );
});

describe('verify', () => {
  it('finds a sound store sound, folds included', async () => {
    expect(await rig.succeed(['verify', store])).toMatch(/is sound: 3 sessions, \d+ folds?\.\n$/u);
  });
});
