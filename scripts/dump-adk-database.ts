/**
 * Writes `test/adk-database/adk-database.sql`: what ADK's own `DatabaseSessionService` leaves in a SQLite file.
 *
 *     npm install --prefix bench
 *     node scripts/run-typescript.mjs scripts/dump-adk-database.ts [folder, default bench]
 *
 * The folder is one in which `@google/adk` and `@mikro-orm/sqlite` are installed; they are no dependency of this package.
 */
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import type {BaseSessionService, Event} from '@google/adk';
import Database from 'better-sqlite3';
import {APP, WRITTEN} from '../test/adk-database/sessions.ts';

interface Adk {
  readonly DatabaseSessionService: new (uri: string) => BaseSessionService;
  createEvent(members: object): Event;
  readonly version: string;
}

const installed = process.argv[2] ?? 'bench';
const adk = createRequire(resolve(installed, 'package.json'))('@google/adk') as Adk;
const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-'));
const output = resolve('test/adk-database/adk-database.sql');
try {
  const path = join(folder, 'adk.db');
  await writeSessions(new adk.DatabaseSessionService(`sqlite://${path}`));
  writeFileSync(output, `-- Written by DatabaseSessionService of @google/adk ${adk.version}.\n${dump(path)}`);
  console.log(`Wrote ${output}.`);
} finally {
  rmSync(folder, {recursive: true, force: true});
}
process.exit();

async function writeSessions(service: BaseSessionService): Promise<void> {
  for (const {userId, sessionId, state, events} of WRITTEN) {
    const session = await service.createSession({appName: APP, userId, sessionId, state: {...state}});
    for (const event of events) {
      await service.appendEvent({session, event: adk.createEvent(structuredClone(event))});
    }
  }
}

/** Tables and rows as SQL, in the order of their making. */
function dump(path: string): string {
  const client = new Database(path, {readonly: true});
  const tables = client
    .prepare<[], {name: string; sql: string}>("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
    .all();
  const lines = tables.flatMap(({name, sql}) => {
    const columns = client.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(name);
    const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `);
    const rows = client.prepare<[], string>(`SELECT ${values} FROM "${name}" ORDER BY rowid`).pluck().all();
    return [`${sql};`, ...rows.map((row) => `INSERT INTO "${name}" VALUES (${row});`)];
  });
  client.close();
  return `${lines.join('\n')}\n`;
}
