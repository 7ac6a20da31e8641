import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

/** A new folder that is gone when the running test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
