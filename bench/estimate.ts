// Cold cost of estimating a whole request. Goal: estimateRequest at most 1.1 x the first line, which is what any byte count
// by way of JSON costs. Run: npm run bench -- bench/estimate.ts
import type {LlmRequest} from '@google/adk';
import {estimateRequest} from '../src/estimate/estimate-request.ts';
import {canonicalJson} from '../src/json/canonical-json.ts';
import {interleave, printTable} from './interleave.ts';
import {mixedContents} from './mixed-contents.ts';

for (const count of [10, 100, 1_000, 10_000]) {
  const request: LlmRequest = {
    model: 'gemini-2.5-flash',
    contents: mixedContents(count),
    config: {
      systemInstruction: 'You help with the files of a project.',
      tools: [{functionDeclarations: [{name: 'read_file'}]}],
    },
    toolsDict: {},
    liveConnectConfig: {},
  };
  const {model, contents, config} = request;
  const value = {model, contents, config};
  const timings = interleave(
    [
      {name: 'JSON.stringify + byteLength (limit)', run: () => Buffer.byteLength(JSON.stringify(value))},
      {name: 'estimateRequest', run: () => estimateRequest(request)},
      {name: 'canonicalJson', run: () => canonicalJson(value)},
      {name: 'recursive sort + JSON.stringify', run: () => JSON.stringify(sorted(value))},
    ],
    count >= 10_000 ? 9 : 25,
  );
  const megabytes = estimateRequest(request).canonicalBytes / 1e6;
  printTable(`${count} contents, ${megabytes.toFixed(2)} MB`, timings);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
