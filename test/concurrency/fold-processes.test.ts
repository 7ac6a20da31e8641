import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../support/manager-harness.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {buildProgram, type Program, WorkerProcess} from '../support/worker-process.ts';

let program: Program;
beforeAll(async () => {
  program = await buildProgram('test/concurrency/fold-worker.ts');
});
afterAll(() => program.remove());

interface Said {
  readonly sent: string;
  readonly reports: number;
  readonly records: string[];
  readonly warnings: string[];
}

it('two processes that fold one prefix of one session store one fold, and send the same bytes', async () => {
  const path = join(temporaryFolder(), 'agent.db');
  const workers = ['one', 'other'].map((name) => new WorkerProcess(program, [path, name]));
  await Promise.all(workers.map((worker) => worker.saysTotal(1)));
  for (const worker of workers) {
    worker.tell('answer');
  }
  await Promise.all(workers.map((worker) => worker.saysTotal(2)));
  expect(await Promise.all(workers.map((worker) => worker.ended()))).toEqual([0, 0]);

  const [one, other] = workers.map(({said}) => said[1] as Said) as [Said, Said];
  expect(one.sent).toBe(other.sent);
  expect(one.sent).toContain('summary by');
  expect([...one.records, ...other.records]).toEqual(['fold']);
  expect([one.warnings, other.warnings]).toEqual([[], []]);
  const store = openSqliteStore(path);
  const records = await store.compaction.records(KEY);
  store.close();
  expect(records.map(({kind}) => kind)).toEqual(['fold']);
  expect(one.sent).toContain(JSON.stringify(records[0]?.output?.[0]?.parts));
});
