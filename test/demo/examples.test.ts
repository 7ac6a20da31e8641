import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {call, model} from '../../src/testing/build-request.ts';
import {type GeminiServer, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';

let folder: string;
let server: GeminiServer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adk-compaction-examples-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.close();
  rmSync(folder, {recursive: true});
});

/** Runs an example as a process of its own would: modules fresh, its output caught. */
async function runExample(name: string, script: readonly ScriptedReply[]): Promise<string[]> {
  server = await startGeminiServer({script});
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  vi.stubEnv('GOOGLE_GENAI_API_KEY', 'local');
  vi.stubEnv('DATABASE', join(folder, 'agent.db'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.resetModules();
  await import(`../../examples/${name}.ts`);
  return log.mock.calls.map(([line]) => String(line));
}

it('minimal.ts answers, and goes on with the same session when it is run again', async () => {
  expect(await runExample('minimal', [model('Hello, Ann.')])).toContain('Hello, Ann.');
  await server.close();
  expect(await runExample('minimal', [model('Hello again.')])).toContain('Hello again.');
  expect(server.requests[0]?.contents.map(({parts}) => parts?.[0]?.text)).toEqual(['Hello.', 'Hello, Ann.', 'Hello.']);
});

it('agent-level.ts answers through an agent that is a tool', async () => {
  const script = [call('librarian', {request: 'atlases?'}), model('Shelf 7.'), model('They are on shelf 7.')];
  expect(await runExample('agent-level', script)).toContain('They are on shelf 7.');
  expect(server.requests.map(({faults}) => faults)).toEqual([[], [], []]);
});
