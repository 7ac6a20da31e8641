// Four processes that append 1 KB events to one file, each to its own session: events per second and failures.
// Run: npm run bench -- bench/session-writers.ts
import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {BaseSessionService, Session} from '@google/adk';
import {openSqliteStore} from '../src/sqlite.ts';
import {report} from './limits.ts';
import {HandWrittenSessions} from './session-baseline.ts';
import {KEY, newEvent} from './session-contenders.ts';
import {cpuMilliseconds, median} from './stopwatch.ts';

const WRITERS = 4;
const ROUNDS = 21;
/** Appends of each process in one race: short ones, so that the contenders of a round meet the same machine. */
const EVENTS = 300;
const CONTENDERS = ['hand-written, process', 'ours, process', 'hand-written, power', 'ours, power'];

/** What a writer says after a race: how many appends failed, and its CPU time. */
interface Told {
  readonly failures: number;
  readonly cpu: number;
}

/** One race: all writers together. */
interface Race {
  readonly perSecond: number;
  /** CPU milliseconds of an event. */
  readonly cpu: number;
  readonly failures: number;
}

const [role, folder = '', name = ''] = process.argv.slice(2);
if (role === 'writer') {
  await write();
} else {
  await compare();
}

async function compare(): Promise<void> {
  const files = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
  const services = await openServices(files);
  const self = fileURLToPath(import.meta.url);
  const writers = Array.from({length: WRITERS}, (_, index) => fork(self, ['writer', files, `session ${index}`]));
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  const races = new Map(CONTENDERS.map((contender) => [contender, [] as Race[]]));
  // The first round compiles the code, in each process.
  for (let round = 0; round <= ROUNDS; round++) {
    const first = round % CONTENDERS.length;
    for (const contender of [...CONTENDERS.slice(first), ...CONTENDERS.slice(0, first)]) {
      const result = await race(writers, contender);
      if (round > 0) {
        races.get(contender)?.push(result);
      }
    }
  }
  for (const writer of writers) {
    writer.disconnect();
  }
  await Promise.all(writers.map((writer) => once(writer, 'exit')));
  for (const service of services.values()) {
    service.close();
  }
  rmSync(files, {recursive: true, force: true});
  conclude(races);
}

async function race(writers: readonly ChildProcess[], contender: string): Promise<Race> {
  const answers = writers.map((writer) => once(writer, 'message'));
  const start = performance.now();
  for (const writer of writers) {
    writer.send(contender);
  }
  const told = (await Promise.all(answers)).map(([message]) => message as Told);
  const perSecond = (WRITERS * EVENTS * 1_000) / (performance.now() - start);
  const sum = (member: keyof Told): number => told.reduce((total, one) => total + one[member], 0);
  return {perSecond, cpu: sum('cpu') / (WRITERS * EVENTS), failures: sum('failures')};
}

/** Ratios are those of each round, which the two ran one after the other; the middle one counts. */
function conclude(races: ReadonlyMap<string, readonly Race[]>): void {
  const of = (contender: string): readonly Race[] => races.get(contender) ?? [];
  for (const contender of CONTENDERS) {
    const [rate, cpu] = [of(contender).map((one) => one.perSecond), of(contender).map((one) => one.cpu)];
    console.log(
      `${contender.padEnd(24)} ${median(rate).toFixed(0).padStart(7)} events/s (${Math.min(...rate).toFixed(0)} to ${Math.max(...rate).toFixed(0)})   CPU ${median(cpu).toFixed(4)} ms an event`,
    );
  }
  for (const durability of ['process', 'power']) {
    const baseline = of(`hand-written, ${durability}`);
    const ratios = of(`ours, ${durability}`).map((ours, round) => ours.perSecond / (baseline[round]?.perSecond ?? 0));
    const measured = median(ratios);
    report({name: `4 writers, ${durability}: hand-written`, measured, limit: 0.8, bound: 'at least', unit: 'x'});
  }
  const failed = CONTENDERS.filter((contender) => contender.startsWith('ours'))
    .flatMap(of)
    .reduce((sum, {failures}) => sum + failures, 0);
  report({name: '4 writers: failed appends', measured: failed, limit: 0, bound: 'at most', unit: ''});
}

async function write(): Promise<void> {
  const sessions = new Map<string, {service: BaseSessionService; session: Session}>();
  for (const [contender, service] of await openServices(folder)) {
    sessions.set(contender, {service, session: await service.createSession({...KEY, sessionId: name})});
  }
  process.on('message', async (contender: string) => {
    const {service, session} = sessions.get(contender) ?? {};
    if (service === undefined || session === undefined) {
      return;
    }
    const cpu = cpuMilliseconds();
    let failures = 0;
    for (let index = 0; index < EVENTS; index++) {
      await service.appendEvent({session, event: newEvent(1_000)}).catch(() => failures++);
    }
    process.send?.({failures, cpu: cpuMilliseconds() - cpu} satisfies Told);
  });
  process.send?.('ready');
}

/** Every contender, on a file of its own that all processes share. */
async function openServices(files: string): Promise<Map<string, BaseSessionService & {close(): void}>> {
  const services = CONTENDERS.map((contender) => {
    const path = join(files, `${contender}.db`);
    if (contender.startsWith('ours')) {
      const durability = contender.endsWith('power') ? 'power' : 'process';
      const store = openSqliteStore({path, busyTimeoutMs: 15_000, durability});
      return [contender, Object.assign(store.sessions, {close: () => store.close()})] as const;
    }
    const baseline = new HandWrittenSessions(path);
    baseline.synchronous = contender.endsWith('power') ? 'FULL' : 'NORMAL';
    return [contender, baseline as unknown as BaseSessionService & {close(): void}] as const;
  });
  return new Map(services);
}
