import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {json} from 'node:stream/consumers';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {summaryContent} from '../../src/fold/summary-content.ts';
import {call, model, user} from '../../src/testing/build-request.ts';
import {type GeminiServer, startGeminiServer} from '../../src/testing/gemini-server.ts';
import type {ScriptedReply} from '../../src/testing/script.ts';

const {argv} = process;
let folder: string;
let server: GeminiServer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adk-compaction-examples-'));
});

afterEach(async () => {
  process.argv = argv;
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.close();
  rmSync(folder, {recursive: true});
});

/** Runs an example as a process of its own would: modules fresh, its output caught. */
async function runExample(
  name: string,
  script: readonly ScriptedReply[],
  words: readonly string[] = [],
): Promise<string[]> {
  server = await startGeminiServer({script});
  vi.stubEnv('GOOGLE_GEMINI_BASE_URL', server.url);
  vi.stubEnv('GOOGLE_GENAI_API_KEY', 'local');
  vi.stubEnv('DATABASE', join(folder, 'agent.db'));
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  process.argv = [...argv.slice(0, 2), ...words];
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

describe('compactor.ts', () => {
  const chat = ['How high is it?', 'And how old?', 'Who built it?', '/compact', 'And why?'];
  const longAnswer = model('It is a long story. '.repeat(40));
  const script = [longAnswer, longAnswer, longAnswer, model('For the fair.')];

  /** A compaction endpoint that keeps what it was sent. */
  async function withEndpoint(status: number, work: (received: unknown[]) => Promise<void>): Promise<void> {
    const received: unknown[] = [];
    const endpoint = createServer(async (incoming, outgoing) => {
      received.push(await json(incoming));
      outgoing.writeHead(status).end(JSON.stringify({contents: [summaryContent('A tower was asked about.')]}));
    });
    await once(endpoint.listen(0, '127.0.0.1'), 'listening');
    vi.stubEnv('COMPACTION_URL', `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`);
    try {
      await work(received);
    } finally {
      endpoint.closeAllConnections();
      endpoint.close();
    }
  }

  it('sends the beginning of the conversation to the endpoint and goes on with what it answers', async () => {
    await withEndpoint(200, async (received) => {
      expect((await runExample('compactor', script, chat)).slice(-2)).toEqual(['fold', 'For the fair.']);
      expect(received).toEqual([{contents: server.requests[2]?.contents.slice(0, 3)}]);
      expect(server.requests[3]?.contents).toEqual([
        summaryContent('A tower was asked about.'),
        longAnswer,
        user('Who built it?'),
        longAnswer,
        user('And why?'),
      ]);
    });
  });

  it('goes on without a fold when the endpoint fails', async () => {
    await withEndpoint(503, async (received) => {
      const output = await runExample('compactor', script, chat);
      expect(output.slice(-2)).toEqual(['no fold: HTTP 503', 'For the fair.']);
      expect(received).toHaveLength(1);
      expect(server.requests[3]?.contents).toHaveLength(7);
    });
  });
});
