import {and, desc, eq, gt, lt, lte, sql} from 'drizzle-orm';
import type {CheckedKey} from './checked-ids.ts';
import {EventIds} from './event-ids.ts';
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

type Statements = ReturnType<typeof prepare>;

/** Reads and writes the rows of sessions and events, inside transactions of the caller's. */
export class SessionRows {
  readonly #statements: Statements;
  readonly #eventIds: EventIds;

  constructor(database: SqliteDatabase) {
    const statements = prepare(database);
    this.#statements = statements;
    this.#eventIds = new EventIds((session, afterVersion) => statements.eventIds.all(session, afterVersion));
  }

  head(key: CheckedKey): SessionHead | undefined {
    return this.#statements.head.get(key);
  }

  create(key: CheckedKey, time: number): void {
    this.#statements.create.run({...key, time});
  }

  /** Moves the session on to `next` if neither it nor state it shares has changed since `head`; else gives false. */
  advance({appName, userId}: CheckedKey, head: SessionHead, next: SessionHead): boolean {
    const {id, version, appVersion, userVersion} = head;
    const {changes} = this.#statements.advance.run(
      next.version,
      next.updateTime,
      id,
      version,
      appName,
      appVersion,
      appName,
      userId,
      userVersion,
    );
    return changes === 1;
  }

  /** Deletes the session, its events and its state. */
  remove(key: CheckedKey): void {
    this.#statements.remove.run(key);
  }

  /**
   * Stores the event that moves `session` on to `version`, in the place of the one with the same id when there is one.
   * Tell `committed` about it afterwards.
   */
  putEvent(session: number, version: number, {eventId, timestamp, bodyJson}: EventRow): {isReplaced: boolean} {
    const isReplaced = this.#eventIds.has(session, version - 1, eventId);
    if (isReplaced) {
      this.#statements.replaceEvent.run({session, version, eventId, timestamp, bodyJson});
    } else {
      this.#statements.addEvent.run(session, version, eventId, timestamp, bodyJson);
    }
    return {isReplaced};
  }

  /** Takes note of an event that is stored for good. */
  committed(session: number, version: number, eventId: string): void {
    this.#eventIds.add(session, version, eventId);
  }

  /**
   * Events in the order of appending, each made by `decode` of its JSON text before the next is read: texts that die young
   * save a tenth of the time of a long session. `decode` must not use the database.
   */
  events<T>(session: number, {afterVersion = 0, limit = -1}: EventRange, decode: (bodyJson: string) => T): T[] {
    const latestFirst: T[] = [];
    for (const bodyJson of this.#statements.bodies.iterate(session, afterVersion, limit)) {
      latestFirst.push(decode(bodyJson));
    }
    return latestFirst.reverse();
  }

  /** The version at which the last event older than `timestamp` was appended; 0 when there is none. */
  versionBefore(session: number, timestamp: number): number {
    return this.#statements.lastEventBefore.get({session, timestamp})?.version ?? 0;
  }

  /** JSON texts of the events that were there at `version` and were replaced in place since. */
  replacedSince(session: number, version: number): string[] {
    return this.#statements.replacedSince.all({session, version}).map((row) => row.bodyJson);
  }
}

// What runs on every append, and what reads many rows, goes past drizzle, whose mapping would double its cost.
function prepare({client, orm}: SqliteDatabase) {
  const {placeholder} = sql;
  const ofKey = and(
    eq(sessions.appName, placeholder('appName')),
    eq(sessions.userId, placeholder('userId')),
    eq(sessions.sessionId, placeholder('sessionId')),
  );
  const ofSession = eq(events.session, placeholder('session'));
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
    advance: client.prepare<
      [
        nextVersion: number,
        updateTime: number,
        id: number,
        version: number,
        appName: string,
        appVersion: number,
        appName: string,
        userId: string,
        userVersion: number,
      ]
    >(
      `UPDATE sessions SET version = ?, update_time = ? WHERE id = ? AND version = ?
         AND NOT EXISTS (SELECT 1 FROM app_state WHERE app_name = ? AND version > ?)
         AND NOT EXISTS (SELECT 1 FROM user_state WHERE app_name = ? AND user_id = ? AND version > ?)`,
    ),
    remove: orm.delete(sessions).where(ofKey).prepare(),

    addEvent: client.prepare<
      [session: number, version: number, eventId: string, timestamp: number | null, bodyJson: string]
    >('INSERT INTO events (session, version, event_id, timestamp, body_json) VALUES (?, ?, ?, ?, ?)'),
    eventIds: client
      .prepare<[session: number, afterVersion: number], string>(
        'SELECT event_id FROM events WHERE session = ? AND version > ?',
      )
      .pluck(),
    replaceEvent: orm
      .update(events)
      .set({
        timestamp: sql`${placeholder('timestamp')}`,
        bodyJson: sql`${placeholder('bodyJson')}`,
        replaced: sql`${placeholder('version')}`,
      })
      .where(and(ofSession, eq(events.eventId, placeholder('eventId'))))
      .prepare(),
    bodies: client
      .prepare<[session: number, afterVersion: number, limit: number], string>(
        'SELECT body_json FROM events WHERE session = ? AND version > ? ORDER BY version DESC LIMIT ?',
      )
      .pluck(),
    lastEventBefore: orm
      .select({version: events.version})
      .from(events)
      .where(and(ofSession, lt(events.timestamp, placeholder('timestamp'))))
      .orderBy(desc(events.version))
      .limit(1)
      .prepare(),
    replacedSince: orm
      .select({bodyJson: events.bodyJson})
      .from(events)
      .where(and(ofSession, gt(events.replaced, placeholder('version')), lte(events.version, placeholder('version'))))
      .prepare(),
  };
}
