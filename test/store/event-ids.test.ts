import {describe, expect, it} from 'vitest';
import {EventIds} from '../../src/store/sqlite/event-ids.ts';

/** A file with one event id per version and session, and what was read of it. */
class StoredIds {
  readonly reads: [session: number, afterVersion: number][] = [];
  readonly #ids = new Map<number, string[]>();

  append(session: number, id: string): number {
    const ids = this.#ids.get(session) ?? [];
    this.#ids.set(session, ids);
    return ids.push(id);
  }

  readonly read = (session: number, afterVersion: number): string[] => {
    this.reads.push([session, afterVersion]);
    return this.#ids.get(session)?.slice(afterVersion) ?? [];
  };
}

describe('the ids of stored events', () => {
  it('are read once, and later only those that others have appended', () => {
    const stored = new StoredIds();
    const ids = new EventIds(stored.read);
    stored.append(1, 'a');
    expect([ids.has(1, 1, 'a'), ids.has(1, 1, 'b')]).toEqual([true, false]);
    ids.add(1, stored.append(1, 'b'), 'b');
    expect(ids.has(1, 2, 'b')).toBe(true);
    stored.append(1, 'theirs');
    expect(ids.has(1, 3, 'theirs')).toBe(true);
    expect(stored.reads).toEqual([
      [1, 0],
      [1, 2],
    ]);
  });

  it('are those of one session', () => {
    const stored = new StoredIds();
    const ids = new EventIds(stored.read);
    stored.append(1, 'a');
    stored.append(2, 'b');
    expect([ids.has(1, 1, 'b'), ids.has(2, 1, 'a'), ids.has(2, 1, 'b')]).toEqual([false, false, true]);
  });

  it('stay complete when an event is noted although others came before it', () => {
    const stored = new StoredIds();
    const ids = new EventIds(stored.read);
    ids.has(1, stored.append(1, 'a'), 'a');
    stored.append(1, 'theirs');
    ids.add(1, stored.append(1, 'mine'), 'mine');
    expect(ids.has(1, 3, 'theirs')).toBe(true);
  });

  it('are forgotten, those of the session used longest ago first, when there are many', () => {
    const stored = new StoredIds();
    const ids = new EventIds(stored.read);
    for (const session of [1, 2]) {
      for (let index = 0; index < 40_000; index++) {
        stored.append(session, `${index}`);
      }
      ids.has(session, 40_000, '0');
    }
    ids.has(1, 40_000, '0');
    for (let index = 0; index < 40_000; index++) {
      stored.append(3, `${index}`);
    }
    for (const session of [3, 1, 3, 2]) {
      expect(ids.has(session, 40_000, '39999')).toBe(true);
    }
    expect(stored.reads.map(([session]) => session)).toEqual([1, 2, 3, 2]);
  });
});
