/**
 * The manager's own time on the first call of a process with a long history, and on the call after it: everything it does
 * before the model is called. The limit is `JSON.stringify` and a byte length of the same request.
 */
import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {CompactionManager} from '../src/index.ts';
import {contextFor} from '../test/support/manager-harness.ts';
import {report} from './limits.ts';
import {mixedContents} from './mixed-contents.ts';

const WARM_UP_ROUNDS = 6;
const ROUNDS = 14;
const contents = mixedContents(1_000);

for (const estimator of ['features', 'bytes'] as const) {
  const limit: number[] = [];
  const first: number[] = [];
  const next: number[] = [];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const request = freshRequest();
    const limitMs = await cpuMs(() => Buffer.byteLength(JSON.stringify(request)));
    const manager = new CompactionManager({policy: {contextTokens: 100_000_000, estimator}});
    const firstCall = {context: contextFor(), request: freshRequest()};
    const firstMs = await cpuMs(() => manager.beforeModel(firstCall));
    const nextCall = {context: contextFor(), request: freshRequest()};
    const nextMs = await cpuMs(() => manager.beforeModel(nextCall));
    if (round >= 0) {
      limit.push(limitMs);
      first.push(firstMs);
      next.push(nextMs);
    }
  }
  const unit = median(limit);
  console.log(`${estimator}: stringify and byte length ${unit.toFixed(1)} ms`);
  report({
    name: `first call with 1,000 mixed contents, ${estimator}`,
    measured: median(first) / unit,
    limit: 2,
    bound: 'at most',
    unit: 'x',
  });
  console.log(`  the call after it: ${(median(next) / unit).toFixed(2)} x`);
}

/** As ADK hands contents over: all objects new. */
function freshRequest(): LlmRequest {
  const copy: Content[] = structuredClone(contents);
  return {model: 'gemini-2.5-flash', contents: copy, toolsDict: {}, liveConnectConfig: {}};
}

async function cpuMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const {user, system} = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
