import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';

/** What ADK's `DatabaseSessionService` wrote when it was given `WRITTEN`; `scripts/dump-adk-database.ts` makes it anew. */
const DUMP = readFileSync(join(import.meta.dirname, 'adk-database.sql'), 'utf8');

/** A database file as ADK left it, with the sessions of `WRITTEN`. */
export function createAdkDatabase(path: string): void {
  execute(path, DUMP);
}

/** A database file with ADK's tables and no session in them. */
export function createEmptyAdkDatabase(path: string): void {
  execute(path, DUMP.replaceAll(/^INSERT INTO "(?!adk_internal_metadata").*\n/gmu, ''));
}

function execute(path: string, sql: string): void {
  const client = new Database(path);
  client.exec(sql);
  client.close();
}
