/**
 * Byte count and prediction in one walk, against each alone and against writing the JSON: `npm run bench -- bench/prediction.ts`.
 */

import {contentCost} from '../src/estimate/content-cost.ts';
import {predictText} from '../src/estimate/text-cost.ts';
import {jsonByteLength} from '../src/json/byte-length.ts';
import {interleave} from './interleave.ts';
import {report} from './limits.ts';
import {mixedContents} from './mixed-contents.ts';

const BOTH = 'contentCost: bytes and prediction';
const contents = mixedContents(1_000);
const bytes = contents.reduce((sum, content) => sum + jsonByteLength(content), 0);
const texts = contents.map((content) => JSON.stringify(content));

const timings = await interleave(
  [
    {
      name: 'JSON.stringify + byteLength',
      run: () => contents.map((content) => Buffer.byteLength(JSON.stringify(content))),
    },
    {name: 'jsonByteLength', run: () => contents.map(jsonByteLength)},
    {name: 'predictText of the JSON text', run: () => texts.map(predictText)},
    {name: BOTH, run: () => contents.map(contentCost)},
  ],
  15,
);

console.log(`${contents.length} mixed contents, ${(bytes / 1e6).toFixed(1)} MB of canonical JSON; MB/s`);
console.table(
  Object.fromEntries(
    timings.map(({name, median, worst}) => [
      name,
      {median: Math.round(bytes / 1e3 / median), worst: Math.round(bytes / 1e3 / worst)},
    ]),
  ),
);
const both = timings.find(({name}) => name === BOTH)?.median ?? Number.NaN;
report({name: 'byte count + prediction', measured: bytes / 1e3 / both, limit: 250, bound: 'at least', unit: 'MB/s'});
