import {readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import {runAgent} from '../support/agent-store.ts';
import {BuiltCli} from '../support/built-cli.ts';
import {CommandRig, keyOf, POLICY} from './command-rig.ts';

const cli = await BuiltCli.build();
const rig = new CommandRig((args) => cli.run(args));
let store = '';
beforeAll(async () => {
  store = await rig.makeStore();
});

/** Variables under which any load of ADK fails. */
function withoutAdk(): Record<string, string> {
  const hook = rig.path('hook.mjs');
  const start = rig.path('start.mjs');
  writeFileSync(
    hook,
    `export async function resolve(name, context, next) {
      if (name.startsWith('@google/adk')) throw new Error('ADK was loaded');
      return next(name, context);
    }`,
  );
  writeFileSync(start, `import {register} from 'node:module';\nregister(${JSON.stringify(pathToFileURL(hook).href)});`);
  return {NODE_OPTIONS: `--import ${pathToFileURL(start).href}`};
}

describe('a process of its own', () => {
  it.each<[string, string[], RegExp]>([
    ['sessions', [], /^SESSION +USER +APP/u],
    ['history', ['--session', 'folds'], /folded \d+ contents/u],
    ['report', ['-o', '-'], /<!doctype html>/u],
  ])('%s runs where ADK cannot be loaded, and colours nothing in a pipe', async (command, args, expected) => {
    const {exitCode, stdout, stderr} = await cli.run([command, store, ...args], {env: withoutAdk()});
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(expected);
    expect(stdout).not.toContain('\u001b');
  });

  it('the hook that keeps ADK out does keep it out', async () => {
    const {exitCode, stderr} = await cli.run(['replay', store, '--session', 'plain'], {env: withoutAdk()});
    expect([exitCode, stderr]).toEqual([1, 'adk-compaction: ADK was loaded\n']);
  });

  it('colours nothing under NO_COLOR', async () => {
    const {stdout} = await cli.run(['sessions', store], {env: {FORCE_COLOR: '0', NO_COLOR: '1'}});
    expect(stdout).toContain('3 sessions');
    expect(stdout).not.toContain('\u001b');
  });

  it('goes from replay over export and import to verify', async () => {
    const copy = rig.path('copy.db');
    const file = rig.path('plain.json');
    expect(await rig.succeed(['replay', store, '--session', 'plain'])).toContain('60 model calls of 1 session');
    await rig.succeed(['export', store, '--session', 'plain', '-o', file]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({id: 'plain'});
    expect(await rig.succeed(['import', copy, file])).toBe('Imported 1 session with 120 events.\n');
    expect(await rig.succeed(['migrate', copy])).toContain('has the current schema');
    expect(await rig.succeed(['verify', copy])).toContain('is sound: 1 session, 0 folds.');
    expect(await rig.succeed(['purge', copy, '--session', 'plain', '--yes'])).toBe('Deleted 1 session.\n');
  });

  it('tells by its exit code what failed and what was asked wrongly', async () => {
    const missing = await cli.run(['sessions', rig.path('missing.db')]);
    expect([missing.exitCode, missing.stdout, missing.stderr]).toEqual([
      1,
      '',
      `adk-compaction: There is no file ${rig.path('missing.db')}. Check the path.\n`,
    ]);
    const wrong = await cli.run(['nonsense']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("unknown command 'nonsense'")]);
  });

  it('deletes nothing where there is nobody to ask', async () => {
    const {exitCode, stderr} = await cli.run(['purge', store, '--user', 'ann'], {input: 'y\n'});
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('give --yes')]);
    expect(await rig.succeed(['sessions', store])).toContain('3 sessions');
  });
});

describe('serve', () => {
  it('answers on 127.0.0.1, sees what is added, and ends when it is told to', async () => {
    const path = rig.path('live.db');
    const key = keyOf('ann', 'live');
    await runAgent({path, key, turns: 1, policy: POLICY});
    const server = cli.start(['serve', path, '--port', '0']);
    try {
      const url = await new Promise<string>((resolve) => {
        server.stderr?.on('data', (text: Buffer) => {
          const found = /http:\/\/127\.0\.0\.1:\d+\//u.exec(String(text));
          if (found) {
            resolve(found[0]);
          }
        });
      });
      const view = async (): Promise<{sessions: {sessionId: string}[]}> =>
        (await fetch(`${url}view.json`)).json() as never;
      expect((await view()).sessions).toHaveLength(1);
      await runAgent({path, key: {...key, sessionId: 'second'}, turns: 1, policy: POLICY});
      expect((await view()).sessions.map(({sessionId}) => sessionId)).toEqual(['second', 'live']);
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
    }
  });
});
