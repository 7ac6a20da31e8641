// Cold cost of estimating and predicting a whole request, against the least that any byte count by way of JSON costs.
// Run: npm run bench -- bench/estimate.ts
import type {LlmRequest} from '@google/adk';
import {estimateRequest} from '../src/estimate/estimate-request.ts';
import {contentSize} from '../src/estimate/measure.ts';
import {predictEnvelope} from '../src/estimate/predict-envelope.ts';
import {predictTokens} from '../src/estimate/predict-tokens.ts';
import {type Size, sumSizes} from '../src/estimate/size.ts';
import {weighEnvelope} from '../src/estimate/weight.ts';
import {canonicalJson} from '../src/json/canonical-json.ts';
import {type Contender, interleave, printTable, ratio} from './interleave.ts';
import {report} from './limits.ts';
import {mixedContents} from './mixed-contents.ts';

const LIMIT = 'JSON.stringify + byteLength (limit)';
const BOTH = 'both in one walk, as the manager counts';
const BOTH_ALONE = 'estimateRequest, then predictTokens';

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
  const isHuge = count >= 10_000;
  const peers: Contender[] = [
    {name: 'canonicalJson', run: () => canonicalJson(value)},
    {name: 'recursive sort + JSON.stringify', run: () => JSON.stringify(sorted(value))},
  ];
  const timings = await interleave(
    [
      {name: LIMIT, run: () => Buffer.byteLength(JSON.stringify(value))},
      {name: 'estimateRequest', run: () => estimateRequest(request)},
      {name: BOTH, run: () => requestSize(request)},
      {name: BOTH_ALONE, run: () => [estimateRequest(request), predictTokens(request)]},
      ...(isHuge ? [] : peers),
    ],
    isHuge ? 5 : 25,
  );
  const megabytes = estimateRequest(request).canonicalBytes / 1e6;
  printTable(`${count} contents, ${megabytes.toFixed(2)} MB`, timings);
  const size = `${count.toLocaleString('en')} contents`;
  const shared = {bound: 'at most', unit: 'x'} as const;
  report({name: `cold estimate, ${size}`, measured: ratio(timings, 'estimateRequest', LIMIT), limit: 1.1, ...shared});
  report({name: `cold estimate + prediction, ${size}`, measured: ratio(timings, BOTH, LIMIT), limit: 1.5, ...shared});
}

function requestSize(request: LlmRequest): Size {
  const envelope = {weight: weighEnvelope(request), prediction: predictEnvelope(request)};
  return sumSizes([envelope, ...request.contents.map(contentSize)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
