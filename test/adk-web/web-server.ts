import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';

/** Folder of the example. */
export const EXAMPLE_FOLDER: string = fileURLToPath(new URL('../../examples/adk-web', import.meta.url));

/** What the example's server is started with. */
export interface WebServerOptions {
  readonly database: string;
  readonly modelUrl: string;
  /** Default: a free one. */
  readonly port?: string;
}

/** The example's server as a process of its own, started as its README says. */
export class WebServer {
  readonly #child: ChildProcess;
  #output = '';

  private constructor({database, modelUrl, port = '0'}: WebServerOptions) {
    this.#child = spawn(process.execPath, ['server.js'], {
      cwd: EXAMPLE_FOLDER,
      env: {
        ...process.env,
        DATABASE: database,
        PORT: port,
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GOOGLE_GENAI_API_KEY: 'local',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
  }

  /** Resolves once it listens. Rejects with what it said when it ends before. */
  static async start(options: WebServerOptions): Promise<WebServer> {
    const server = new WebServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#child.stdout?.on('data', () => {
        if (server.#address()) {
          resolve();
        }
      });
      server.#child.once('exit', () => reject(new Error(`The server ended:\n${server.output}`)));
    });
    return server;
  }

  /** Everything it has said, on both streams. */
  get output(): string {
    return this.#output;
  }

  get url(): string {
    return this.#address()?.[0] ?? '';
  }

  get port(): string {
    return this.#address()?.[1] ?? '';
  }

  /** Ends it as a supervisor would. Resolves to its exit code, or to null when a signal had to. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM')) {
      await once(this.#child, 'exit');
    }
    return this.#child.exitCode;
  }

  #address(): RegExpExecArray | null {
    return /http:\/\/127\.0\.0\.1:(\d+)/.exec(this.#output);
  }
}
