import type {Event, Session} from '@google/adk';
import Database from 'better-sqlite3';

/**
 * The least a durable session service can do, written by hand: one row per event, one row per session, event ids in a
 * Set, state as one JSON text. It commits as ours does, and is correct for one session object in one process only: it has
 * no check against a second one, no limits, no checks of values. Only what the others are measured by.
 */
export class HandWrittenSessions {
  readonly #client: Database.Database;
  readonly #append: (session: Session, event: Event) => void;
  readonly #ids = new WeakMap<Session, Set<string>>();

  constructor(path: string) {
    this.#client = new Database(path, {timeout: 15_000});
    const client = this.#client;
    client.pragma('page_size = 8192');
    client.pragma('journal_mode = WAL');
    client.exec(`CREATE TABLE IF NOT EXISTS sessions (app TEXT, user TEXT, id TEXT, time INTEGER, state TEXT, PRIMARY KEY (app, user, id));
      CREATE TABLE IF NOT EXISTS events (app TEXT, user TEXT, session TEXT, seq INTEGER, body TEXT);
      CREATE UNIQUE INDEX IF NOT EXISTS events_by_seq ON events (session, seq)`);
    const next = client.prepare('SELECT coalesce(max(seq), 0) + 1 FROM events WHERE session = ?').pluck();
    const insert = client.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
    const update = client.prepare('UPDATE sessions SET time = ?, state = ? WHERE app = ? AND user = ? AND id = ?');
    this.#append = client.transaction(({appName, userId, id, state}: Session, event: Event) => {
      insert.run(appName, userId, id, next.get(id), JSON.stringify(event));
      update.run(event.timestamp, JSON.stringify(state), appName, userId, id);
    }).immediate;
  }

  async createSession({
    appName,
    userId,
    sessionId = '',
  }: {
    appName: string;
    userId: string;
    sessionId?: string;
  }): Promise<Session> {
    this.#client.prepare("INSERT INTO sessions VALUES (?, ?, ?, 0, '{}')").run(appName, userId, sessionId);
    return {appName, userId, id: sessionId, state: {}, events: [], lastUpdateTime: 0};
  }

  async appendEvent({session, event}: {session: Session; event: Event}): Promise<Event> {
    const ids = this.#ids.get(session) ?? new Set(session.events.map(({id}) => id));
    this.#ids.set(session, ids);
    this.#append(session, event);
    ids.add(event.id);
    session.events.push(event);
    session.lastUpdateTime = event.timestamp;
    return event;
  }

  async getSession({
    appName,
    userId,
    sessionId,
  }: {
    appName: string;
    userId: string;
    sessionId: string;
  }): Promise<Session> {
    const bodies = this.#client
      .prepare<[string], string>('SELECT body FROM events WHERE session = ? ORDER BY seq')
      .pluck()
      .all(sessionId);
    const events = bodies.map((body) => JSON.parse(body) as Event);
    return {appName, userId, id: sessionId, state: {}, events, lastUpdateTime: 0};
  }

  /** Makes commits wait for the disk, or not. */
  set synchronous(mode: 'FULL' | 'NORMAL') {
    this.#client.pragma(`synchronous = ${mode}`);
  }

  close(): void {
    this.#client.close();
  }
}
