import {copyFileSync, readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import {beforeAll, describe, expect, it} from 'vitest';
import type {ReplayDocument} from '../../src/replay/replay-document.ts';
import {startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';
import {runAgent} from '../support/agent-store.ts';
import {BuiltCli, hasTerminal} from '../support/built-cli.ts';
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

describe.skipIf(!hasTerminal && process.env.CI !== 'true')('in a terminal (skipped where `script` gives none)', () => {
  const question = 'Delete 2 sessions from';

  it.each([
    ['Y', 0, 'Deleted 2 sessions.', ['bob']],
    ['', 1, 'adk-compaction: Nothing was deleted.', ['bob', 'ann', 'ann']],
    ['yesterday', 1, 'adk-compaction: Nothing was deleted.', ['bob', 'ann', 'ann']],
  ])('purge names what it found, asks, and takes "%s" for an answer', async (typed, code, said, users) => {
    const path = rig.path(`asked-${typed}.db`);
    copyFileSync(store, path);
    const {exitCode, screen} = await cli.runInTerminal(['purge', path, '--user', 'ann'], {
      answer: {to: '[y/N] ', text: `${typed}\r`},
    });
    expect(screen).toMatch(/plain +user ann, app helpdesk, last active [\s\S]*Delete 2 sessions from .*\? \[y\/N\]/u);
    expect(screen).toContain(question);
    expect([exitCode, screen]).toEqual([code, expect.stringContaining(said)]);
    const {sessions} = await rig.succeedJson<{sessions: {userId: string}[]}>(['sessions', path]);
    expect(sessions.map(({userId}) => userId)).toEqual(users);
  });

  it('replay draws its progress on stderr alone, and takes it away at the end', async () => {
    const output = rig.path('progress.json');
    const args = ['replay', store, '--session', 'plain', '--json'];
    const {exitCode, screen} = await cli.runInTerminal(args, {stdoutTo: output});
    expect(exitCode).toBe(0);
    expect(screen).toContain('plain');
    expect(screen).toContain('0 of 60');
    // Cleared: the last thing on the screen is a line that was erased, with the cursor shown again.
    expect(screen.slice(screen.lastIndexOf('of 60'))).toContain('\u001b[2K');
    expect(screen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(screen.lastIndexOf('\u001b[?25l'));
    const {sessions} = JSON.parse(readFileSync(output, 'utf8')) as ReplayDocument;
    expect(sessions[0]?.calls).toHaveLength(60);
  });

  it('the list has colours, which NO_COLOR takes away', async () => {
    expect((await cli.runInTerminal(['sessions', store])).screen).toContain('\u001b[2m');
    expect((await cli.runInTerminal(['sessions', store], {env: {NO_COLOR: '1'}})).screen).not.toContain('\u001b[');
  });
});

describe('replay with summaries of a model', () => {
  const POLICY_ARGS = ['--session', 'plain', '--context-tokens', '8000', '--minimum', '100'];

  async function replayWith(reply: ScriptedReply, args: readonly string[]) {
    const server = await startGeminiServer({script: () => reply});
    try {
      const env = {GOOGLE_GEMINI_BASE_URL: server.url, GOOGLE_GENAI_API_KEY: 'none'};
      const result = await cli.run(['replay', store, ...POLICY_ARGS, ...args], {env});
      return {...result, requests: server.requests};
    } finally {
      await server.close();
    }
  }

  it('asks the model that --fold-model names, over HTTP, and counts what it reported', async () => {
    const reply = {role: 'model', parts: [{text: 'Pages were read.'}]};
    const {exitCode, stdout, requests} = await replayWith(reply, ['--fold-model', 'gemini-2.5-flash', '--json']);
    expect(exitCode).toBe(0);
    expect(requests.length).toBeGreaterThan(0);
    expect(new Set(requests.map(({model, faults}) => `${model} ${faults.length}`))).toEqual(
      new Set(['gemini-2.5-flash 0']),
    );
    const {policies, sessions} = JSON.parse(stdout) as ReplayDocument;
    expect(policies[0]?.fold).toBe('gemini-2.5-flash');
    expect(sessions[0]?.figures[0]).toMatchObject({
      folds: requests.length,
      failedFolds: 0,
      foldInputTokens: requests.reduce((sum, {promptTokens}) => sum + promptTokens, 0),
    });
  });

  it('says below the table why folds failed', async () => {
    const reply = {kind: 'error', status: 429} as const;
    const {exitCode, stdout} = await replayWith(reply, ['--policy', 'name=paid,fold-model=gemini-2.5-flash']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^paid .* 0 \(\d+ failed\)/mu);
    expect(stdout).toMatch(/^paid: \d+ folds? failed \(error: HTTP 429\)$/mu);
  });

  it('says what is missing where there is no key', async () => {
    const {exitCode, stderr} = await cli.run(['replay', store, '--fold-model', 'gemini-2.5-flash']);
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^adk-compaction: API key must be provided .*\n$/u)]);
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
