import {readFileSync, writeFileSync} from 'node:fs';
import Database from 'better-sqlite3';
import {beforeAll, describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {runAgent, storeEvents, summarizer} from '../support/agent-store.ts';
import {adkEvents, makeAdkDatabase} from './adk-database.ts';
import {CommandRig, keyOf, POLICY} from './command-rig.ts';

const rig = new CommandRig();
const file = {
  missing: rig.path('missing.db'),
  text: rig.path('text.db'),
  empty: rig.path('empty.db'),
  noSession: rig.path('package.json'),
  foreign: rig.path('foreign.db'),
  adk: rig.path('adk.db'),
  newer: rig.path('newer.db'),
  store: rig.path('store.db'),
  none: rig.path('none.db'),
};

beforeAll(async () => {
  writeFileSync(file.text, 'This is no database, though its name says so.');
  writeFileSync(file.empty, '');
  writeFileSync(file.noSession, '{"name": "adk-compaction"}');
  const foreign = new Database(file.foreign);
  foreign.exec('CREATE TABLE songs (title text)');
  foreign.close();
  makeAdkDatabase(file.adk, adkEvents());
  await runAgent({path: file.store, key: keyOf('ann', 's1'), turns: 1, policy: POLICY});
  openSqliteStore(file.none).close();
  openSqliteStore(file.newer).close();
  const newer = new Database(file.newer);
  newer.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of the future', 4102444800000)");
  newer.close();
});

/** A command that must fail with one sentence (or a few) on one line of stderr. */
async function fail(args: readonly string[]): Promise<{exitCode: number; message: string}> {
  const {exitCode, stdout, stderr} = await rig.run(args);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^adk-compaction: [^\n]+\.?\n$/u);
  return {exitCode, message: stderr};
}

const ON_STORES = ['sessions', 'history', 'verify', 'serve', 'migrate'];
const ON_SOURCES = ['replay', 'report', 'export'];

describe('a wrong file', () => {
  it.each([...ON_STORES, ...ON_SOURCES])('%s of a file that is not there says so, and makes none', async (command) => {
    const {exitCode, message} = await fail([command, file.missing]);
    expect([exitCode, message]).toEqual([1, `adk-compaction: There is no file ${file.missing}. Check the path.\n`]);
  });

  it.each(ON_STORES)('%s of a text says that it is no database', async (command) => {
    const {exitCode, message} = await fail([command, file.text]);
    expect([exitCode, message]).toEqual([1, expect.stringContaining('is not a SQLite database')]);
  });

  it.each(ON_STORES)("%s of ADK's own database says how to copy it", async (command) => {
    const {message} = await fail([command, file.adk]);
    expect(message).toContain(`adk-compaction import STORE ${file.adk}`);
  });

  it.each(ON_SOURCES)('%s of a JSON that is no session says what was expected', async (command) => {
    const {exitCode, message} = await fail([command, file.noSession]);
    expect([exitCode, message]).toEqual([1, expect.stringContaining('holds no session. Item 1 is not an ADK event.')]);
  });

  it.each([
    ['a text', file.text, 'Line 1 is not JSON'],
    ['an empty file', file.empty, 'no session and no event'],
    ["somebody else's database", file.foreign, 'neither adk-compaction nor ADK'],
  ])('replay of %s says what is wrong with it', async (_, path, message) => {
    expect((await fail(['replay', path])).message).toContain(message);
  });

  it.each(['sessions', 'replay', 'migrate', 'purge'])(
    '%s of a file from a newer version leaves it alone',
    async (command) => {
      const before = readFileSync(file.newer);
      const {exitCode, message} = await fail([
        command,
        file.newer,
        ...(command === 'purge' ? ['--user', 'ann', '--yes'] : []),
      ]);
      expect([exitCode, message]).toEqual([1, expect.stringContaining('made by a newer version of adk-compaction')]);
      expect(readFileSync(file.newer).equals(before)).toBe(true);
    },
  );

  it('import never writes into a file that is no store', async () => {
    const before = readFileSync(file.foreign);
    expect((await fail(['import', file.foreign, file.adk])).message).toContain('is not a store of adk-compaction');
    expect((await fail(['import', file.text, file.adk])).message).toContain('is not a SQLite database');
    expect(readFileSync(file.foreign).equals(before)).toBe(true);
  });

  it('report of a file that is no replay says how to make one', async () => {
    const {message} = await fail(['report', file.store, '--replay', file.noSession, '-o', '-']);
    expect(message).toContain('adk-compaction replay SOURCE --json');
  });

  it('a report that cannot be written leaves nothing behind', async () => {
    const {message} = await fail(['report', file.store, '-o', rig.path('no/such/folder/report.html')]);
    expect(message).toContain('cannot be written');
  });

  it('a locked file is waited for a while, and then said to be locked', async () => {
    const locker = new Database(file.none);
    locker.pragma('locking_mode = EXCLUSIVE');
    locker.exec('BEGIN EXCLUSIVE; UPDATE compaction_deletions SET count = count; COMMIT');
    try {
      const {exitCode, message} = await fail(['sessions', file.none]);
      expect([exitCode, message]).toEqual([1, expect.stringMatching(/locked/u)]);
    } finally {
      locker.close();
    }
  });
});

describe('an empty store', () => {
  it('has nothing to list, nothing wrong, and an empty report', async () => {
    expect(await rig.succeed(['verify', file.none])).toContain('is sound: 0 sessions, 0 folds.');
    expect(await rig.succeed(['report', file.none, '-o', '-'])).toContain('"sessions":[],"views":[]');
  });

  it('says what puts sessions there, where nothing narrowed the list', async () => {
    const text = await rig.succeed(['sessions', file.none]);
    expect(text).toContain(`${file.none} holds no sessions yet.`);
    expect(text).toContain('sessionService: store.sessions');
    expect(text).toContain(`adk-compaction import ${file.none} SOURCE`);
    for (const command of ['history', 'replay', 'export']) {
      expect((await fail([command, file.none])).message).toBe(`adk-compaction: ${text}`);
    }
  });

  it.each(['history', 'replay', 'export'])(
    '%s of a name that is not there says how to see those that are',
    async (command) => {
      const {message} = await fail([command, file.none, '--user', 'nobody']);
      expect(message).toContain(
        `No session of ${file.none} matches. List them with: adk-compaction sessions ${file.none}`,
      );
    },
  );

  it('the list says which options narrowed it to nothing', async () => {
    expect(await rig.succeed(['sessions', file.none, '--user', 'nobody'])).toBe(
      'No sessions match. Leave out --app, --user, --session or --since to see all.\n',
    );
  });

  it('a database of ADK, which `sessions` does not list, gets advice of its own', async () => {
    const {message} = await fail(['replay', file.adk, '--user', 'nobody']);
    expect(message).toContain('matches. Leave out --app, --user or --session.');
  });
});

describe('a wrong command line', () => {
  it.each([
    [[], ''],
    [['nonsense'], "unknown command 'nonsense'"],
    [['sessions'], "missing required argument 'db'"],
    [['sessions', file.store, '--limit', '0'], 'Give a whole number, 1 or more.'],
    [['sessions', file.store, '--since', 'yesterday'], 'Give a date'],
    [['replay', file.store, '--trigger', '1.5'], 'Give a number above 0 and up to 1.'],
    [
      ['replay', file.store, '--trigger', '0.5', '--target', '0.6'],
      'policy.targetFraction: must be below policy.triggerFraction',
    ],
    [['replay', file.store, '--policy', 'targt=0.5'], 'targt=0.5 is no setting'],
    [
      ['replay', file.store, '--policy', 'name=a,target=abc'],
      '--policy name=a,target=abc: target=abc cannot be used. Give a number above 0 and up to 1.',
    ],
    [['replay', file.store, '--policy', 'target=2'], 'target=2 cannot be used. Give a number above 0 and up to 1.'],
    [['replay', file.store, '--policy', 'keep=few'], 'keep=few cannot be used. Give a whole number, 0 or more.'],
    [['replay', file.store, '--policy', 'estimator=words'], 'estimator=words cannot be used. Give features or bytes.'],
    [['replay', file.store, '--policy', 'fold=maybe'], 'fold=maybe cannot be used. Give yes or no'],
    [['report', file.store, '--context-tokens', 'many'], 'Give a whole number'],
    [['serve', file.store, '--port', '99999'], 'Give a port'],
  ])('%j exits with 2 and says what is wrong', async (args, message) => {
    const {exitCode, stderr} = await rig.run(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a damaged store', () => {
  it('is told by verify, with exit code 1', async () => {
    const path = rig.path('damaged.db');
    await runAgent({path, key: keyOf('ann', 's1'), turns: 1, policy: POLICY});
    const database = new Database(path);
    database.pragma('foreign_keys = OFF');
    database.exec('DELETE FROM sessions');
    database.close();
    const {exitCode, stdout} = await rig.run(['verify', path]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('of events refers to a missing row of sessions.');
    expect(stdout).toContain('is known to compaction alone');
  });

  it('verify tells of a fold whose beginning was changed, which is no fault', async () => {
    const path = rig.path('stale.db');
    const fold = {summarizer: summarizer('A summary of all that was read.')};
    await runAgent({path, key: keyOf('ann', 's1'), turns: 12, policy: POLICY, fold});
    expect(await rig.succeed(['verify', path])).not.toContain('does not match');
    const database = new Database(path);
    database.exec("UPDATE events SET body_json = replace(body_json, 'Turn 1: read on', 'Turn 1: go on')");
    database.close();
    expect(await rig.succeed(['verify', path])).toMatch(/the fold of .* does not match the session any more/u);
  });
});

describe('a session of 5,000 events', () => {
  it('is listed, reported and replayed', async () => {
    const path = rig.path('long.db');
    const notes = Array.from({length: 9}, (_, index) => ({role: 'user', parts: [{text: `Note ${index}.`}]}));
    const answer = {role: 'model', parts: [{text: 'Noted.'}]};
    const contents = Array.from({length: 500}, () => [...notes, answer]).flat();
    await storeEvents(path, keyOf('ann', 'long'), contents);
    expect(await rig.succeed(['sessions', path])).toContain('5,000');
    expect(await rig.succeed(['report', path, '-o', '-'])).toContain('"sessionId":"long"');
    expect(await rig.succeed(['replay', path, '--context-tokens', '20000'])).toContain('500 model calls of 1 session');
  });
});
