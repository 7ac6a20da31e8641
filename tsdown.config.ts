import {defineConfig} from 'tsdown';

export default defineConfig({
  entry: {index: 'src/index.ts', sqlite: 'src/sqlite.ts', testing: 'src/testing.ts'},
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20',
  fixedExtension: true,
  sourcemap: true,
  dts: true,
});
