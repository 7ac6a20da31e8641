// Node 20 runs no TypeScript, so the demo is built first: into `.demo/`, one level below the package root as `src/` is.
import {fileURLToPath} from 'node:url';
import {build} from 'tsdown';

await build({
  config: false,
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  entry: {main: 'examples/demo/main.ts', agent: 'examples/demo/agent.ts'},
  outDir: '.demo',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  report: false,
  logLevel: 'error',
});
await import(new URL('../../.demo/main.mjs', import.meta.url).href);
