// What the manager itself takes on each model call, in ADK's own runner over SQLite: session, decisions and calibration in
// one file. Time on the wall, the wait for the disk included, which only calls that decide have; CPU time stands beside it. What
// was learnt is stored in the transaction of the session's next event: the appends are timed too.
// Run: npm run bench -- bench/manager.ts
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {BaseSessionService} from '@google/adk';
import {type CompactionOptions, CompactionPlugin, type CompactionPolicy} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';
import {KEY, type LoopOptions, runAgentLoop} from './agent-loop.ts';
import {BareManager} from './bare-manager.ts';
import {report} from './limits.ts';
import {ShortSummaries} from './short-summaries.ts';
import {cpuMilliseconds, median, quantile} from './stopwatch.ts';

/** One model call. */
interface OwnTime {
  readonly contents: number;
  readonly hasDecided: boolean;
  readonly before: Span;
  after: Span;
}

interface Span {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** A whole loop. */
interface Measured {
  readonly times: OwnTime[];
  /** Milliseconds of each append of an event. */
  readonly appends: number[];
}

const WARM_UPS = 5;
const ROUNDS = 3;

const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

// An agent's process runs for hours; one that has just started runs code that is not compiled yet.
for (let round = 0; round < WARM_UPS; round += 1) {
  await ownTimes(`warm-up ${round}`, {results: 'text', calls: 300});
  await bareTimes(300, `bare-warm-up-${round}`);
}

// What else the machine does can only add to a time: the least of several rounds is nearest to the truth.
const rounds: {readonly text: Measured; readonly bare: Measured}[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const text = await ownTimes(`elisions ${round}`, {results: 'text', calls: 1_000});
  const bare = await bareTimes(1_000, `bare-${round}`);
  rounds.push({text, bare});
  printOwnTimes('text results of 8 KB, 1,000 calls, window of 200,000 tokens', text.times);
}
const more = least(({text, bare}) => median(text.appends) - median(bare.appends));
console.log(`\nan append takes ${more.toFixed(3)} ms more with the sample in its transaction`);
for (const [contents, limit] of [
  [400, 0.3],
  [1_600, 1],
] as const) {
  const measured = least(({text}) => around(withoutDecisions(text.times), contents));
  const bareMs = least(({bare}) => around(bare.times, contents));
  const against = `the bare minimum ${bareMs.toFixed(2)} ms, ${(measured / bareMs).toFixed(2)} x`;
  report({
    name: `manager's own time, text, ${contents.toLocaleString('en')} contents, store included (${against})`,
    measured,
    limit,
    bound: 'at most',
    unit: 'ms',
  });
}
report({
  name: 'time of the last 100 of 1,000 calls against that of the 100 in the middle, decisions included',
  measured: median(rounds.map(({text}) => total(text.times, 0.9, 1) / total(text.times, 0.45, 0.55))),
  limit: 1.5,
  bound: 'at most',
  unit: 'x',
});
const [ours, bares] = [rounds.map(({text}) => withoutDecisions(text.times)), rounds.map(({bare}) => bare.times)].map(
  (loops) => median(loops.map((times) => medianOfShare(times, 0.9, 1) / medianOfShare(times, 0.45, 0.55))),
);
console.log(
  `  the median call that decides nothing: ${ours?.toFixed(2)} x; of the bare minimum: ${bares?.toFixed(2)} x`,
);

const json = await ownTimes('json', {results: 'json', calls: 220});
printOwnTimes('JSON results of 8 KB, 220 calls', json.times);

const noElisions = {minimumElisionTokens: 1_000_000};
for (const [name, fold] of [
  ['folds', {summarizer: new ShortSummaries()}],
  ['drops', undefined],
] as const) {
  const turns = {results: 'text', calls: 800, turns: 100} as const;
  const {times} = await ownTimes(name, turns, {policy: noElisions, ...(fold && {fold})});
  printOwnTimes(`${name} in place of elisions, 800 calls in 100 turns`, times);
}

async function ownTimes(
  name: string,
  loop: Pick<LoopOptions, 'results' | 'calls' | 'turns'>,
  options: Omit<CompactionOptions, 'policy' | 'store' | 'onRecord'> & {
    readonly policy?: Partial<CompactionPolicy>;
  } = {},
): Promise<Measured> {
  const store = openSqliteStore(join(folder, `${name}.db`));
  let decisions = 0;
  const plugin = new CompactionPlugin({
    ...options,
    policy: {contextTokens: 200_000, ...options.policy},
    store: store.compaction,
    onRecord: () => {
      decisions += 1;
    },
  });
  const times = time(plugin, () => decisions);
  const appends = timeAppends(store.sessions);
  await runAgentLoop({...loop, plugins: [plugin], sessions: store.sessions});
  const [scope] = (await plugin.manager.status(KEY)).scopes;
  const compactions = times.filter(({hasDecided}) => hasDecided).length;
  console.log(
    `\n${name}: ${scope?.elisions} elisions, ${scope?.folds} folds, ${scope?.drops} drops in ${compactions} compactions`,
  );
  store.close();
  return {times, appends};
}

async function bareTimes(calls: number, name: string): Promise<Measured> {
  const store = openSqliteStore(join(folder, `${name}-sessions.db`));
  const plugin = new BareManager(join(folder, `${name}.db`));
  const times = time(plugin, () => 0);
  const appends = timeAppends(store.sessions);
  await runAgentLoop({calls, results: 'text', plugins: [plugin], sessions: store.sessions});
  store.close();
  return {times, appends};
}

/** Times what a plugin does on each model call from now on. */
function time(plugin: CompactionPlugin | BareManager, decisions: () => number): OwnTime[] {
  const times: OwnTime[] = [];
  const {beforeModelCallback, afterModelCallback} = plugin;
  plugin.beforeModelCallback = async (call) => {
    const contents = call.llmRequest.contents.length;
    const earlier = decisions();
    const before = await spanOf(() => beforeModelCallback.call(plugin, call));
    times.push({contents, before, after: before, hasDecided: decisions() > earlier});
    return undefined;
  };
  plugin.afterModelCallback = async (call) => {
    const last = times.at(-1);
    const after = await spanOf(() => afterModelCallback.call(plugin, call));
    if (last) {
      last.after = after;
    }
    return undefined;
  };
  return times;
}

/** Milliseconds that each append takes from now on. */
function timeAppends(sessions: BaseSessionService): number[] {
  const times: number[] = [];
  const {appendEvent} = sessions;
  sessions.appendEvent = async (request) => {
    const start = performance.now();
    const event = await appendEvent.call(sessions, request);
    times.push(performance.now() - start);
    return event;
  };
  return times;
}

/** Asking for the CPU time takes microseconds itself, so the time on the wall is taken inside it. */
async function spanOf(work: () => Promise<unknown>): Promise<Span> {
  const cpu = cpuMilliseconds();
  const wall = performance.now();
  await work();
  const wallMs = performance.now() - wall;
  return {cpuMs: cpuMilliseconds() - cpu, wallMs};
}

function both({before, after}: OwnTime): number {
  return before.wallMs + after.wallMs;
}

function least(time: (round: (typeof rounds)[number]) => number): number {
  return Math.min(...rounds.map(time));
}

function withoutDecisions(times: readonly OwnTime[]): OwnTime[] {
  return times.filter(({hasDecided}) => !hasDecided);
}

/** Median of the calls with about so many contents. */
function around(times: readonly OwnTime[], contents: number): number {
  return median(times.filter((time) => Math.abs(time.contents - contents) <= 0.1 * contents).map(both));
}

/** Median of the calls from one share of them to another. */
function medianOfShare(times: readonly OwnTime[], from: number, to: number): number {
  return median(times.slice(from * times.length, to * times.length).map(both));
}

/** Time of all calls from one share of them to another. */
function total(times: readonly OwnTime[], from: number, to: number): number {
  return times.slice(from * times.length, to * times.length).reduce((sum, time) => sum + both(time), 0);
}

function printOwnTimes(title: string, times: readonly OwnTime[]): void {
  console.log(`${title}; ms`);
  console.log('    contents      before       after  p99 of both    before, CPU');
  const step = Math.ceil(times.length / 10);
  for (let start = 0; start < times.length; start += step) {
    const part = times.slice(start, start + step);
    const figures = [
      median(part.map(({before}) => before.wallMs)),
      median(part.map(({after}) => after.wallMs)),
      quantile(part.map(both), 0.99),
      median(part.map(({before}) => before.cpuMs)),
    ];
    console.log(
      [part.at(-1)?.contents, ...figures.map((value) => value.toFixed(3))]
        .map((text) => String(text).padStart(12))
        .join(''),
    );
  }
  const decided = times.filter(({hasDecided}) => hasDecided).map(both);
  console.log(`  calls that decided: median ${median(decided).toFixed(2)}, worst ${Math.max(...decided).toFixed(2)}`);
}
