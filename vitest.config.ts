import {defineConfig} from 'vitest/config';
import {inlineAssets} from './scripts/inline-assets.ts';

export default defineConfig({
  plugins: [inlineAssets()],
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/seed.ts'],
    coverage: {include: ['src/**/*.ts']},
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
