import {randomUUID} from 'node:crypto';
import {
  type AppendEventRequest,
  BaseSessionService,
  type CreateSessionRequest,
  createSession,
  type DeleteSessionRequest,
  type Event,
  type GetSessionConfig,
  type GetSessionRequest,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type Session,
} from '@google/adk';
import {SessionExistsError, SessionFrozenError, SessionUnknownError} from '../store/session-errors.ts';
import {type CheckedKey, checkedId, checkedKey} from '../store/sqlite/checked-ids.ts';
import {prepareCompactionDeletion} from '../store/sqlite/compaction-statements.ts';
import type {SqliteDatabase} from '../store/sqlite/open.ts';
import {listSessions} from '../store/sqlite/session-list.ts';
import {type SessionHead, SessionRows} from '../store/sqlite/session-rows.ts';
import {NOTHING_SEEN, type StateEntry, StateRows} from '../store/sqlite/state-rows.ts';
import {assertChangeable, settleEvent} from './changeable.ts';
import {decodeEvent, type EncodedEvent, encodeEvent, type RedactEvent} from './event-codec.ts';
import {requireAtLeast, toListPage} from './list-page.ts';
import {LiveEvents} from './live-events.ts';
import {applyStateEntries, captureState, sharesState, stateName, toStateEntries} from './state-scopes.ts';

const NOTHING_MISSED: Missed = {state: [], added: [], replaced: []};

/** How far a live session object has followed what is stored. */
interface Followed {
  readonly head: SessionHead;
  readonly events: LiveEvents;
}

/** What others stored since a live session object was last brought up to date. */
interface Missed {
  readonly state: readonly StateEntry[];
  readonly added: readonly Event[];
  readonly replaced: readonly Event[];
}

/** What an append did to the file. */
interface Appended {
  readonly missed: Missed;
  readonly head: SessionHead;
  readonly isReplaced: boolean;
}

/**
 * An ADK session service on a SQLite file. An append that has resolved is stored, whole; one that has failed has changed
 * neither the file nor the session object. What it decides where ADK's own services differ is in `docs/sessions.md`.
 */
export class SqliteSessionService extends BaseSessionService {
  readonly #database: SqliteDatabase;
  readonly #redact: RedactEvent | undefined;
  readonly #rows: SessionRows;
  readonly #state: StateRows;
  readonly #deleteCompactionRows: (key: CheckedKey) => void;
  readonly #followed = new WeakMap<Session, Followed>();

  /** Over an open database, which stays the caller's to close. */
  constructor(database: SqliteDatabase, redact?: RedactEvent) {
    super();
    this.#database = database;
    this.#redact = redact;
    this.#rows = new SessionRows(database);
    this.#state = new StateRows(database);
    this.#deleteCompactionRows = prepareCompactionDeletion(database.orm);
  }

  /**
   * Creates a session; `app:` and `user:` keys of `state` go to their owners, `temp:` keys nowhere. Throws
   * `SessionExistsError` when the id is taken, `UnstorableValueError`, `InvalidIdError`.
   */
  override async createSession({appName, userId, sessionId, state}: CreateSessionRequest): Promise<Session> {
    const key = checkedKey({appName, userId, sessionId: sessionId || randomUUID()});
    const entries = toStateEntries(state ?? {});
    const names = entries.map(stateName);
    return this.#database.write(() => {
      if (this.#rows.head(key) !== undefined) {
        throw new SessionExistsError(key);
      }
      this.#rows.create(key, Date.now());
      const {head} = this.#advance(key, undefined, names, null);
      this.#state.write(head.id, key, entries, head);
      return this.#load(key, head);
    });
  }

  /** The session with its events in the order of appending: all, or the tail that `config` asks for. */
  override async getSession({appName, userId, sessionId, config}: GetSessionRequest): Promise<Session | undefined> {
    const key = checkedKey({appName, userId, sessionId});
    requireAtLeast(0, 'config.numRecentEvents', config?.numRecentEvents);
    return this.#database.read(() => {
      const head = this.#rows.head(key);
      return head === undefined ? undefined : this.#load(key, head, config);
    });
  }

  /** As ADK's own, and safe when several callers ask for one new session at once. */
  override async getOrCreateSession(request: CreateSessionRequest): Promise<Session> {
    try {
      return await super.getOrCreateSession(request);
    } catch (error) {
      if (!(error instanceof SessionExistsError)) {
        throw error;
      }
      return super.getOrCreateSession(request);
    }
  }

  /** Sessions of an app or of one of its users, without state and events. Throws `InvalidOptionsError` for a bad page. */
  override async listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse> {
    const {userId, order} = request;
    const appName = checkedId('appName', request.appName);
    if (userId !== undefined) {
      checkedId('userId', userId);
    }
    const {limit, offset, describe} = toListPage(request);
    const {sessions, total} = listSessions(this.#database, {appName, userId, order, limit, offset});
    return {
      sessions: sessions.map((row) =>
        createSession({id: row.sessionId, appName, userId: row.userId, lastUpdateTime: row.updateTime}),
      ),
      ...describe(total),
    };
  }

  /**
   * Deletes the session, its events, its state and all that compaction knows of it, whether or not there is a session.
   * State of the app and of the user stays.
   */
  override async deleteSession({appName, userId, sessionId}: DeleteSessionRequest): Promise<void> {
    const key = checkedKey({appName, userId, sessionId});
    this.#database.write(() => {
      this.#rows.remove(key);
      this.#deleteCompactionRows(key);
    });
    this.#database.eraseDeleted();
  }

  /**
   * Stores an event and its state changes, then adds it to the session object. A session object that is behind is first
   * brought up to date, in place. A partial event leaves no trace; an event whose id is stored already takes its place.
   *
   * Resolves to the event as it entered `session.events`. Throws `SessionUnknownError` when the session is not stored,
   * `SessionFrozenError` when the session object cannot be changed, `UnstorableValueError`, `InvalidIdError`, and
   * `sqlite.busy`: then nothing has changed.
   */
  override async appendEvent({session, event}: AppendEventRequest): Promise<Event> {
    if (event.partial) {
      return event;
    }
    const key = checkedKey({appName: session.appName, userId: session.userId, sessionId: session.id});
    const encoded = encodeEvent(key, event, this.#redact);
    const names = Object.keys(encoded.event.actions?.stateDelta ?? {});
    const restoreState = captureState(session.state, names);
    let appended: Appended;
    try {
      appended = this.#database.write(() => this.#append(key, session, encoded, names));
    } catch (error) {
      restoreState();
      throw error;
    }
    const live = this.#redact === undefined ? settleEvent(event, encoded.event) : encoded.event;
    this.#catchUp(session, live, appended, names);
    return live;
  }

  /** Inside a transaction. Changes the session's state, which `appendEvent` puts back on failure. */
  #append(key: CheckedKey, session: Session, {event, row}: EncodedEvent, names: readonly string[]): Appended {
    const {head, missed} = this.#advance(key, this.#followed.get(session), names, row.timestamp);
    assertChangeable(session, [...names, ...missed.state.map(stateName)]);
    const {isReplaced} = this.#rows.putEvent(head.id, head.version, row);
    if (names.length > 0) {
      this.#applyState(key, session, event);
      const entries = toStateEntries(Object.fromEntries(names.map((name) => [name, session.state[name]])));
      this.#state.write(head.id, key, entries, head);
    }
    return {missed, head, isReplaced};
  }

  /**
   * ADK alone knows which of two writes to a key is the newer one: what it leaves in the state is what is stored. It is done
   * when the call returns, and has then put the event into the list it was given: here an empty one, so that it does not
   * search all events.
   */
  #applyState(key: CheckedKey, session: Session, event: Event): void {
    const events: Event[] = [];
    const applied = super.appendEvent({session: {...session, events}, event: {...event, actions: {...event.actions}}});
    if (events.length === 0) {
      applied.catch(() => undefined);
      throw new SessionFrozenError(key, 'session.state');
    }
  }

  /** Inside a transaction: moves the session on, and tells what was missed until then. `names`: of the state to write. */
  #advance(
    key: CheckedKey,
    followed: Followed | undefined,
    names: readonly string[],
    time: number | null,
  ): {head: SessionHead; missed: Missed} {
    if (followed !== undefined) {
      const next = nextHead(followed.head, names, time);
      if (this.#rows.advance(key, followed.head, next)) {
        return {head: next, missed: NOTHING_MISSED};
      }
    }
    const head = this.#rows.head(key);
    if (head === undefined) {
      throw new SessionUnknownError(key, 'is not stored');
    }
    if (followed !== undefined && followed.head.id !== head.id) {
      throw new SessionUnknownError(key, 'was deleted and created again');
    }
    const next = nextHead(head, names, time);
    this.#rows.advance(key, head, next);
    return {head: next, missed: this.#missed(key, head, followed)};
  }

  #missed(key: CheckedKey, head: SessionHead, followed: Followed | undefined): Missed {
    const since = followed?.head ?? NOTHING_SEEN;
    const isBehind = head.version > since.version;
    return {
      state: this.#state.changedSince(head.id, key, head, since),
      added: isBehind ? this.#rows.events(head.id, {afterVersion: since.version}, decodeEvent) : [],
      replaced: isBehind && followed ? this.#rows.replacedSince(head.id, since.version).map(decodeEvent) : [],
    };
  }

  /** Brings a live session up to what is stored, its own event last. Nothing here can fail. */
  #catchUp(session: Session, own: Event, {missed, head, isReplaced}: Appended, ownNames: readonly string[]): void {
    this.#rows.committed(head.id, head.version, own.id);
    const followed = this.#followed.get(session);
    const events = followed?.events ?? new LiveEvents();
    if (followed === undefined) {
      session.events.length = 0;
    }
    for (const event of missed.replaced) {
      events.replace(session.events, event);
    }
    for (const event of missed.added) {
      session.events.push(event);
    }
    if (isReplaced) {
      events.replace(session.events, own);
    } else {
      events.put(session.events, own);
    }
    const theirs = missed.state.filter((entry) => !ownNames.includes(stateName(entry)));
    applyStateEntries(session.state, theirs);
    session.lastUpdateTime = head.updateTime;
    this.#followed.set(session, {head, events});
  }

  /** Inside a transaction: a session object that this service follows from now on. */
  #load(key: CheckedKey, head: SessionHead, config: GetSessionConfig = {}): Session {
    const {numRecentEvents: limit = -1, afterTimestamp} = config;
    const afterVersion = afterTimestamp ? this.#rows.versionBefore(head.id, afterTimestamp) : 0;
    const session = createSession({
      id: key.sessionId,
      appName: key.appName,
      userId: key.userId,
      events: this.#rows.events(head.id, {afterVersion, limit}, decodeEvent),
      lastUpdateTime: head.updateTime,
    });
    applyStateEntries(session.state, this.#state.changedSince(head.id, key, head, NOTHING_SEEN));
    const events = new LiveEvents();
    events.settle(session.events);
    this.#followed.set(session, {head, events});
    return session;
  }
}

/** Where a session stands once an event of `time` has changed the state under `names`. */
function nextHead(head: SessionHead, names: readonly string[], time: number | null): SessionHead {
  const shares = sharesState(names);
  return {
    id: head.id,
    updateTime: Math.max(head.updateTime, time ?? 0),
    version: head.version + 1,
    appVersion: head.appVersion + (shares.app ? 1 : 0),
    userVersion: head.userVersion + (shares.user ? 1 : 0),
  };
}
