import {CompactionError} from '../errors.ts';

/** What the shell is told. */
export const EXIT = {
  done: 0,
  /** It could not be done, or a check found a fault. */
  failed: 1,
  /** The command line was wrong; nothing was done. */
  usage: 2,
} as const;

/** A command that cannot be carried out. The message is one sentence that says what was seen and the way out. */
export class CommandError extends CompactionError {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super('command.failed', message, options);
    this.exitCode = exitCode;
  }
}

/** Says on stderr what went wrong and sets the exit code. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`adk-compaction: ${message.replaceAll(/\s+/gu, ' ').trim()}\n`);
  if (!CompactionError.isInstance(error) && process.env.DEBUG) {
    console.error(error);
  }
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) {
    return error.exitCode;
  }
  return CompactionError.isInstance(error) && error.code === 'compaction.options.invalid' ? EXIT.usage : EXIT.failed;
}
