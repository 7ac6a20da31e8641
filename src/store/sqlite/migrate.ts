import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Database} from 'better-sqlite3';
import {SqliteStoreError} from './sqlite-errors.ts';

/** One step of the schema. */
export interface Migration {
  readonly name: string;
  /** Milliseconds since the epoch: the identity of a migration in drizzle's table. */
  readonly when: number;
  readonly hash: string;
  readonly statements: readonly string[];
}

interface AppliedMigration {
  readonly hash: string;
  readonly created_at: number;
}

/**
 * Reads the migrations that drizzle-kit wrote into a folder. Throws `SqliteStoreError` `sqlite.migrations` when there are
 * none. `path` is the database, for the message.
 */
export function readMigrations(folder: string, path: string): Migration[] {
  const journal = join(folder, 'meta', '_journal.json');
  if (!existsSync(journal)) {
    throw new SqliteStoreError(
      'sqlite.migrations',
      path,
      `No migrations at ${folder}. When the package is bundled, ship its migrations/sqlite folder and name it in migrationsFolder.`,
    );
  }
  const {entries} = JSON.parse(readFileSync(journal, 'utf8')) as {entries: {tag: string; when: number}[]};
  return entries.map(({tag, when}) => {
    const sql = readFileSync(join(folder, `${tag}.sql`), 'utf8');
    return {
      name: tag,
      when,
      hash: createHash('sha256').update(sql).digest('hex'),
      statements: sql.split('--> statement-breakpoint'),
    };
  });
}

/**
 * Applies each migration that the file does not have, all in one transaction, whichever process comes first. The
 * bookkeeping table is the one of drizzle-kit. Throws as `assertKnown` does.
 */
export function migrate(client: Database, migrations: readonly Migration[]): void {
  if (pendingMigrations(client, migrations).length === 0) {
    return;
  }
  client
    .transaction(() => {
      client.exec(
        'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
      );
      const record = client.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)');
      for (const migration of pendingMigrations(client, migrations)) {
        for (const statement of migration.statements) {
          client.exec(statement);
        }
        record.run(migration.hash, migration.when);
      }
    })
    .immediate();
}

/**
 * Throws `SqliteStoreError` when the file has a migration that is not among `migrations`: `sqlite.schema.newer`, or
 * `sqlite.schema.changed` when it was edited after it had been applied. Writes nothing.
 */
export function assertKnown(client: Database, migrations: readonly Migration[]): void {
  pendingMigrations(client, migrations);
}

/** Throws as `assertKnown` does, and `sqlite.schema.older` when a migration is still to be applied. Writes nothing. */
export function assertMigrated(client: Database, migrations: readonly Migration[]): void {
  const [pending] = pendingMigrations(client, migrations);
  if (pending === undefined) {
    return;
  }
  throw new SqliteStoreError(
    'sqlite.schema.older',
    client.name,
    `${client.name} lacks the migration ${pending.name}, and readonly does not apply it. Open it once without readonly.`,
  );
}

function pendingMigrations(client: Database, migrations: readonly Migration[]): Migration[] {
  const applied = appliedMigrations(client);
  for (const {hash, created_at: when} of applied) {
    if (migrations.some((migration) => migration.hash === hash)) {
      continue;
    }
    const edited = migrations.find((migration) => migration.when === Number(when));
    if (edited !== undefined) {
      throw new SqliteStoreError(
        'sqlite.schema.changed',
        client.name,
        `The migration ${edited.name} is not the one that was applied to ${client.name}. Restore its file: a migration is never edited.`,
      );
    }
    throw new SqliteStoreError(
      'sqlite.schema.newer',
      client.name,
      `${client.name} was made by a newer version of adk-compaction (unknown migration of ${describeTime(when)}). Update the package; the file was not touched.`,
    );
  }
  const hashes = new Set(applied.map((row) => row.hash));
  return migrations.filter((migration) => !hashes.has(migration.hash));
}

function appliedMigrations(client: Database): AppliedMigration[] {
  const exists = client.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'");
  if (exists.get() === undefined) {
    return [];
  }
  return client.prepare<[], AppliedMigration>('SELECT hash, created_at FROM __drizzle_migrations').all();
}

function describeTime(when: unknown): string {
  const date = new Date(Number(when));
  return Number.isNaN(date.getTime()) ? `time ${when}` : date.toISOString();
}
