import {cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import Database from 'better-sqlite3';

const MIGRATIONS = resolve(import.meta.dirname, '../../migrations/sqlite');

/** A published schema with one of everything in it, as `sqlite3 file .dump` writes it. */
export interface SchemaDump {
  readonly name: string;
  readonly sql: string;
}

/** Every schema that was ever published, oldest first. */
export function publishedSchemas(): SchemaDump[] {
  const folder = join(import.meta.dirname, 'dumps');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({name, sql: readFileSync(join(folder, name), 'utf8')}));
}

/** Makes a database file from a dump. */
export function createFromDump(path: string, {sql}: SchemaDump): void {
  const client = new Database(path);
  client.exec(sql);
  client.close();
}

/** Copies the migrations into `folder` with one more behind them, as a next version will ship them. */
export function nextMigrations(folder: string, sql = 'ALTER TABLE sessions ADD COLUMN next text'): string {
  cpSync(MIGRATIONS, folder, {recursive: true});
  const journalPath = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalPath, 'utf8')) as {entries: object[]};
  journal.entries.push({
    idx: journal.entries.length,
    version: '6',
    when: 4_000_000_000_000,
    tag: '9999_next',
    breakpoints: true,
  });
  writeFileSync(journalPath, JSON.stringify(journal));
  writeFileSync(join(folder, '9999_next.sql'), sql);
  return folder;
}
