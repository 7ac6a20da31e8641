import {spawnSync} from 'node:child_process';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {buildProgram, type Program, WorkerProcess} from '../support/worker-process.ts';

const ROUNDS = process.env.ADK_COMPACTION_SOAK === '1' ? 15 : 4;

let loop: Program;
let oneCall: Program;

beforeAll(async () => {
  loop = await buildProgram(resolve(import.meta.dirname, 'sample-worker.ts'));
  oneCall = await buildProgram(resolve(import.meta.dirname, 'exit-worker.ts'));
});

afterAll(() => {
  loop.remove();
  oneCall.remove();
});

it.each([
  ['runs to its end', 'run', 0],
  ['exits in the task of the last call', 'exit', 0],
  ['fails in the task of the last call', 'throw', 1],
])('a process that %s has stored what it learnt, also when it writes nothing else', async (_, end, status) => {
  const path = join(temporaryFolder(), 'agent.db');
  expect(spawnSync(process.execPath, [oneCall.path, path, end]).status).toBe(status);
  const store = openSqliteStore(path);
  const samples = await store.compaction.calibrations(KEY);
  store.close();
  expect(samples).toHaveLength(1);
});

it('whenever the process is killed, a count is learnt from if and only if its response is in the session', {
  timeout: 300_000,
}, async () => {
  const path = join(temporaryFolder(), 'agent.db');
  for (let round = 0; round < ROUNDS; round++) {
    const worker = new WorkerProcess(loop, [path]);
    await worker.saysTotal(3 + 7 * round);
    worker.child.kill('SIGKILL');
    expect(await worker.ended()).toBe('SIGKILL');

    const store = openSqliteStore(path);
    const session = await store.sessions.getSession(KEY);
    const counts = session?.events.flatMap(({usageMetadata}) => usageMetadata?.promptTokenCount ?? []);
    const samples = await store.compaction.calibrations(KEY);
    store.close();
    expect(counts?.length).toBeGreaterThan(round);
    expect(samples.map(({reported}) => reported)).toEqual(counts);
  }
});
