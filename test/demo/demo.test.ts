import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../examples/demo/run.mjs', import.meta.url));

it('tells its story, and every check of its own holds', {timeout: 120_000}, async () => {
  const {stdout} = await run(process.execPath, [script], {env: {...process.env, NO_COLOR: '1'}});

  const checks = stdout.split('\n').filter((line) => /^ {2}[✔✘]/.test(line));
  expect(checks).toHaveLength(7);
  expect(checks.filter((line) => line.includes('✘'))).toEqual([]);
  expect(stdout).toContain('requests refused: 0');
  expect(stdout.match(/✖ SIGKILL/g)).toHaveLength(2);
  expect(stdout).toMatch(/elided \d+ old tool answers?/);
  expect(stdout).toMatch(/dropped \d+ old turns?/);
});
