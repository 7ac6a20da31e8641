import {styleText} from 'node:util';
import type {CompactionRecord, FailedFoldRecord} from '../../src/store/records.ts';
import type {ModelCallReport, Report, WarningReport} from './protocol.ts';

type Style = Parameters<typeof styleText>[0];

const BAR_WIDTH = 24;
const NAME_WIDTH = 42;
const SUMMARY_WIDTH = 90;
/** The warnings that belong to the story, in its words. A failed fold has its record. */
const WARNINGS: Readonly<Record<string, string>> = {
  'compaction.fold.backoff': 'backing off: no summary is asked for until the history has grown',
  'compaction.budget.exhausted':
    'still above 60 % of the window, and nothing more may go: the call goes out all the same',
};
const hasColor = process.stdout.isTTY === true && !process.env.NO_COLOR;

/** Prints what the viewer sees. */
export class Narrator {
  readonly #contextTokens: number;
  #calls = 0;

  constructor(contextTokens: number) {
    this.#contextTokens = contextTokens;
  }

  title(text: string, ...lines: readonly string[]): void {
    print(`\n${paint('bold', text)}`);
    for (const line of lines) {
      print(paint('dim', line));
    }
  }

  turn(text: string): void {
    print(`\n${paint('cyan', `▸ ${text}`)}`);
  }

  columns(): void {
    const names = ['estimate', 'expected', 'reported'].map((name) => name.padStart(9)).join('');
    print(paint('dim', `\n     ${'the model asks for'.padEnd(NAME_WIDTH)}${names}  of the window`));
  }

  killed(where: string, what: string): void {
    print(`\n${paint(['bold', 'magenta'], `✖ SIGKILL ${where}`)}`);
    print(paint('magenta', `  ${what}`));
  }

  check(passed: boolean, text: string): void {
    print(`  ${passed ? paint('green', '✔') : paint(['bold', 'red'], '✘')} ${text}`);
  }

  /** One line for a model call, one or two for what compaction did; nothing for the rest. */
  report(report: Report): void {
    if (report.kind === 'model-call') {
      this.#modelCall(report);
    }
    if (report.kind === 'compaction') {
      this.#compaction(report.record);
    }
    if (report.kind === 'warning') {
      this.#warning(report);
    }
  }

  #modelCall({calls, estimate, expected, reported}: ModelCallReport): void {
    const asked = clip(calls.join(' + '), NAME_WIDTH - 1).padEnd(NAME_WIDTH);
    const answers = 'answers the user'.padEnd(NAME_WIDTH);
    const figures = [estimate, expected, reported].map((tokens) => formatTokens(tokens).padStart(9)).join('');
    print(
      `${String(++this.#calls).padStart(4)} ${calls.length > 0 ? asked : paint('bold', answers)}${figures}  ${this.#bar(reported ?? 0)}`,
    );
  }

  #compaction(record: CompactionRecord | FailedFoldRecord): void {
    print(paint('yellow', `     ⤷ ${describeRecord(record)}`));
    if (record.kind === 'fold') {
      print(paint('dim', `       “${clip(summaryText(record), SUMMARY_WIDTH)}”`));
    }
  }

  #warning({code, message}: WarningReport): void {
    if (code === 'compaction.fold.failed') {
      return;
    }
    const plainly = WARNINGS[code];
    print(plainly ? paint('yellow', `     ⤷ ${plainly}`) : paint('red', `     ! ${code}: ${message}`));
  }

  #bar(tokens: number): string {
    const share = tokens / this.#contextTokens;
    const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
    const style = share > 0.85 ? 'red' : share > 0.6 ? 'yellow' : 'green';
    return paint(style, '█'.repeat(filled)) + paint('dim', '░'.repeat(BAR_WIDTH - filled));
  }
}

/** A token count such as `1.2k`. */
export function formatTokens(tokens: number | undefined): string {
  if (tokens === undefined) {
    return '–';
  }
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(2)}M`;
}

function describeRecord(record: CompactionRecord | FailedFoldRecord): string {
  const before = formatTokens(record.tokensBefore);
  switch (record.kind) {
    case 'elision':
      return `elided ${plural(record.covers.length, 'old tool answer')}: ${before} → ${formatTokens(record.tokensAfter)}`;
    case 'drop':
      return `dropped ${plural(record.covers.length, 'old turn')}: ${before} → ${formatTokens(record.tokensAfter)}`;
    case 'fold':
      return `folded the first ${plural(record.split ?? 0, 'content')} into a summary: ${before} → ${formatTokens(record.tokensAfter)}`;
    case 'failed-fold':
      return `no summary (${record.reason ?? record.errorClass}): the call goes out without one`;
  }
}

/** Without its first line, which is the same for every summary. */
function summaryText({summary = ''}: CompactionRecord): string {
  return summary.slice(summary.indexOf('\n')).trim();
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function clip(text: string, width: number): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

function paint(style: Style, text: string): string {
  return hasColor ? styleText(style, text) : text;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
