import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineConfig} from 'vitest/config';
import {inlineAssets} from './scripts/inline-assets.ts';

/** What a test file does to the process that it runs in: mocks, spies, stubs, the clock, the logger of ADK. */
const CHANGES_PROCESS =
  /\bvi\.(mock|spyOn|stub\w+|useFakeTimers)\(|\bprocess\.((umask|chdir)\(|env\.\w+ = )|\bset(Logger|FlagsFromString)\(|\/command-rig\.ts'/u;

const tests = readdirSync(join(import.meta.dirname, 'test'), {recursive: true, encoding: 'utf8'})
  .map((name) => `test/${name}`)
  .filter((path) => path.endsWith('.test.ts'));
const isolated = tests.filter((path) => CHANGES_PROCESS.test(readFileSync(join(import.meta.dirname, path), 'utf8')));

export default defineConfig({
  plugins: [inlineAssets()],
  test: {
    setupFiles: ['test/support/seed.ts'],
    coverage: {include: ['src/**/*.ts']},
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Loading ADK takes longer than most test files: they share a process, those excepted that change it.
    projects: [
      {extends: true, test: {name: 'shared', include: ['test/**/*.test.ts'], exclude: isolated, isolate: false}},
      {extends: true, test: {name: 'isolated', include: isolated}},
    ],
  },
});
