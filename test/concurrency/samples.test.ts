import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {buildProgram, type Program, WorkerProcess} from '../support/worker-process.ts';

const ROUNDS = process.env.ADK_COMPACTION_SOAK === '1' ? 40 : 4;

let program: Program;

beforeAll(async () => {
  program = await buildProgram(resolve(import.meta.dirname, 'sample-worker.ts'));
});

afterAll(() => program.remove());

it('whenever the process is killed, a count is learnt from if and only if its response is in the session', {
  timeout: 300_000,
}, async () => {
  const path = join(temporaryFolder(), 'agent.db');
  for (let round = 0; round < ROUNDS; round++) {
    const worker = new WorkerProcess(program, [path]);
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
