// Four processes that append 1 KB events to one file, each to its own session: events per second and failures.
// Run: npm run bench -- bench/session-writers.ts
import {fork} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BaseSessionService} from '@google/adk';
import {openSqliteStore} from '../src/sqlite.ts';
import {report} from './limits.ts';
import {HandWrittenSessions} from './session-baseline.ts';
import {KEY, newEvent} from './session-contenders.ts';
import {median} from './stopwatch.ts';

const WRITERS = 4;
const EVENTS = 2_000;
const ROUNDS = 5;
const CONTENDERS = ['hand-written, process', 'ours, process', 'hand-written, power', 'ours, power'];

const [role, kind = '', path = '', name = ''] = process.argv.slice(2);
if (role === 'writer') {
  await write();
} else {
  await compare();
}

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
  const rates = new Map(CONTENDERS.map((contender) => [contender, [] as number[]]));
  let failed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const [contender, perSecond] of rates) {
      const file = join(folder, `${round} ${contender}.db`);
      await openService(contender, file);
      const {seconds, failures} = await race(contender, file);
      perSecond.push((WRITERS * EVENTS) / seconds);
      if (contender.startsWith('ours')) {
        failed += failures;
      }
      console.log(`${contender.padEnd(24)} ${perSecond.at(-1)?.toFixed(0).padStart(7)} events/s   ${failures} failed`);
    }
  }
  rmSync(folder, {recursive: true, force: true});
  const rate = (contender: string): number => median(rates.get(contender) ?? []);
  for (const durability of ['process', 'power']) {
    const measured = rate(`ours, ${durability}`) / rate(`hand-written, ${durability}`);
    report({name: `4 writers, ${durability}: hand-written`, measured, limit: 0.8, bound: 'at least', unit: 'x'});
  }
  report({name: '4 writers: failed appends', measured: failed, limit: 0, bound: 'at most', unit: ''});
}

async function race(contender: string, file: string): Promise<{seconds: number; failures: number}> {
  const self = fileURLToPath(import.meta.url);
  const writers = Array.from({length: WRITERS}, (_, index) =>
    fork(self, ['writer', contender, file, `session ${index}`]),
  );
  const next = () => Promise.all(writers.map((writer) => new Promise<unknown>((done) => writer.once('message', done))));
  await next();
  const start = performance.now();
  const done = next();
  for (const writer of writers) {
    writer.send('go');
  }
  const failures = ((await done) as number[]).reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - start) / 1000;
  return {seconds, failures};
}

async function write(): Promise<void> {
  const service = await openService(kind, path);
  const session = await service.createSession({...KEY, sessionId: name});
  process.once('message', async () => {
    let failures = 0;
    for (let index = 0; index < EVENTS; index++) {
      await service.appendEvent({session, event: newEvent(1_000)}).catch(() => failures++);
    }
    process.send?.(failures);
  });
  process.send?.('ready');
}

async function openService(contender: string, file: string): Promise<BaseSessionService> {
  const isDurable = contender.endsWith('power');
  if (contender.startsWith('ours')) {
    return openSqliteStore({path: file, busyTimeoutMs: 15_000, durability: isDurable ? 'power' : 'process'}).sessions;
  }
  const baseline = new HandWrittenSessions(file);
  baseline.synchronous = isDurable ? 'FULL' : 'NORMAL';
  return baseline as unknown as BaseSessionService;
}
