// A whole agent loop in ADK's own runner, with and without compaction. CPU time, collector included; the contenders run in
// turns. Run: npm run bench -- bench/loop.ts
import {CompactionPlugin} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';
import {runAgentLoop} from './agent-loop.ts';
import {report} from './limits.ts';
import {cpuMilliseconds, median} from './stopwatch.ts';

await runAgentLoop({calls: 50, results: 'json'});
await runCompacted('text', 50);
await compare('text', 800, 1.15, 3);
await compare('json', 400, 0.95, 1);

async function compare(results: 'text' | 'json', calls: number, limit: number, rounds: number): Promise<void> {
  const plain: number[] = [];
  const compacted: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(await cpuOf(() => runAgentLoop({calls, results})));
    compacted.push(await cpuOf(() => runCompacted(results, calls)));
  }
  const title = `${calls} calls with 8 KB ${results} results`;
  const perCall = [plain, compacted].map((times) => (median(times) / calls).toFixed(3));
  console.log(`\n${title}: ${perCall[0]} ms a call without compaction, ${perCall[1]} ms with; CPU time`);
  const measured = median(compacted) / median(plain);
  report({name: `whole loop, ${title}, of ADK without compaction`, measured, limit, bound: 'at most', unit: 'x'});
}

async function runCompacted(results: 'text' | 'json', calls: number): Promise<void> {
  const store = openSqliteStore(':memory:');
  const plugin = new CompactionPlugin({policy: {contextTokens: 200_000}, store: store.compaction});
  await runAgentLoop({calls, results, plugins: [plugin]});
  store.close();
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = cpuMilliseconds();
  await work();
  return cpuMilliseconds() - start;
}
