import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {afterAll, expect} from 'vitest';
import type {SessionKey} from '../../src/index.ts';
import {blockedSummarizer, runAgent, summarizer} from '../support/agent-store.ts';
import {BuiltCli, type RunOptions} from '../support/built-cli.ts';

export const POLICY = {contextTokens: 8_000, minimumElisionTokens: 100};
export const SUMMARY = 'We read some pages.\nAll of them were about foxes.';

/** The command line, and a folder for one test file. */
export class CommandRig {
  readonly cli: BuiltCli;
  readonly #folder = mkdtempSync(join(tmpdir(), 'adk-compaction-cli-'));

  private constructor(cli: BuiltCli) {
    this.cli = cli;
    afterAll(() => rmSync(this.#folder, {recursive: true, force: true}));
  }

  static async make(): Promise<CommandRig> {
    return new CommandRig(await BuiltCli.build());
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  /** What a command prints; it must not fail. */
  async succeed(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const {exitCode, stdout, stderr} = await this.cli.run(args, options);
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

  /** Variables under which any load of ADK fails. */
  withoutAdk(): Record<string, string> {
    const hook = this.path('hook.mjs');
    const start = this.path('start.mjs');
    writeFileSync(
      hook,
      `export async function resolve(name, context, next) {
        if (name.startsWith('@google/adk')) throw new Error('ADK was loaded');
        return next(name, context);
      }`,
    );
    writeFileSync(
      start,
      `import {register} from 'node:module';\nregister(${JSON.stringify(pathToFileURL(hook).href)});`,
    );
    return {NODE_OPTIONS: `--import ${pathToFileURL(start).href}`};
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
