import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import type {AgentOptions, Report, TurnOrder} from './protocol.ts';

/** Starts an agent process for `work`, gives its result and kills the process after: no process of this demo ends in an orderly way. */
export async function withAgent<Result>(
  options: AgentOptions,
  baseUrl: string | undefined,
  onReport: (report: Report) => void,
  work: (agent: AgentProcess) => Promise<Result>,
): Promise<Result> {
  const agent = new AgentProcess(options, baseUrl, onReport);
  try {
    return await work(agent);
  } finally {
    await agent.kill();
  }
}

/** A running agent process. */
export class AgentProcess {
  readonly #child: ChildProcess;
  #waiting: {resolve(): void; reject(error: Error): void} | undefined;

  /**
   * Starts a process that works on `options.database`.
   *
   * @param baseUrl where the Gemini API is; without it, the real one.
   */
  constructor(options: AgentOptions, baseUrl: string | undefined, onReport: (report: Report) => void) {
    const local = baseUrl && {
      GOOGLE_GEMINI_BASE_URL: baseUrl,
      GOOGLE_GENAI_API_KEY: 'local',
      GOOGLE_GENAI_USE_ENTERPRISE: 'false',
    };
    this.#child = fork(fileURLToPath(new URL('./agent.mjs', import.meta.url)), [JSON.stringify(options)], {
      env: {...process.env, ...local},
    });
    this.#child.on('message', (report: Report) => {
      onReport(report);
      if (report.kind === 'turn-done' || report.kind === 'inside-tool') {
        this.#waiting?.resolve();
      }
      if (report.kind === 'turn-failed') {
        this.#waiting?.reject(new Error(report.message));
      }
    });
    this.#child.once('exit', (code, signal) => {
      this.#waiting?.reject(new Error(`The agent process ended with ${signal ?? `code ${code}`}.`));
    });
  }

  /** Runs one turn; resolves when it is over or, with `hangInTool`, when the process stands inside that tool. */
  turn(order: TurnOrder): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting = {resolve, reject};
      this.#child.send(order);
    });
  }

  /** Ends the process as a power cut would: no handler of it runs. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null) {
      return;
    }
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}
