import {InvalidOptionsError} from '../errors.ts';
import {LruMap} from '../lru-map.ts';
import {type SessionKey, sessionKeyText} from '../session-key.ts';

const DEFAULT_SESSION_BYTES = 400_000;
const SMALL_GRANT_BYTES = 2_000;
const SESSIONS_KEPT = 10_000;

interface SessionUse {
  used: number;
  /** Granted bytes of the reservations that are open, by id. */
  readonly open: Map<number, number>;
}

/**
 * A budget of tool output bytes per session, so that tools cut their output before it fills the context. A compaction of the
 * session starts its budget afresh.
 *
 *     const {id, granted} = budget.reserve(key, wanted);
 *     const output = text.slice(0, granted);
 *     budget.consume(key, id, Buffer.byteLength(output));
 *
 * Lives in memory. Of 10,000 sessions the ones used longest ago are forgotten, which starts their budget afresh.
 */
export class ToolOutputBudget {
  readonly #limit: number;
  readonly #sessions = new LruMap<string, SessionUse>(SESSIONS_KEPT);
  #lastId = 0;

  /** @param perSessionBytes bytes per session, a whole number of 0 or more. Default 400,000. */
  constructor(perSessionBytes: number = DEFAULT_SESSION_BYTES) {
    this.#limit = bytes('perSessionBytes', perSessionBytes);
  }

  /**
   * Reserves up to `want` bytes: at most half of what is left, but 2,000 where half is less, or all that is left where that
   * is less still. Several reservations may be open at once, and they settle in any order.
   */
  reserve(key: SessionKey, want: number): {id: number; granted: number} {
    const session = this.#session(key);
    const left = Math.max(this.#limit - session.used - reservedBytes(session), 0);
    const share = Math.max(Math.floor(left / 2), Math.min(SMALL_GRANT_BYTES, left));
    const granted = Math.min(bytes('want', want), share);
    this.#lastId += 1;
    session.open.set(this.#lastId, granted);
    return {id: this.#lastId, granted};
  }

  /**
   * Settles a reservation with what was really emitted. A reservation made before a reset settles too. Throws
   * {@link InvalidOptionsError} for an id that is not open.
   */
  consume(key: SessionKey, id: number, emitted: number): void {
    const session = this.#session(key);
    const used = bytes('emitted', emitted);
    if (!session.open.delete(id)) {
      throw new InvalidOptionsError(
        'id',
        `no reservation ${id} is open in session ${key.sessionId}; settle each one once.`,
      );
    }
    session.used += used;
  }

  /** Gives the session its full budget again. */
  reset(key: SessionKey): void {
    const session = this.#session(key);
    session.used = 0;
    for (const id of session.open.keys()) {
      session.open.set(id, 0);
    }
  }

  /** The session's budget, in bytes: all of it, what was emitted, and what open reservations hold. */
  report(key: SessionKey): {limit: number; used: number; reserved: number} {
    const session = this.#session(key);
    return {limit: this.#limit, used: session.used, reserved: reservedBytes(session)};
  }

  #session(key: SessionKey): SessionUse {
    return this.#sessions.getOrCreate(sessionKeyText(key), () => ({used: 0, open: new Map()}));
  }
}

function reservedBytes(session: SessionUse): number {
  return [...session.open.values()].reduce((sum, granted) => sum + granted, 0);
}

function bytes(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new InvalidOptionsError(field, `must be a whole number of bytes, 0 or more (seen: ${value}).`);
  }
  return value;
}
