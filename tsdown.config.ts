import {defineConfig} from 'tsdown';

export default defineConfig({
  entry: {index: 'src/index.ts', sqlite: 'src/sqlite.ts', testing: 'src/testing.ts'},
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20',
  fixedExtension: true,
  dts: true,
  // Left to itself, rolldown puts its CommonJS helpers into an entry, and the chunk that the entries share requires that
  // entry back: a circle that fails as soon as a class extends one from the chunk.
  outputOptions: {codeSplitting: {groups: [{name: 'runtime', test: /rolldown\/runtime/}]}},
});
