/** The ids of one session's events, complete up to a version of the session. */
interface KnownIds {
  version: number;
  readonly ids: Set<string>;
}

/** Ids that are kept before those of the session used longest ago are forgotten: some 10 MB. */
const MOST_IDS = 100_000;

/**
 * Tells whether a session has an event of a given id. It reads a session's ids once, and later those that others have
 * appended since: an index on them would cost every append another page of the file.
 */
export class EventIds {
  readonly #read: (session: number, afterVersion: number) => readonly string[];
  /** By row id of the session, the one used last at the end. */
  readonly #known = new Map<number, KnownIds>();
  #count = 0;

  /** `read` gives the ids of the events that were appended after a session was at a version. */
  constructor(read: (session: number, afterVersion: number) => readonly string[]) {
    this.#read = read;
  }

  /** Whether `session`, which is at `version`, has the event. Call it in a write transaction, before that adds an event. */
  has(session: number, version: number, eventId: string): boolean {
    const known = this.#known.get(session) ?? {version: 0, ids: new Set()};
    if (known.version < version) {
      this.#extend(known, version, this.#read(session, known.version));
    }
    this.#known.delete(session);
    this.#known.set(session, known);
    this.#forgetOldest();
    return known.ids.has(eventId);
  }

  /** Call it once the event is committed, with the version that it moved `session` on to. */
  add(session: number, version: number, eventId: string): void {
    const known = this.#known.get(session);
    if (known?.version === version - 1) {
      this.#extend(known, version, [eventId]);
    }
  }

  #extend(known: KnownIds, version: number, ids: readonly string[]): void {
    const before = known.ids.size;
    for (const id of ids) {
      known.ids.add(id);
    }
    known.version = version;
    this.#count += known.ids.size - before;
  }

  #forgetOldest(): void {
    for (const [session, {ids}] of this.#known) {
      if (this.#count <= MOST_IDS || this.#known.size === 1) {
        return;
      }
      this.#known.delete(session);
      this.#count -= ids.size;
    }
  }
}
