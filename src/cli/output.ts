import {chmodSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {CommandError} from './failure.ts';

/** Writes to stdout. A reader that closes the pipe early ends the program quietly. */
export function print(text: string): void {
  process.stdout.write(text);
}

/** One JSON document on stdout. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}

/** Says on stderr how things stand, so that stdout holds the result alone. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes a file for its owner only (mode 0600), whole or not at all; `-` is stdout. */
export function writeResult(path: string, text: string): void {
  if (path === '-') {
    print(text);
    return;
  }
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, {mode: 0o600, flag: 'wx'});
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, {force: true});
    const {message} = error as Error;
    throw new CommandError(`${path} cannot be written (${message}). Name another place with --output.`, undefined, {
      cause: error,
    });
  }
}
