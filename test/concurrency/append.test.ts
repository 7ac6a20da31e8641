import {existsSync, statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import Database from 'better-sqlite3';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {buildProgram, type Program, WorkerProcess} from '../support/worker-process.ts';

const PROCESSES = 4;
const WAL_LIMIT_BYTES = 16 * 1024 * 1024;
const SOAK = process.env.ADK_COMPACTION_SOAK === '1';
/** How much each process appends: in one run to its end, and at most before it is killed. */
const APPENDS = SOAK ? {whole: 300, killed: 200} : {whole: 100, killed: 60};

interface Said {
  readonly id: string;
  readonly stallMs: number;
}

let program: Program;

beforeAll(async () => {
  program = await buildProgram(resolve(import.meta.dirname, 'append-worker.ts'));
});

afterAll(() => program.remove());

describe('several processes on one file', {timeout: SOAK ? 1_800_000 : 180_000}, () => {
  it('lose nothing and store nothing twice, beside a slow reader', async () => {
    const path = join(temporaryFolder(), 'store.db');
    const workers = await startWorkers(path, (name) => [name, String(APPENDS.whole)]);
    const reader = new Database(path, {readonly: true});
    for (const worker of workers) {
      worker.tell('go');
    }
    for (let round = 0; round < 20; round++) {
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM events').get();
      await Promise.race([...workers.map((worker) => worker.ended()), delay(50)]);
      reader.exec('COMMIT');
    }
    reader.close();
    expect(await Promise.all(workers.map((worker) => worker.ended()))).toEqual(Array(PROCESSES).fill(0));

    const said = workers.map((worker) => worker.said.slice(1) as Said[]);
    expect(said.map((lines) => lines.length)).toEqual(Array(PROCESSES).fill(APPENDS.whole));
    await expectAllStored(path, said);
    const store = openSqliteStore(path);
    const folds = await store.compaction.records({...KEY, sessionId: 'shared'});
    expect(new Set(folds.map(({prefixHash}) => prefixHash)).size).toBe(PROCESSES * (APPENDS.whole / 10));
    store.close();
    const longest = Math.max(...said.flat().map(({stallMs}) => stallMs));
    console.info(`longest time of one append among ${PROCESSES} writers: ${longest.toFixed(0)} ms`);
  });

  it('keep what they said is stored when they are killed, in order, and the -wal bounded', async () => {
    const path = join(temporaryFolder(), 'store.db');
    const random = randomNumbers(1);
    const said: Said[][] = [];
    const rounds = SOAK ? 100 : 2 * PROCESSES;
    for (let round = 0; round < rounds; round += PROCESSES) {
      const batch = Math.min(PROCESSES, rounds - round);
      const workers = await startWorkers(path, (name) => [`${round} ${name}`, '1000000', '5000'], batch);
      for (const worker of workers) {
        worker.tell('go');
      }
      await Promise.all(
        workers.map(async (worker) => {
          await worker.saysTotal(2 + Math.floor(random() * APPENDS.killed));
          worker.child.kill('SIGKILL');
          expect(await worker.ended()).toBe('SIGKILL');
        }),
      );
      said.push(...workers.map((worker) => worker.said.slice(1) as Said[]));
      expect(statSync(`${path}-wal`).size).toBeLessThan(WAL_LIMIT_BYTES + 1024 * 1024);
    }
    await expectAllStored(path, said);
  });
});

async function startWorkers(
  path: string,
  args: (name: string) => string[],
  count = PROCESSES,
): Promise<WorkerProcess[]> {
  const workers = Array.from(
    {length: count},
    (_, index) => new WorkerProcess(program, [path, ...args(`worker ${index}`)]),
  );
  await Promise.all(workers.map((worker) => worker.saysTotal(1)));
  return workers;
}

/** Each worker's events are there once, in its order, in its own session and in the shared one; the file is sound. */
async function expectAllStored(path: string, said: readonly Said[][]): Promise<void> {
  const store = openSqliteStore(path);
  try {
    const shared = await idsOf(store, 'shared');
    for (const lines of said) {
      const name = lines[0]?.id.replace(/ \d+$/, '') ?? '';
      const stored = [await idsOf(store, name), shared.filter((id) => id.startsWith(`${name} `))];
      const expected = [0, 1].map((odd) =>
        lines.map(({id}) => id).filter((id) => Number(id.split(' ').at(-1)) % 2 === odd),
      );
      for (const [index, ids] of expected.entries()) {
        expect(stored[index]?.slice(0, ids.length)).toEqual(ids);
        // What was stored when the process was killed, but not said any more.
        expect((stored[index]?.length ?? 0) - ids.length).toBeLessThanOrEqual(1);
      }
    }
    expect(new Set(shared).size).toBe(shared.length);
    expect(store.verify()).toEqual([]);
  } finally {
    store.close();
  }
  expect(existsSync(`${path}-wal`)).toBe(false);
}

async function idsOf(store: ReturnType<typeof openSqliteStore>, sessionId: string): Promise<string[]> {
  const session = await store.sessions.getSession({...KEY, sessionId});
  return session?.events.map(({id}) => id) ?? [];
}

/** A linear congruential generator: the same moments in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
