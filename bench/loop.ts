// A whole agent loop in ADK's own runner, with and without compaction, in turns: with Gemini's own client over HTTP, its
// endpoint in a process of its own; and with a model that costs nothing, which leaves nothing but ADK and compaction.
// Run: npm run bench -- bench/loop.ts
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {type BaseLlm, Gemini} from '@google/adk';
import {CompactionPlugin} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';
import {type LoopOptions, runAgentLoop} from './agent-loop.ts';
import {report} from './limits.ts';
import {collectGarbage, cpuMilliseconds, median} from './stopwatch.ts';

type Results = LoopOptions['results'];

/** Milliseconds a call. */
interface Times {
  readonly cpu: number[];
  readonly wall: number[];
}

const ROUNDS = 3;

await runAgentLoop({calls: 50, results: 'json'});
await runCompacted({calls: 50, results: 'text'});
await compareLoops('text', 800, 1.15);
await compareLoops('json', 400, 0.95);

async function compareLoops(results: Results, calls: number, limit: number): Promise<void> {
  const title = `${calls} calls with 8 KB ${results} results`;
  const measured = await compare(`${title}, Gemini's client over HTTP`, {results, calls}, true);
  report({name: `whole loop over HTTP, ${title}, of ADK alone`, measured, limit, bound: 'at most', unit: 'x'});
  await compare(`${title}, a model that costs nothing`, {results, calls}, false);
}

/** Prints both loops. Gives the CPU time of the compacted one over that of the other. */
async function compare(title: string, options: LoopOptions, overHttp: boolean): Promise<number> {
  const plain: Times = {cpu: [], wall: []};
  const compacted: Times = {cpu: [], wall: []};
  for (let round = 0; round < ROUNDS; round += 1) {
    await take(plain, options, overHttp, runAgentLoop);
    await take(compacted, options, overHttp, runCompacted);
  }
  console.log(`\n${title}; ms a call, median of ${ROUNDS}`);
  for (const by of ['cpu', 'wall'] as const) {
    const [alone, withUs] = [median(plain[by]), median(compacted[by])];
    const times = `ADK alone ${alone.toFixed(2).padStart(7)}   compacted ${withUs.toFixed(2).padStart(7)}`;
    console.log(`  ${by.padEnd(4)}   ${times}   ${(withUs / alone).toFixed(2)} x`);
  }
  return median(compacted.cpu) / median(plain.cpu);
}

async function take(
  {cpu, wall}: Times,
  options: LoopOptions,
  overHttp: boolean,
  loop: (options: LoopOptions) => Promise<void>,
): Promise<void> {
  const endpoint = overHttp ? await startEndpoint(options.calls) : undefined;
  collectGarbage();
  const [cpuStart, wallStart] = [cpuMilliseconds(), performance.now()];
  await loop({...options, ...(endpoint && {model: endpoint.model})});
  cpu.push((cpuMilliseconds() - cpuStart) / options.calls);
  wall.push((performance.now() - wallStart) / options.calls);
  endpoint?.process.kill();
}

async function runCompacted(options: LoopOptions): Promise<void> {
  const store = openSqliteStore(':memory:');
  const plugin = new CompactionPlugin({policy: {contextTokens: 200_000}, store: store.compaction});
  await runAgentLoop({...options, plugins: [plugin]});
  store.close();
}

async function startEndpoint(calls: number): Promise<{readonly model: BaseLlm; readonly process: ChildProcess}> {
  const path = resolve('bench/gemini-endpoint.mjs');
  const child = spawn(process.execPath, [path, String(calls)], {stdio: ['ignore', 'pipe', 'inherit']});
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  process.env.GOOGLE_GEMINI_BASE_URL = url;
  return {model: new Gemini({model: 'gemini-2.5-flash', apiKey: 'any'}), process: child};
}
