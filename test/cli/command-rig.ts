import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, vi} from 'vitest';
import {runProgram} from '../../src/cli/program.ts';
import type {SessionKey} from '../../src/index.ts';
import {blockedSummarizer, runAgent, summarizer} from '../support/agent-store.ts';
import type {CommandResult} from '../support/built-cli.ts';

export const POLICY = {contextTokens: 8_000, minimumElisionTokens: 100};
export const SUMMARY = 'We read some pages.\nAll of them were about foxes.';

/** Runs a command line to its end. */
export type Run = (args: readonly string[]) => Promise<CommandResult>;

/** The command line, and a folder for one test file. */
export class CommandRig {
  readonly run: Run;
  readonly #folder = mkdtempSync(join(tmpdir(), 'adk-compaction-cli-'));

  /** @param run default: in this process, from the sources */
  constructor(run: Run = runHere) {
    this.run = run;
    afterAll(() => rmSync(this.#folder, {recursive: true, force: true}));
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** What a command prints; it must not fail. */
  async succeed(args: readonly string[]): Promise<string> {
    const {exitCode, stdout, stderr} = await this.run(args);
    expect({exitCode, stderr: exitCode === 0 ? '' : stderr}).toEqual({exitCode: 0, stderr: ''});
    return stdout;
  }

  /** The JSON that a command prints. */
  async succeedJson<T>(args: readonly string[]): Promise<T> {
    return JSON.parse(await this.succeed([...args, '--json'])) as T;
  }

  /** A store with three sessions of an agent: one that elides and drops, one that folds, one whose folds fail. */
  async makeStore(): Promise<string> {
    const path = this.path('agent.db');
    const run = {path, turns: 12, policy: POLICY};
    await runAgent({...run, key: keyOf('ann', 'plain')});
    await runAgent({...run, key: keyOf('ann', 'folds'), fold: {summarizer: summarizer(SUMMARY)}});
    await runAgent({...run, key: keyOf('bob', 'fails'), fold: {summarizer: blockedSummarizer()}});
    return path;
  }
}

/** What a process of its own would print and exit with: starting one, and loading ADK in it, takes seconds. */
async function runHere(args: readonly string[]): Promise<CommandResult> {
  const said = {stdout: '', stderr: ''};
  const listen = (stream: keyof typeof said): {restore(): void} => {
    const listeners = process[stream].listeners('error');
    const spy = vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[stream] += String(text);
      return true;
    });
    return {
      restore: () => {
        spy.mockRestore();
        for (const listener of process[stream].listeners('error').filter((one) => !listeners.includes(one))) {
          process[stream].off('error', listener as () => void);
        }
      },
    };
  };
  const streams = [listen('stdout'), listen('stderr')];
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', '1');
  try {
    await runProgram(['node', 'adk-compaction', ...args]);
    return {...said, exitCode: Number(process.exitCode ?? 0)};
  } finally {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const stream of streams) {
      stream.restore();
    }
  }
}

/** What `make` gives, made once for all tests that look at it. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function keyOf(userId: string, sessionId: string): SessionKey {
  return {appName: 'helpdesk', userId, sessionId};
}
