// How much of each request equals the one before it, from the first byte on: what a provider's prompt cache can give for
// less. 300 calls with 8 KB results and a window of 200,000 tokens. Run: npm run bench -- bench/prefix.ts
import {BasePlugin, type LlmRequest, TruncatingContextCompactor} from '@google/adk';
import type {Content} from '@google/genai';
import {CompactionPlugin, type CompactionPolicy, ELISION_MARKER} from '../src/index.ts';
import {type LoopOptions, runAgentLoop} from './agent-loop.ts';
import {report} from './limits.ts';

const CALLS = 300;
const CONTEXT_TOKENS = 200_000;
const BYTES_PER_TOKEN = 4;
const CACHED_PRICE = 0.1;

interface Traffic {
  readonly name: string;
  readonly sentTokens: number;
  readonly samePrefix: number;
  /** Tokens, those of the equal prefix counted at the cached price. */
  readonly cost: number;
  readonly breaks: number;
  readonly overWindow: number;
}

/** Elides the oldest results on every call until the request fits: what most home-made compaction does. */
class SlidingElision extends BasePlugin {
  override async beforeModelCallback({llmRequest}: {llmRequest: LlmRequest}): Promise<undefined> {
    const target = 0.85 * CONTEXT_TOKENS * BYTES_PER_TOKEN;
    let bytes = llmRequest.contents.reduce((sum, content) => sum + JSON.stringify(content).length, 0);
    for (const content of llmRequest.contents.slice(0, -1)) {
      if (bytes <= target) {
        return;
      }
      const response = content.parts?.[0]?.functionResponse;
      if (!response) {
        continue;
      }
      bytes -= JSON.stringify(content).length;
      response.response = {output: ELISION_MARKER};
      bytes += JSON.stringify(content).length;
    }
  }
}

const compaction = (policy: Partial<CompactionPolicy>): Partial<LoopOptions> => ({
  plugins: [new CompactionPlugin({policy: {contextTokens: CONTEXT_TOKENS, ...policy}})],
});
const sliding = await traffic('sliding elision to .85', {plugins: [new SlidingElision('sliding')]});
const truncating = await traffic('ADK TruncatingContextCompactor, 140 events', {
  contextCompactors: [new TruncatingContextCompactor({threshold: 140})],
});
const shallow = await traffic('.85 -> .60', compaction({}));
const deep = await traffic('.85 -> .30', compaction({targetFraction: 0.3}));

console.log(`\n${CALLS} calls, 8 KB results, ${CONTEXT_TOKENS} tokens of context`);
console.log(`  ${''.padEnd(44)} sent M   prefix %   cost M   breaks   over window`);
for (const {name, sentTokens, samePrefix, cost, breaks, overWindow} of [sliding, truncating, shallow, deep]) {
  const figures = [sentTokens / 1e6, samePrefix, cost / 1e6].map((value) => value.toFixed(2).padStart(8)).join('  ');
  console.log(`  ${name.padEnd(42)} ${figures} ${String(breaks).padStart(8)} ${String(overWindow).padStart(8)}`);
}
const percent = {bound: 'at least', unit: '%'} as const;
const times = {bound: 'at least', unit: 'x'} as const;
report({name: 'bytes equal to the previous request, .85 -> .60', measured: shallow.samePrefix, limit: 95, ...percent});
report({name: 'bytes equal to the previous request, .85 -> .30', measured: deep.samePrefix, limit: 97, ...percent});
report({
  name: 'cost of sliding elision over ours, .85 -> .60',
  measured: sliding.cost / shallow.cost,
  limit: 6,
  ...times,
});
report({name: "cost of ADK's Truncating over ours", measured: truncating.cost / shallow.cost, limit: 6, ...times});
report({
  name: 'requests over the window',
  measured: shallow.overWindow + deep.overWindow,
  limit: 0,
  bound: 'at most',
  unit: '',
});

async function traffic(name: string, options: Partial<LoopOptions>): Promise<Traffic> {
  let previous: readonly string[] = [];
  let [sent, same, breaks, overWindow] = [0, 0, 0, 0];
  await runAgentLoop({
    ...options,
    calls: CALLS,
    results: 'text',
    onRequest: ({contents}) => {
      const texts = contents.map((content: Content) => JSON.stringify(content));
      const bytes = texts.reduce((sum, text) => sum + text.length, 0);
      const equal = equalLength(previous, texts);
      sent += bytes;
      same += equal;
      if (equal < previous.reduce((sum, text) => sum + text.length, 0)) {
        breaks += 1;
      }
      if (bytes > CONTEXT_TOKENS * BYTES_PER_TOKEN) {
        overWindow += 1;
      }
      previous = texts;
    },
  });
  const cost = (sent - same + CACHED_PRICE * same) / BYTES_PER_TOKEN;
  return {name, sentTokens: sent / BYTES_PER_TOKEN, samePrefix: (100 * same) / sent, cost, breaks, overWindow};
}

/** Characters, all of them ASCII here, that both lists begin with. */
function equalLength(before: readonly string[], after: readonly string[]): number {
  let equal = 0;
  for (const [index, text] of after.entries()) {
    const other = before[index];
    if (other !== text) {
      let at = 0;
      while (other !== undefined && at < other.length && other[at] === text[at]) {
        at++;
      }
      return equal + at;
    }
    equal += text.length;
  }
  return equal;
}
