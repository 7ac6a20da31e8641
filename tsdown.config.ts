import {defineConfig} from 'tsdown';
import {inlineAssets} from './scripts/inline-assets.ts';

const entry = {index: 'src/index.ts', sqlite: 'src/sqlite.ts', testing: 'src/testing.ts'};

export default defineConfig({
  format: {
    esm: {entry: {...entry, cli: 'src/cli.ts'}},
    cjs: {entry},
  },
  plugins: [inlineAssets()],
  platform: 'node',
  target: 'node20',
  fixedExtension: true,
  dts: true,
  // Left to itself, rolldown puts its CommonJS helpers into an entry, and the chunk that the entries share requires that
  // entry back: a circle that fails as soon as a class extends one from the chunk.
  outputOptions: {codeSplitting: {groups: [{name: 'runtime', test: /rolldown\/runtime/}]}},
});
