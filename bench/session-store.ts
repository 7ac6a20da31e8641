// The session service against ADK's own and against a hand-written baseline.
// Run: npm run bench -- bench/session-store.ts
// ADK's DatabaseSessionService joins in once `npm install` was run in bench/, or in the folder that BENCH_ADK names (a copy
// of bench/package.json); it is slow, the run then takes some minutes.
import {statSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import type {Session} from '@google/adk';
import Database from 'better-sqlite3';
import {type Limit, report} from './limits.ts';
import {KEY, newEvent, type SessionContender, sessionContenders} from './session-contenders.ts';
import {collectGarbage, cpuMilliseconds, median} from './stopwatch.ts';

/**
 * Milliseconds by contender: CPU time per call, the median of the rounds; and the wall, which counts waiting for the disk too,
 * the median of all calls.
 */
type Figures = ReadonlyMap<string, {readonly cpu: number; readonly wall: number}>;

// Appends are compared by the wall, at the durability that waits for no disk: of the CPU time of calls this short much is the
// collector's and the compiler's, in threads of their own.
const SIZES = [10, 1_000, 10_000];
const APPEND_ROUNDS = 20;
const APPENDS_PER_ROUND = 20;
const READ_ROUNDS = 15;
/** Full loads come three at a time, so that each contender collects its own garbage. */
const LOAD_ROUNDS = 5;
const LOADS_PER_ROUND = 3;
const TAILS_PER_ROUND = 20;
const PAGES_PER_ROUND = 10;
/** The collector sweeps on in threads of its own, whose time would count. */
const SWEEP_MILLISECONDS = 20;

const HAND_WRITTEN = 'hand-written, process';
const OURS = 'ours, process';
const OURS_DURABLE = 'ours, power';
const IN_MEMORY = 'ADK InMemory';
const DATABASE = 'ADK Database';

await warmUp();
for (const kilobytes of [1, 20]) {
  await benchSession(kilobytes);
}
await benchRows();
await benchLists();
// ADK's database service keeps its connection open, and has no method that closes it.
process.exit();

/** The first session of a process is slower whatever its size. */
async function warmUp(): Promise<void> {
  const events = Array.from({length: 2_000}, () => newEvent(1_000));
  for (const {fill} of await sessionContenders()) {
    await fill(events);
  }
}

async function benchSession(kilobytes: number): Promise<void> {
  const contenders = await sessionContenders();
  const bytes = kilobytes * 1_000;
  const appends: Figures[] = [];
  let count = 0;
  for (const size of SIZES) {
    const events = Array.from({length: size - count}, () => newEvent(bytes));
    for (const contender of contenders) {
      await contender.fill(events);
    }
    const figures = await benchAppends(`append ${kilobytes} KB to a session of ${size}`, contenders, bytes);
    appends.push(figures);
    count = size + APPEND_ROUNDS * APPENDS_PER_ROUND;
    atMost(`append ${kilobytes} KB at ${size}: hand-written`, ratio(figures, 'wall', OURS, HAND_WRITTEN), 1.2);
    atLeastAdk(`append ${kilobytes} KB at ${size}: ADK Database, both durable`, figures, OURS_DURABLE, 20);
  }
  const [small = Number.NaN, ...larger] = appends.map((figures) => figures.get(OURS)?.wall ?? Number.NaN);
  atMost(`append ${kilobytes} KB: the slower of 1,000 and 10,000 over 10`, Math.max(...larger) / small, 1.3);

  const full = await benchFullLoad(`${count} events of ${kilobytes} KB`, contenders, kilobytes === 1 ? LOAD_ROUNDS : 2);
  if (kilobytes === 1) {
    atLeastAdk('full load of 1 KB events: ADK Database', full, OURS, 8);
    atLeast('full load of 1 KB events: ADK InMemory', ratio(full, 'cpu', IN_MEMORY, OURS), 1.7);
  }
  const tail = {...KEY, config: {numRecentEvents: 50}};
  const able = contenders.filter(({name}) => !name.startsWith('hand'));
  const last = await measure(`getSession, last 50 of ${count}`, able, READ_ROUNDS, ({service}) =>
    Array.from({length: TAILS_PER_ROUND}, () => () => service.getSession(tail)),
  );
  if (kilobytes === 1) {
    for (const name of [OURS, OURS_DURABLE]) {
      atMost(`last 50 events of 1 KB: ${name}`, last.get(name)?.cpu, 0.5, 'ms');
    }
  }
  const sizes = fileSizes(contenders, JSON.stringify(newEvent(bytes)).length * count);
  atMost(`file per byte of JSON, ${kilobytes} KB events`, sizes.get(OURS), kilobytes === 1 ? 1.25 : 1.2);
}

/** Rows of a table are mostly the parser's work, which every service but InMemory has to do. */
async function benchRows(): Promise<void> {
  const contenders = (await sessionContenders()).filter(({name}) => !name.endsWith('power'));
  const events = Array.from({length: 10_000}, () => newEvent(1_000, 'rows'));
  for (const {fill} of contenders) {
    await fill(events);
  }
  await benchFullLoad('10000 events of 1 KB of rows', contenders, LOAD_ROUNDS);
}

function benchFullLoad(what: string, contenders: readonly SessionContender[], rounds: number): Promise<Figures> {
  return measure(`getSession, ${what}`, contenders, rounds, ({service}) =>
    Array.from({length: LOADS_PER_ROUND}, () => () => service.getSession(KEY)),
  );
}

async function benchAppends(title: string, contenders: SessionContender[], bytes: number): Promise<Figures> {
  const sessions = new Map<SessionContender, Session>();
  for (const contender of contenders) {
    sessions.set(contender, (await contender.service.getSession(KEY)) as Session);
  }
  return await measure(title, contenders, APPEND_ROUNDS, (contender) => {
    const session = sessions.get(contender) as Session;
    const events = Array.from({length: APPENDS_PER_ROUND}, () => newEvent(bytes));
    return events.map((event) => () => contender.service.appendEvent({session, event}));
  });
}

async function benchLists(): Promise<void> {
  const contenders = (await sessionContenders()).filter(({name}) => [OURS, IN_MEMORY, DATABASE].includes(name));
  for (const {service} of contenders) {
    for (let index = 0; index < 10_000; index++) {
      await service.createSession({...KEY, sessionId: `session ${index}`});
    }
  }
  const all = await measure('listSessions, 10,000', contenders, READ_ROUNDS, ({service}) => [
    () => service.listSessions(KEY),
  ]);
  atMost('list of 10,000', all.get(OURS)?.cpu, 15, 'ms');
  for (const order of [undefined, 'desc'] as const) {
    const title = `listSessions, a page of 50${order === undefined ? '' : ', latest first'}`;
    const page = await measure(title, contenders, READ_ROUNDS, ({service}) =>
      Array.from(
        {length: PAGES_PER_ROUND},
        () => () => service.listSessions({...KEY, limit: 50, page: 3, ...(order && {order})}),
      ),
    );
    if (order === undefined) {
      atMost('page of 50 of 10,000', page.get(OURS)?.cpu, 1, 'ms');
    }
  }
}

/**
 * Lets the contenders take turns, another one first in each round, each making the calls that `prepare` gives. Garbage of the
 * one before is collected first. Prints medians, the mean of the wall, checkpoints of the log included, and the slowest call.
 */
async function measure(
  title: string,
  contenders: readonly SessionContender[],
  rounds: number,
  prepare: (contender: SessionContender) => (() => Promise<unknown>)[],
): Promise<Figures> {
  const samples = new Map(contenders.map(({name}) => [name, {cpu: [] as number[], wall: [] as number[]}]));
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const calls = prepare(contender);
      const taken = samples.get(contender.name);
      collectGarbage();
      await delay(SWEEP_MILLISECONDS);
      const cpu = cpuMilliseconds();
      for (const call of calls) {
        const start = performance.now();
        await call();
        taken?.wall.push(performance.now() - start);
      }
      taken?.cpu.push((cpuMilliseconds() - cpu) / calls.length);
    }
  }
  console.log(`\n${title}; ms per call`);
  const figures = new Map<string, {cpu: number; wall: number}>();
  for (const [name, {cpu, wall}] of samples) {
    figures.set(name, {cpu: median(cpu), wall: median(wall)});
    const mean = wall.reduce((sum, one) => sum + one, 0) / wall.length;
    const columns = Object.entries({CPU: median(cpu), wall: median(wall), mean, worst: Math.max(...wall)});
    const text = columns.map(([column, figure]) => `${column} ${figure.toFixed(4).padStart(10)}`).join('   ');
    console.log(`  ${name.padEnd(24)} ${text}`);
  }
  return figures;
}

/** Bytes of each database file per byte of the events' JSON, the write-ahead log folded in. */
function fileSizes(contenders: readonly SessionContender[], jsonBytes: number): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const {name, path} of contenders) {
    if (path === undefined) {
      continue;
    }
    const client = new Database(path);
    client.pragma('wal_checkpoint(TRUNCATE)');
    client.close();
    sizes.set(name, statSync(path).size / jsonBytes);
  }
  console.log(`\nfile bytes per byte of JSON (${(jsonBytes / 1e6).toFixed(1)} MB)`);
  for (const [name, size] of sizes) {
    console.log(`  ${name.padEnd(24)} ${size.toFixed(2)}`);
  }
  return sizes;
}

function ratio(figures: Figures, by: 'cpu' | 'wall', over: string, under: string): number {
  return (figures.get(over)?.[by] ?? Number.NaN) / (figures.get(under)?.[by] ?? Number.NaN);
}

function atMost(name: string, measured: number | undefined, limit: number, unit: Limit['unit'] = 'x'): void {
  report({name, measured: measured ?? Number.NaN, limit, bound: 'at most', unit});
}

function atLeast(name: string, measured: number, limit: number): void {
  report({name, measured, limit, bound: 'at least', unit: 'x'});
}

/** By the wall, since much of it is waiting; not at all when that contender is not installed. */
function atLeastAdk(name: string, figures: Figures, ours: string, limit: number): void {
  if (figures.has(DATABASE)) {
    atLeast(name, ratio(figures, 'wall', DATABASE, ours), limit);
  }
}
