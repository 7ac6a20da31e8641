import {type ChildProcess, fork} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {build} from 'vite';

/** A TypeScript program, built so that Node can run it. `remove` deletes what was built. */
export interface Program {
  readonly path: string;
  remove(): void;
}

/** Builds a program of this folder tree; packages stay outside the bundle. */
export async function buildProgram(entry: string): Promise<Program> {
  const root = resolve(import.meta.dirname, '../..');
  const outDir = mkdtempSync(join(root, 'node_modules', '.worker-'));
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: {output: {entryFileNames: 'worker.mjs'}},
    },
  });
  return {path: join(outDir, 'worker.mjs'), remove: () => rmSync(outDir, {recursive: true, force: true})};
}

/** A running program that says one line of JSON at a time. */
export class WorkerProcess {
  readonly child: ChildProcess;
  /** Everything it has said. */
  readonly said: unknown[] = [];
  readonly #exit: Promise<NodeJS.Signals | number | null>;
  #onLine: () => void = () => undefined;

  constructor(program: Program, args: readonly string[]) {
    this.child = fork(program.path, args, {stdio: ['ignore', 'pipe', 'inherit', 'ipc']});
    const lines = createInterface({input: this.child.stdout as NodeJS.ReadableStream});
    lines.on('line', (line) => {
      this.said.push(JSON.parse(line));
      this.#onLine();
    });
    const closed = new Promise<void>((done) => lines.once('close', done));
    this.#exit = new Promise((done) => {
      this.child.once('exit', (code, signal) => void closed.then(() => done(signal ?? code)));
    });
  }

  /** Resolves once it has said `count` lines. Rejects when it ends before. */
  async saysTotal(count: number): Promise<void> {
    await Promise.race([
      new Promise<void>((done) => {
        this.#onLine = () => {
          if (this.said.length >= count) {
            done();
          }
        };
        this.#onLine();
      }),
      this.#exit.then((how) => {
        if (this.said.length < count) {
          throw new Error(`the worker ended (${how}) after ${this.said.length} lines`);
        }
      }),
    ]);
  }

  tell(message: unknown): void {
    this.child.send(message as object);
  }

  /** Resolves to its exit code, or the signal that ended it, when all it said has been read. */
  ended(): Promise<NodeJS.Signals | number | null> {
    return this.#exit;
  }
}
