import {readFileSync} from 'node:fs';
import {isReplayDocument, type ReplayDocument} from '../replay/replay-document.ts';
import {replayedReport, staticReport} from '../report/make-report.ts';
import type {SessionView} from '../report/view.ts';
import {type ReportWindow, recordedSessionView} from '../report/view-model.ts';
import {CommandError} from './failure.ts';
import {plural} from './format.ts';
import {kindOf} from './open-store.ts';
import {note, writeResult} from './output.ts';
import type {SessionSelection} from './selection.ts';
import {openSource} from './source.ts';
import {readWindow, type WindowOptions} from './window.ts';

export interface ReportOptions extends SessionSelection, WindowOptions {
  readonly limit: number;
  readonly output: string;
  readonly replay?: string;
}

/** `report SOURCE`: one page about the sessions of a source. */
export async function writeReport(path: string, options: ReportOptions): Promise<void> {
  const document = kindOf(path) === 'file' ? readReplay(path) : undefined;
  if (document) {
    writeResult(options.output, replayedReport(document, Date.now()));
    tell(options.output, document.sessions.length);
    return;
  }
  const replay = options.replay === undefined ? undefined : requireReplay(options.replay);
  const views = await sessionViews(path, options, readWindow(options), replay);
  writeResult(options.output, staticReport(views, Date.now()));
  tell(options.output, views.length);
}

async function sessionViews(
  path: string,
  options: ReportOptions,
  window: ReportWindow | undefined,
  replay: ReplayDocument | undefined,
): Promise<SessionView[]> {
  const source = await openSource(path, options, options.limit);
  try {
    const views: SessionView[] = [];
    for (const key of source.keys) {
      views.push(recordedSessionView(await source.read(key), window, replay));
    }
    return views;
  } finally {
    source.close();
  }
}

function tell(output: string, sessions: number): void {
  if (output !== '-') {
    note(`Wrote ${output}: ${plural(sessions, 'session')}.`);
  }
}

/** The replay in a file; `undefined` when it is something else. */
function readReplay(path: string): ReplayDocument | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isReplayDocument(value) ? value : undefined;
  } catch (error) {
    // Events one a line are no JSON document, and no replay.
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function requireReplay(path: string): ReplayDocument {
  const replay = kindOf(path) === 'file' ? readReplay(path) : undefined;
  if (replay === undefined) {
    throw new CommandError(`${path} is not a replay. Make one with: adk-compaction replay SOURCE --json > ${path}`);
  }
  return replay;
}
