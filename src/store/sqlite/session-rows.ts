import {and, desc, eq, gt, lt, lte, sql} from 'drizzle-orm';
import type {CheckedKey} from './checked-ids.ts';
import type {SqliteDatabase} from './open.ts';
import {events, sessions} from './schema.ts';
import type {StateVersions} from './state-rows.ts';

/** Where a session stands: its row, and the counters that tell what changed since. */
export interface SessionHead extends StateVersions {
  /** Row id; never used again after a deletion. */
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly updateTime: number;
}

/** An event as it is stored. */
export interface EventRow {
  readonly eventId: string;
  /** Milliseconds since the epoch; null when the event has none. */
  readonly timestamp: number | null;
  readonly bodyJson: string;
}

/** Which of a session's events to read. Both limits leave a tail; together, the shorter one. */
export interface EventRange {
  /** Only those appended after the session was at this version. */
  readonly afterVersion?: number;
  /** At most this many, the last ones. */
  readonly limit?: number;
}

const VERSIONS_PER_SESSION = 2 ** 24;

type Statements = ReturnType<typeof prepare>;

/** Reads and writes the rows of sessions and events, inside transactions of the caller's. */
export class SessionRows {
  readonly #statements: Statements;

  constructor(database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  head(key: CheckedKey): SessionHead | undefined {
    return this.#statements.head.get(key);
  }

  create(key: CheckedKey, time: number): void {
    this.#statements.create.run({...key, time});
  }

  advance({id, version, updateTime}: SessionHead): void {
    this.#statements.advance.run(version, updateTime, id);
  }

  /** Deletes the session, its events and its state. */
  remove(key: CheckedKey): void {
    this.#statements.remove.run(key);
  }

  /** Stores an event, in the place of the one with the same id when there is one. */
  putEvent(session: number, version: number, row: EventRow): {isReplaced: boolean} {
    const {eventId, timestamp, bodyJson} = row;
    const id = eventRowId(session, version);
    if (this.#statements.addEvent.run(id, session, eventId, timestamp, bodyJson).changes > 0)
      return {isReplaced: false};
    this.#statements.replaceEvent.run({session, version, ...row});
    return {isReplaced: true};
  }

  /** JSON texts of events, in the order of appending. */
  bodies(session: number, {afterVersion = 0, limit = -1}: EventRange): string[] {
    const {bodies} = this.#statements;
    return bodies.all(eventRowId(session, afterVersion), eventRowId(session + 1, 0), limit).reverse();
  }

  /** The version at which the last event older than `timestamp` was appended; 0 when there is none. */
  versionBefore(session: number, timestamp: number): number {
    const range = {first: eventRowId(session, 0), end: eventRowId(session + 1, 0)};
    const last = this.#statements.lastEventBefore.get({...range, timestamp});
    return last === undefined ? 0 : last.id - range.first;
  }

  /** JSON texts of the events that were there at `version` and were replaced in place since. */
  replacedSince(session: number, version: number): string[] {
    const last = eventRowId(session, version);
    return this.#statements.replacedSince.all({session, version, last}).map((row) => row.bodyJson);
  }
}

/** See the `events` table. The limit is that of exact numbers: 2^29 sessions. */
function eventRowId(session: number, version: number): number {
  if (version >= VERSIONS_PER_SESSION)
    throw new RangeError(`A session holds at most ${VERSIONS_PER_SESSION - 1} appends.`);
  return session * VERSIONS_PER_SESSION + version;
}

// What runs on every append, and what reads many rows, goes past drizzle, whose mapping would double its cost.
function prepare({client, orm}: SqliteDatabase) {
  const {placeholder} = sql;
  const ofKey = and(
    eq(sessions.appName, placeholder('appName')),
    eq(sessions.userId, placeholder('userId')),
    eq(sessions.sessionId, placeholder('sessionId')),
  );
  return {
    head: client.prepare<CheckedKey, SessionHead>(
      `SELECT id, version, update_time AS updateTime,
         coalesce((SELECT max(version) FROM app_state WHERE app_name = @appName), 0) AS appVersion,
         coalesce((SELECT max(version) FROM user_state WHERE app_name = @appName AND user_id = @userId), 0) AS userVersion
       FROM sessions WHERE app_name = @appName AND user_id = @userId AND session_id = @sessionId`,
    ),
    create: orm
      .insert(sessions)
      .values({
        appName: placeholder('appName'),
        userId: placeholder('userId'),
        sessionId: placeholder('sessionId'),
        createTime: placeholder('time'),
        updateTime: placeholder('time'),
        version: 0,
      })
      .prepare(),
    advance: client.prepare<[version: number, updateTime: number, id: number]>(
      'UPDATE sessions SET version = ?, update_time = ? WHERE id = ?',
    ),
    remove: orm.delete(sessions).where(ofKey).prepare(),

    addEvent: client.prepare<
      [id: number, session: number, eventId: string, timestamp: number | null, bodyJson: string]
    >('INSERT INTO events (id, session, event_id, timestamp, body_json) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'),
    replaceEvent: orm
      .update(events)
      .set({
        timestamp: sql`${placeholder('timestamp')}`,
        bodyJson: sql`${placeholder('bodyJson')}`,
        replaced: sql`${placeholder('version')}`,
      })
      .where(and(eq(events.session, placeholder('session')), eq(events.eventId, placeholder('eventId'))))
      .prepare(),
    bodies: client
      .prepare<[after: number, end: number, limit: number], string>(
        'SELECT body_json FROM events WHERE id > ? AND id < ? ORDER BY id DESC LIMIT ?',
      )
      .pluck(),
    lastEventBefore: orm
      .select({id: events.id})
      .from(events)
      .where(
        and(
          gt(events.id, placeholder('first')),
          lt(events.id, placeholder('end')),
          lt(events.timestamp, placeholder('timestamp')),
        ),
      )
      .orderBy(desc(events.id))
      .limit(1)
      .prepare(),
    replacedSince: orm
      .select({bodyJson: events.bodyJson})
      .from(events)
      .where(
        and(
          eq(events.session, placeholder('session')),
          gt(events.replaced, placeholder('version')),
          lte(events.id, placeholder('last')),
        ),
      )
      .prepare(),
  };
}
