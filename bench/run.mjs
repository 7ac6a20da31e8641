/**
 * `npm run bench` runs every benchmark of the promised limits, each in a process of its own, and ends with one table;
 * `npm run bench -- bench/<file>.ts` runs one program.
 */
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {cpus, loadavg, tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

const PROGRAMS = [
  'estimate',
  'prediction',
  'first-call',
  'steady-state',
  'manager',
  'loop',
  'prefix',
  'memory',
  'session-store',
];

const named = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
const path = join(folder, 'limits.jsonl');
writeFileSync(path, '');

const runs = named.length > 0 ? [named] : PROGRAMS.map((name) => [`bench/${name}.ts`]);
for (const arguments_ of runs) {
  console.log(`\n# ${arguments_.join(' ')}`);
  const runner = resolve(import.meta.dirname, '../scripts/run-typescript.mjs');
  const {status} = spawnSync(process.execPath, [runner, ...arguments_], {
    stdio: 'inherit',
    env: {...process.env, BENCH_LIMITS: path},
  });
  if (status !== 0) {
    process.exitCode = 1;
  }
}

const limits = readFileSync(path, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
if (limits.length > 0) {
  const [load] = loadavg();
  console.log(`\n# Limits (Node ${process.version}, ${cpus().length} cores, load ${load?.toFixed(1)})\n`);
  for (const {name, measured, limit, bound, unit} of limits) {
    const holds = bound === 'at most' ? measured <= limit : measured >= limit;
    const sign = bound === 'at most' ? '<=' : '>=';
    console.log(
      `${holds ? 'pass' : 'MISS'}  ${name.padEnd(74)} ${measured.toPrecision(3).padStart(8)} ${sign} ${limit} ${unit}`,
    );
  }
}
