/**
 * Runs a TypeScript program of this repository (a script or a benchmark) on a Node without type stripping:
 * `node scripts/run-typescript.mjs bench/accuracy.ts [arguments]`. It is bundled, so that hot code runs as it would in
 * the package; packages stay outside the bundle.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'vite';

const root = resolve(import.meta.dirname, '..');
const entry = process.argv[2];
if (entry === undefined) {
  throw new Error('Name the program to run: node scripts/run-typescript.mjs bench/accuracy.ts');
}

const outDir = mkdtempSync(join(root, 'node_modules', '.run-'));
process.on('exit', () => rmSync(outDir, {recursive: true, force: true}));
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: resolve(entry),
    outDir,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rollupOptions: {output: {entryFileNames: 'program.mjs'}},
  },
});
process.argv.splice(1, 2, resolve(entry));
await import(pathToFileURL(join(outDir, 'program.mjs')).href);
