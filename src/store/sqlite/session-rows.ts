import {and, desc, eq, gt, lt, max, sql} from 'drizzle-orm';
import type {CheckedKey} from './checked-ids.ts';
import type {SqliteDatabase} from './open.ts';
import {appState, events, sessions, userState} from './schema.ts';
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
  /** Only those stored after the row with this id. */
  readonly afterId?: number;
  /** At most this many, the last ones. */
  readonly limit?: number;
}

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
    this.#statements.advance.run({id, version, updateTime});
  }

  /** Deletes the session, its events and its state. */
  remove(key: CheckedKey): void {
    this.#statements.remove.run(key);
  }

  /** Stores an event, in the place of the one with the same id when there is one. */
  putEvent(session: number, version: number, row: EventRow): {id: number; isReplaced: boolean} {
    const added = this.#statements.addEvent.get({session, ...row});
    if (added !== undefined) return {id: added.id, isReplaced: false};
    const {id} = this.#statements.replaceEvent.get({session, version, ...row}) as {id: number};
    return {id, isReplaced: true};
  }

  /** JSON texts of events, in the order of appending. */
  bodies(session: number, {afterId = 0, limit = -1}: EventRange): string[] {
    return this.#statements.bodies.all(session, afterId, limit).reverse();
  }

  /** Row id of the last event; 0 when there is none. */
  lastEventId(session: number): number {
    return this.#statements.lastEvent.get({session})?.id ?? 0;
  }

  /** Row id of the last event that is older than `timestamp`; 0 when there is none. */
  lastEventBefore(session: number, timestamp: number): number {
    return this.#statements.lastEventBefore.get({session, timestamp})?.id ?? 0;
  }

  /** JSON texts of the events that were replaced in place after the session was at `version`. */
  replacedSince(session: number, version: number): string[] {
    return this.#statements.replacedSince.all({session, version}).map((row) => row.bodyJson);
  }
}

// The statements are left to drizzle's inference. Bodies are many, and drizzle's row mapping would double their cost.
function prepare({client, orm}: SqliteDatabase) {
  const {placeholder} = sql;
  const ofKey = and(
    eq(sessions.appName, placeholder('appName')),
    eq(sessions.userId, placeholder('userId')),
    eq(sessions.sessionId, placeholder('sessionId')),
  );
  const ofSession = eq(events.session, placeholder('session'));
  const appVersion = orm
    .select({version: max(appState.version)})
    .from(appState)
    .where(eq(appState.appName, placeholder('appName')));
  const userVersion = orm
    .select({version: max(userState.version)})
    .from(userState)
    .where(and(eq(userState.appName, placeholder('appName')), eq(userState.userId, placeholder('userId'))));
  return {
    head: orm
      .select({
        id: sessions.id,
        version: sessions.version,
        updateTime: sessions.updateTime,
        appVersion: sql<number>`coalesce((${appVersion}), 0)`,
        userVersion: sql<number>`coalesce((${userVersion}), 0)`,
      })
      .from(sessions)
      .where(ofKey)
      .prepare(),
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
    advance: orm
      .update(sessions)
      .set({version: sql`${placeholder('version')}`, updateTime: sql`${placeholder('updateTime')}`})
      .where(eq(sessions.id, placeholder('id')))
      .prepare(),
    remove: orm.delete(sessions).where(ofKey).prepare(),

    addEvent: orm
      .insert(events)
      .values({
        session: placeholder('session'),
        eventId: placeholder('eventId'),
        timestamp: placeholder('timestamp'),
        bodyJson: placeholder('bodyJson'),
      })
      .onConflictDoNothing()
      .returning({id: events.id})
      .prepare(),
    replaceEvent: orm
      .update(events)
      .set({
        timestamp: sql`${placeholder('timestamp')}`,
        bodyJson: sql`${placeholder('bodyJson')}`,
        replaced: sql`${placeholder('version')}`,
      })
      .where(and(ofSession, eq(events.eventId, placeholder('eventId'))))
      .returning({id: events.id})
      .prepare(),
    bodies: client
      .prepare<[session: number, afterId: number, limit: number], string>(
        'SELECT body_json FROM events WHERE session = ? AND id > ? ORDER BY id DESC LIMIT ?',
      )
      .pluck(),
    lastEvent: orm
      .select({id: max(events.id)})
      .from(events)
      .where(ofSession)
      .prepare(),
    lastEventBefore: orm
      .select({id: events.id})
      .from(events)
      .where(and(ofSession, lt(events.timestamp, placeholder('timestamp'))))
      .orderBy(desc(events.id))
      .limit(1)
      .prepare(),
    replacedSince: orm
      .select({bodyJson: events.bodyJson})
      .from(events)
      .where(and(ofSession, gt(events.replaced, placeholder('version'))))
      .prepare(),
  };
}
