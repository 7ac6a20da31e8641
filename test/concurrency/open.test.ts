import {join, resolve} from 'node:path';
import Database from 'better-sqlite3';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {buildProgram, type Program, WorkerProcess} from '../support/worker-process.ts';
import {nextMigrations} from '../upgrade/old-files.ts';

const ROUNDS = 25;
const PROCESSES = 4;

let program: Program;
let workers: WorkerProcess[];

beforeAll(async () => {
  program = await buildProgram(resolve(import.meta.dirname, 'open-worker.ts'));
  workers = Array.from({length: PROCESSES}, () => new WorkerProcess(program, []));
  await Promise.all(workers.map((worker) => worker.saysTotal(1)));
});

afterAll(async () => {
  for (const worker of workers) {
    worker.child.disconnect();
  }
  await Promise.all(workers.map((worker) => worker.ended()));
  program.remove();
});

describe(`${PROCESSES} processes that open one file at the same moment`, () => {
  it.each([
    ['a new file', () => undefined],
    ['a file without the newest migration', (path: string) => openSqliteDatabase({path}).close()],
  ])('all succeed, and each migration is applied once: %s', async (_, prepare) => {
    const folder = temporaryFolder();
    const migrationsFolder = nextMigrations(join(folder, 'migrations'));
    for (let round = 0; round < ROUNDS; round++) {
      const path = join(folder, `${round}.db`);
      prepare(path);
      const said = workers.map((worker) => worker.said.length);
      for (const worker of workers) {
        worker.tell({path, migrationsFolder});
      }
      await Promise.all(workers.map((worker, index) => worker.saysTotal((said[index] ?? 0) + 1)));
      expect(workers.map((worker) => worker.said.at(-1))).toEqual(Array(PROCESSES).fill('ok'));

      const client = new Database(path, {readonly: true});
      const hashes = client.prepare('SELECT hash FROM __drizzle_migrations').pluck().all();
      expect(hashes.length).toBe(new Set(hashes).size);
      expect(hashes.length).toBeGreaterThanOrEqual(2);
      expect(client.pragma('journal_mode', {simple: true})).toBe('wal');
      client.close();
    }
  });
});
