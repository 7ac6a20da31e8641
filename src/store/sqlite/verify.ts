import type {SqliteDatabase} from './open.ts';

/**
 * Checks a database: the structure of the file, that no row refers to a session or scope that is gone, and that no session
 * has an event twice. Gives one sentence per fault, none when all is sound. Reads the whole file.
 */
export function verifySqliteDatabase({client, read}: SqliteDatabase): string[] {
  return read(() => {
    const structure = client.prepare<[], string>('PRAGMA integrity_check').pluck().all();
    const references = client
      .prepare<[], {table: string; rowid: number; parent: string}>('PRAGMA foreign_key_check')
      .all();
    const doubles = client
      .prepare<[], {session: number; eventId: string}>(
        'SELECT session, event_id AS eventId FROM events GROUP BY session, event_id HAVING count(*) > 1',
      )
      .all();
    return [
      ...structure.filter((line) => line !== 'ok'),
      ...references.map(({table, rowid, parent}) => `Row ${rowid} of ${table} refers to a missing row of ${parent}.`),
      ...doubles.map(({session, eventId}) => `Session ${session} has event ${JSON.stringify(eventId)} twice.`),
    ];
  });
}
