import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../examples/demo/run.mjs', import.meta.url));

it('tells its story, and every check of its own holds', {timeout: 120_000}, async () => {
  const {stdout, stderr} = await run(process.execPath, [script], {env: {...process.env, NO_COLOR: '1'}});

  const checks = stdout.split('\n').filter((line) => /^ {2}[✔✘]/.test(line));
  expect(checks).toHaveLength(9);
  expect(checks.filter((line) => line.includes('✘'))).toEqual([]);
  expect(stderr).toBe('');
  const [beforeKill = '', afterKill = '', afterCrash = ''] = stdout.split('✖ SIGKILL');
  expect(beforeKill).toMatch(/elided \d+ old tool answers?/);
  expect(beforeKill.match(/folded the first \d+ contents/g)?.length).toBeGreaterThan(1);
  expect(beforeKill).toContain('no summary (HTTP 503)');
  expect(afterKill.indexOf('backing off')).toBeGreaterThan(0);
  expect(afterKill.indexOf('folded the first')).toBeGreaterThan(afterKill.indexOf('backing off'));
  expect(afterCrash).toContain('answers the user');
  expect(stdout).toMatch(/dropped \d+ old turns?/);
});
