import type {AddressInfo} from 'node:net';
import {liveReportHandler} from '../report/handler.ts';
import {listen} from '../report/listen.ts';
import {recordedSessionView} from '../report/view-model.ts';
import {sessionOverviews} from '../store/sqlite/session-overview.ts';
import {readCompaction} from './compaction.ts';
import {CommandError} from './failure.ts';
import {openForReadingOnly} from './open-store.ts';
import {note} from './output.ts';
import {filterOf, type SessionSelection} from './selection.ts';
import {readRecordedSession} from './source.ts';
import {readWindow, type WindowOptions} from './window.ts';

export interface ServeOptions extends SessionSelection, WindowOptions {
  readonly limit: number;
  readonly port: number;
}

/** `serve DB`: the report on 127.0.0.1, until the process is ended. */
export async function serveStore(path: string, options: ServeOptions): Promise<void> {
  const window = readWindow(options);
  const database = openForReadingOnly(path);
  const handler = liveReportHandler({
    version: () => String(database.read(() => database.client.pragma('data_version', {simple: true}))),
    names: () =>
      sessionOverviews(database, filterOf(options), {limit: options.limit, offset: 0}).sessions.map(
        ({appName, userId, sessionId}) => ({appName, userId, sessionId}),
      ),
    view: async (key) => {
      const compaction = await readCompaction(database, key);
      return recordedSessionView({...readRecordedSession(database, key), compaction}, window);
    },
  });
  try {
    const server = await listen(handler, options.port);
    const {port} = server.address() as AddressInfo;
    note(`Serving ${path} at http://127.0.0.1:${port}/ (end it with Ctrl+C).`);
  } catch (error) {
    database.close();
    const {message} = error as Error;
    throw new CommandError(
      `Port ${options.port} cannot be used (${message}). Name another with --port, or 0 for a free one.`,
    );
  }
}
