/**
 * Fits the weights of `src/estimate/weights.ts` against the Gemma 3 vocabulary and prints how well they do:
 * `node scripts/run-typescript.mjs scripts/fit-token-weights.ts [--write]`. See docs/accuracy.md.
 */
import {writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {FEATURES, type FeatureName} from '../src/estimate/text-features.ts';
import {fitKinds, type MeasuredKind, measureCorpus, signedError} from './corpus/measured-corpus.ts';

const HEADER = `// Made by scripts/fit-token-weights.ts from its corpus and the Gemma 3 vocabulary. Don't edit: run it again.
import type {FeatureName} from './text-features.ts';

/** Tokens per occurrence of each feature. */
export const TOKEN_WEIGHTS: Readonly<Record<FeatureName, number>> = {
`;

const kinds = measureCorpus();
const weights = fitKinds(kinds);
printKinds(kinds, weights);
console.table(Object.fromEntries(FEATURES.map((name) => [name, {weight: weights[name]}])));
if (process.argv.includes('--write')) {
  const lines = FEATURES.map((name) => `  ${name}: ${weights[name]},\n`);
  writeFileSync(resolve('src/estimate/weights.ts'), `${HEADER}${lines.join('')}};\n`);
  console.log('Wrote src/estimate/weights.ts.');
}

function printKinds(measured: readonly MeasuredKind[], fitted: Readonly<Record<FeatureName, number>>): void {
  const rows = measured.map((kind) => ({
    kind: kind.name,
    fitted: signedError(fitted, kind.fitted),
    heldOut: signedError(fitted, kind.heldOut),
    leftOut: signedError(fitKinds(measured.filter((other) => other !== kind)), [...kind.fitted, ...kind.heldOut]),
  }));
  console.log(
    'Signed error in percent: on the half fitted on, on the other half, and with weights fitted without the kind',
  );
  console.table(
    rows.map((row) => ({
      ...row,
      fitted: row.fitted.toFixed(1),
      heldOut: row.heldOut.toFixed(1),
      leftOut: row.leftOut.toFixed(1),
    })),
  );
  for (const column of ['fitted', 'heldOut', 'leftOut'] as const) {
    const errors = rows.map((row) => Math.abs(row[column]));
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    console.log(`${column}: mean ${mean.toFixed(2)}, worst ${Math.max(...errors).toFixed(1)}`);
  }
}
