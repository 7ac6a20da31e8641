/**
 * The demo: a real ADK agent works through a long tool loop in a small window, is killed twice, and goes on.
 *
 * `npm run demo` runs it against a local server with a scripted model; `npm run demo -- --live` against the real API
 * with the key in `GEMINI_API_KEY`. The exit code is 1 when a check fails.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {GeminiRequest} from '../../src/testing/gemini-server.ts';
import {formatTokens, Narrator} from './narrator.ts';
import {SourceTree} from './source-tree.ts';
import {agentOptions, CONTEXT_TOKENS, type Marks, serve, tellStraight, tellWithKills} from './stage.ts';
import {writeStory} from './story.ts';

const ENDLESS = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-demo-'));
const narrator = new Narrator(CONTEXT_TOKENS);
const story = writeStory(SourceTree.copyTo(folder));

try {
  await (process.argv.includes('--live') ? tellLive() : tellLocally());
} finally {
  rmSync(folder, {recursive: true});
}

async function tellLocally(): Promise<void> {
  narrator.title(
    `An ADK agent in a window of ${CONTEXT_TOKENS.toLocaleString('en')} tokens`,
    'Runner, LlmAgent, Gemini and the @google/genai client are the real ones; three tools read this package.',
    'Only the model is scripted. Its server on 127.0.0.1 refuses what the Gemini API refuses.',
    '',
    'estimate  bytes/4 and structure, of the request as sent',
    'expected  the estimate, corrected by what was reported before; it decides',
    'reported  what the server counted',
  );
  narrator.columns();
  const server = await serve(story, CONTEXT_TOKENS);
  const countRequests = (): number => server.requests.length;
  const marks = await tellWithKills(story, agentOptions(folder, 'agent'), narrator, server.url, countRequests).finally(
    () => server.close(),
  );

  narrator.title('Four of the turns again, uninterrupted: with compaction, and without it in an endless window');
  const [straight, bare] = await Promise.all([
    tellStraight(story, agentOptions(folder, 'straight'), CONTEXT_TOKENS),
    tellStraight(story, agentOptions(folder, 'bare', 0), ENDLESS),
  ]);
  judge(server.requests, marks, straight, bare);
}

async function tellLive(): Promise<void> {
  if (!process.env.GEMINI_API_KEY) throw new Error('Set GEMINI_API_KEY to run the demo against the real API.');
  narrator.title('The same questions to the real Gemini API');
  narrator.columns();
  await tellWithKills(story, agentOptions(folder, 'live'), narrator, undefined, () => 0);
}

function judge(
  told: readonly GeminiRequest[],
  marks: Marks,
  straight: readonly GeminiRequest[],
  bare: readonly GeminiRequest[],
): void {
  const refused = [...told, ...straight].filter(({faults}) => faults.length > 0).length;
  const resumed = told.slice(marks.atKill, marks.beforeCrash);
  const repaired = told.slice(marks.atCrash).filter(({text}) => text.includes('{"error":"interrupted"}'));
  const highest = Math.max(...told.map(({promptTokens}) => promptTokens));
  const over = bare.filter(({promptTokens}) => promptTokens > CONTEXT_TOKENS).length;
  const [sent, sentBare] = [tokensSent(straight), tokensSent(bare)];
  const saved = Math.round((1 - sent / sentBare) * 100);

  narrator.title('Checks');
  check(told.length >= 60, `${told.length} model calls in six turns and three processes`);
  check(refused === 0, `requests refused: ${refused}`);
  check(highest <= CONTEXT_TOKENS, `largest request: ${formatTokens(highest)} tokens`);
  check(
    resumed.length > 0 && texts(resumed) === texts(straight.slice(marks.atKill)),
    `the ${resumed.length} requests after the first kill are byte-equal to those of the uninterrupted run`,
  );
  check(
    repaired.length > 0 && repaired.every(({faults}) => faults.length === 0),
    'after the second kill the open call is answered {error: "interrupted"}, and the request is accepted',
  );
  check(
    sent < sentBare,
    `tokens sent in ${straight.length} calls: ${formatTokens(sent)} with compaction, ${formatTokens(sentBare)} without (${saved} % saved)`,
  );
  check(over > 0, `without compaction ${over} of ${bare.length} requests are over the window and would be refused`);
}

function check(passed: boolean, text: string): void {
  narrator.check(passed, text);
  if (!passed) process.exitCode = 1;
}

function texts(requests: readonly GeminiRequest[]): string {
  return requests.map(({text}) => text).join('\n');
}

function tokensSent(requests: readonly GeminiRequest[]): number {
  return requests.reduce((sum, {promptTokens}) => sum + promptTokens, 0);
}
