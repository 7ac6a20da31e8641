import {type ChildProcess, execFile, spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'tsdown';
import {afterAll} from 'vitest';
import {inlineAssets} from '../../scripts/inline-assets.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What a command did. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin, which is no terminal. */
  readonly input?: string;
  readonly cwd?: string;
}

/** What a terminal showed. */
export interface TerminalResult {
  readonly exitCode: number | null;
  /** stdout and stderr as they came, control sequences too. */
  readonly screen: string;
}

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What to type once, and what has to be on the screen before. */
  readonly answer?: {readonly to: string; readonly text: string};
  /** A file that stdout goes to, so that only stderr is the terminal. */
  readonly stdoutTo?: string;
}

/** True where `script` of util-linux gives a command a terminal. */
export const hasTerminal: boolean =
  process.platform === 'linux' && spawnSync('script', ['--version'], {encoding: 'utf8'}).stdout?.includes('util-linux');

/** The command line as it is shipped, built from the sources for one test file. */
export class BuiltCli {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds it; it is gone when the test file is over. */
  static async build(): Promise<BuiltCli> {
    const folder = mkdtempSync(join(repository, 'node_modules/.cli-'));
    afterAll(() => rmSync(folder, {recursive: true, force: true}));
    await build({
      config: false,
      cwd: repository,
      entry: {cli: 'src/cli.ts'},
      format: 'esm',
      platform: 'node',
      target: 'node20',
      fixedExtension: true,
      dts: false,
      clean: false,
      logLevel: 'silent',
      outDir: folder,
      plugins: [inlineAssets()],
    });
    return new BuiltCli(folder);
  }

  /** Runs a command to its end. */
  run(args: readonly string[], {env = {}, input, cwd}: RunOptions = {}): Promise<CommandResult> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [join(this.#folder, 'cli.mjs'), ...args],
        {env: {...environment(), ...env}, maxBuffer: 256 * 1024 * 1024, ...(cwd === undefined ? {} : {cwd})},
        (error, stdout, stderr) =>
          resolve({exitCode: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr}),
      );
      child.stdin?.end(input ?? '');
    });
  }

  /** Runs a command to its end in a terminal of its own. */
  runInTerminal(args: readonly string[], {env = {}, answer, stdoutTo}: TerminalOptions = {}): Promise<TerminalResult> {
    const words = [process.execPath, join(this.#folder, 'cli.mjs'), ...args].map(quoted);
    const command = `${words.join(' ')}${stdoutTo === undefined ? '' : ` > ${quoted(stdoutTo)}`}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: {...environment(), SHELL: '/bin/sh', TERM: 'xterm', ...env},
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    return new Promise((resolve, reject) => {
      let screen = '';
      let isAnswered = false;
      child.stdout.on('data', (text: Buffer) => {
        screen += String(text);
        if (answer !== undefined && !isAnswered && screen.includes(answer.to)) {
          isAnswered = true;
          child.stdin.write(answer.text);
        }
      });
      child.once('error', reject);
      child.once('close', (exitCode) => resolve({exitCode, screen}));
    });
  }

  /** Starts a command that runs until it is ended. */
  start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(this.#folder, 'cli.mjs'), ...args], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The test runner's own variables (colour among them) are nobody else's. */
function environment(): NodeJS.ProcessEnv {
  const {PATH, HOME, TMPDIR} = process.env;
  return {PATH, HOME, ...(TMPDIR === undefined ? {} : {TMPDIR})};
}
