// What the manager itself takes on each model call, in ADK's own runner over SQLite: session, decisions and calibration in
// one file. CPU time; the wait for the disk, which only calls that decide have, shows in the time on the wall beside it.
// Run: npm run bench -- bench/manager.ts
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {CompactionPlugin} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';
import {KEY, runAgentLoop} from './agent-loop.ts';
import {report} from './limits.ts';
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

const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));

// A process that has just started runs code that is not compiled yet.
await ownTimes('text', 300, 'warm-up');
const text = await ownTimes('text', 1_000);
printOwnTimes('text results of 8 KB, 1,000 calls, window of 200,000 tokens', text);
const steady = text.filter(({hasDecided}) => !hasDecided);
const shared = {bound: 'at most', unit: 'ms'} as const;
report({
  name: "manager's own time, text, 400 contents, store included",
  measured: around(steady, 400),
  limit: 0.3,
  ...shared,
});
report({name: "manager's own time, text, 1,600 contents", measured: around(steady, 1_600), limit: 1, ...shared});
report({
  name: 'last 10 % of 1,000 calls against the middle 10 %',
  measured: share(text, 0.9, 1) / share(text, 0.45, 0.55),
  limit: 1.5,
  bound: 'at most',
  unit: 'x',
});

printOwnTimes('JSON results of 8 KB, 220 calls', await ownTimes('json', 220));

async function ownTimes(results: 'text' | 'json', calls: number, name: string = results): Promise<OwnTime[]> {
  const store = openSqliteStore(join(folder, `${name}.db`));
  const times: OwnTime[] = [];
  const plugin = new CompactionPlugin({
    policy: {contextTokens: 200_000},
    store: store.compaction,
    onRecord: () => {
      decided = true;
    },
  });
  let decided = false;
  const {beforeModelCallback, afterModelCallback} = plugin;
  plugin.beforeModelCallback = async (call) => {
    const contents = call.llmRequest.contents.length;
    decided = false;
    const before = await spanOf(() => beforeModelCallback.call(plugin, call));
    times.push({contents, before, after: before, hasDecided: decided});
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
  await runAgentLoop({calls, results, plugins: [plugin], sessions: store.sessions});
  const {scopes} = await plugin.manager.status(KEY);
  console.log(
    `\n${name}: ${scopes[0]?.elisions} elisions in ${times.filter(({hasDecided}) => hasDecided).length} compactions`,
  );
  store.close();
  return times;
}

async function spanOf(work: () => Promise<unknown>): Promise<Span> {
  const wall = performance.now();
  const cpu = cpuMilliseconds();
  await work();
  return {cpuMs: cpuMilliseconds() - cpu, wallMs: performance.now() - wall};
}

function both({before, after}: OwnTime): number {
  return before.cpuMs + after.cpuMs;
}

/** Median of the calls with about so many contents. */
function around(times: readonly OwnTime[], contents: number): number {
  return median(times.filter((time) => Math.abs(time.contents - contents) <= 0.1 * contents).map(both));
}

function share(times: readonly OwnTime[], from: number, to: number): number {
  return median(times.slice(from * times.length, to * times.length).map(both));
}

function printOwnTimes(title: string, times: readonly OwnTime[]): void {
  console.log(`${title}; ms`);
  console.log('    contents      before       after  p99 of both   before, wall');
  const step = Math.ceil(times.length / 10);
  for (let start = 0; start < times.length; start += step) {
    const part = times.slice(start, start + step);
    const figures = [
      median(part.map(({before}) => before.cpuMs)),
      median(part.map(({after}) => after.cpuMs)),
      quantile(part.map(both), 0.99),
      median(part.map(({before}) => before.wallMs)),
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
