import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {LEARNED, SAMPLE, SCOPE} from '../../src/testing/contract-records.ts';
import {KEY, textEvent} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;
const WAL_HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 8192;
const ROUNDS = process.env.ADK_COMPACTION_SOAK === '1' ? 60 : 15;
const EVENT_BYTES = [100, 3_000, 30_000];

/** The two files at one moment. */
interface Disk {
  readonly database: Buffer;
  readonly log: Buffer;
}

type Random = () => number;

/** What the disk holds of a write that was under way, as the power went: `before` and `after` of one file. */
type Tear = (before: Buffer, after: Buffer, random: Random) => Buffer;

const TEARS: [name: string, tear: Tear][] = [
  ['nothing', (before) => before],
  ['its beginning', (before, after, random) => spliced(before, after, Math.floor(random() * (after.length + 1)))],
  ['some of its sectors, in any order', (before, after, random) => mixed(before, after, (fresh) => fresh, random)],
  ['some sectors, the others zero', (before, after, random) => mixed(before, after, (fresh) => fresh.fill(0), random)],
  [
    'some sectors as garbage',
    (before, after, random) => mixed(before, after, (fresh) => fresh.fill(1 + Math.floor(random() * 255)), random),
  ],
  [
    'frames of an earlier append',
    (before, after, random) => {
      const start = WAL_HEADER_BYTES + FRAME_BYTES * Math.floor(random() * 4);
      return Buffer.concat([before, before.subarray(start, start + after.length - before.length)]);
    },
  ],
  ['all of it', (_, after) => after],
];

describe('a power cut', {timeout: 600_000}, () => {
  it.each([
    ['power', 2],
    ['process', 1],
  ] as const)(
    'is waited for at durability %s: SQLite syncs each commit at level %d, and what waited and goes alone at level 1',
    async (durability, level) => {
      const database = openSqliteDatabase({path: join(temporaryFolder(), 'agent.db'), durability});
      onTestFinished(() => database.close());
      const current = (): unknown => database.client.pragma('synchronous', {simple: true});
      expect(current()).toBe(level);
      expect(database.write(current)).toBe(level);

      const late: unknown[] = [];
      const noteLevel = (): void => {
        late.push(current());
      };
      const joined = database.writeLater(noteLevel);
      database.write(() => undefined);
      await joined;
      await database.writeLater(noteLevel);
      expect(late).toEqual([level, 1]);
      expect(current()).toBe(level);
    },
  );

  it('leaves every append that has resolved, whatever it leaves of the next one or of a checkpoint', async () => {
    const random = randomNumbers(7);
    const path = join(temporaryFolder(), 'agent.db');
    const store = openSqliteStore(path);
    const folder = openSqliteStore({path, durability: 'process'});
    const checkpointer = new Database(path);
    onTestFinished(() => {
      checkpointer.close();
      folder.close();
      store.close();
    });
    const session = await store.sessions.createSession(KEY);
    const ids: string[] = [];
    const append = async (): Promise<void> => {
      const text = 'x'.repeat(EVENT_BYTES[ids.length % EVENT_BYTES.length] ?? 0);
      const event = textEvent(text, {id: `event ${ids.length}`});
      event.actions.stateDelta = {last: ids.length};
      await store.sessions.appendEvent({session, event});
      ids.push(event.id);
    };
    await append();

    for (let round = 0; round < ROUNDS; round++) {
      const resolved = [...ids];
      const before = diskOf(path);
      if (round % 5 === 4) {
        checkpointer.pragma('wal_checkpoint(PASSIVE)');
        const {database, log} = diskOf(path);
        for (const [name, tear] of TEARS) {
          await expectStored(name, {database: tear(before.database, database, random), log}, [resolved]);
        }
        continue;
      }
      if (round % 3 === 0) {
        await folder.compaction.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
      }
      await append();
      const after = diskOf(path);
      // After a checkpoint the log is begun again. SQLite syncs its new header before the first frame: a new frame behind the old
      // header would make a part of the old log count again.
      const begun = spliced(before.log, after.log, WAL_HEADER_BYTES);
      for (const [name, tear] of TEARS) {
        const header = {database: before.database, log: tear(before.log, begun, random)};
        await expectStored(name, header, [resolved]);
        const frames = {database: before.database, log: tear(begun, after.log, random)};
        await expectStored(name, frames, [resolved, [...ids]]);
      }
      // One sector less than what the append has waited for, and it is gone: nothing here is kept by chance.
      const short = {...after, log: after.log.subarray(0, durableBytes(path) - SECTOR_BYTES)};
      await expectStored('less than what was synced', short, [resolved]);
    }
  });
});

/** The file is sound, holds the events of one of `expected`, and takes another. */
async function expectStored(cut: string, {database, log}: Disk, expected: readonly string[][]): Promise<void> {
  const path = join(temporaryFolder(), 'agent.db');
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  const store = openSqliteStore({path, durability: 'process'});
  try {
    const session = await store.sessions.getSession(KEY);
    const ids = session?.events.map(({id}) => id) ?? [];
    expect(expected, `after ${cut}`).toContainEqual(ids);
    expect(session?.state, `after ${cut}`).toEqual({last: ids.length - 1});
    expect(store.verify(), `after ${cut}`).toEqual([]);
    if (session !== undefined) {
      await store.sessions.appendEvent({session, event: textEvent('next', {id: 'next'})});
      expect((await store.sessions.getSession(KEY))?.events).toHaveLength(ids.length + 1);
    }
  } finally {
    store.close();
  }
}

function diskOf(path: string): Disk {
  return {database: readFileSync(path), log: readFileSync(`${path}-wal`)};
}

/** The end of the last frame that counts; behind it the log may still hold frames of before it was begun again. */
function durableBytes(path: string): number {
  const frames = readFileSync(`${path}-shm`).readUInt32LE(16);
  return WAL_HEADER_BYTES + frames * FRAME_BYTES;
}

function spliced(before: Buffer, after: Buffer, written: number): Buffer {
  return Buffer.concat([after.subarray(0, written), before.subarray(written)]);
}

/**
 * Each sector that was written is as it was before, or as `arrive` makes it of what was written. Bytes before the first one
 * written stay, in its sector too: SQLite counts on that (powersafe overwrite), as disks keep it.
 */
function mixed(before: Buffer, after: Buffer, arrive: (fresh: Buffer) => Buffer, random: Random): Buffer {
  const result = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(result);
  const first = after.findIndex((byte, index) => byte !== before[index]);
  for (let start = 0; first >= 0 && start < after.length; start += SECTOR_BYTES) {
    const begin = Math.max(start, first);
    const fresh = Buffer.from(after.subarray(begin, start + SECTOR_BYTES));
    const isWritten = !fresh.equals(before.subarray(begin, start + SECTOR_BYTES));
    if (isWritten && random() < 0.5) {
      arrive(fresh).copy(result, begin);
    }
  }
  return result;
}

/** A linear congruential generator: the same moments in every run. */
function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
