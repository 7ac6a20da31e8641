import {styleText} from 'node:util';
import Table from 'cli-table3';
import {shareText} from '../report/number-text.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours a text where stdout is a terminal that wants colour (`NO_COLOR`, pipes: plain). */
export function paint(style: Style, text: string): string {
  return styleText(style, text, {stream: process.stdout});
}

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Numbers stand to the right. Default left. */
  readonly align?: 'left' | 'right';
}

/** Aligned columns without lines: the same in a terminal and in a pipe. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const none = {top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': ''};
  const lines = {'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: ''};
  const table = new Table({
    chars: {...none, ...lines, 'right-mid': '', middle: '  '},
    style: {'padding-left': 0, 'padding-right': 0, head: [], border: []},
    head: columns.map(({title}) => paint('dim', title)),
    colAligns: columns.map(({align}) => align ?? 'left'),
  });
  table.push(...rows.map((row) => row.map((cell) => cell.split('\n').map(printable).join('\n'))));
  return `${table.toString().replaceAll(/[ \t]+$/gmu, '')}\n`;
}

/** Ids and tool names come from strangers: control characters, escape sequences among them, never reach the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Bidi_Control}/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

/** `12,345`; a dash for what is not known. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : Math.round(value).toLocaleString('en');
}

/** `95.6 %`. */
export function formatShare(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined || !Number.isFinite(share) ? '–' : shareText(share, digits);
}

/** `2026-01-31 12:00:00` in UTC; a dash for 0. */
export function formatTime(milliseconds: number): string {
  return milliseconds === 0 ? '–' : new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** `1 session`, `2 sessions`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
