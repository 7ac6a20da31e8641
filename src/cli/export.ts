import {CommandError, EXIT} from './failure.ts';
import {plural} from './format.ts';
import {note, writeResult} from './output.ts';
import type {SessionSelection} from './selection.ts';
import {openSource, requireSessions} from './source.ts';

export interface ExportOptions extends SessionSelection {
  readonly output: string;
}

/** `export DB`: one session as ADK session JSON, in the field names of ADK for TypeScript. */
export async function exportSession(path: string, options: ExportOptions): Promise<void> {
  const source = await openSource(path, options, 2);
  try {
    const [key, other] = requireSessions(source, path, options);
    if (other !== undefined) {
      throw new CommandError(
        `Several sessions of ${path} match. Choose one with --app, --user and --session.`,
        EXIT.usage,
      );
    }
    const {state, events, lastUpdateTime} = await source.read(key);
    const {appName, userId, sessionId: id} = key;
    writeResult(options.output, `${JSON.stringify({id, appName, userId, state, events, lastUpdateTime}, null, 2)}\n`);
    if (options.output !== '-') {
      note(`Wrote ${options.output}: ${plural(events.length, 'event')}.`);
    }
  } finally {
    source.close();
  }
}
