/**
 * The demo: a real ADK agent works through a long tool loop in a small window, is killed twice, and goes on.
 *
 * `npm run demo` runs it against a local server with scripted models; `npm run demo -- --live` against the real API
 * with the key in `GEMINI_API_KEY`. The exit code is 1 when a check fails.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {checks} from './checks.ts';
import {Narrator} from './narrator.ts';
import {SourceTree} from './source-tree.ts';
import {agentOptions, CONTEXT_TOKENS, serve, tellStraight, tellWithKills} from './stage.ts';
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
    'Only the models are scripted. Their server on 127.0.0.1 refuses what the Gemini API refuses.',
    '',
    'estimate  predicted from the text of the request as sent',
    'expected  the estimate, corrected by what was reported before; at 85 % of the window it compacts, down to 60 %',
    'reported  what the server counted',
    '',
    'Compaction first elides old tool answers, then folds the beginning into a summary, and drops turns only when neither helps.',
  );
  narrator.columns();
  const server = await serve(story, CONTEXT_TOKENS);
  const telling = await tellWithKills(
    story,
    agentOptions(folder, 'agent'),
    narrator,
    server.url,
    server.requests,
  ).finally(() => server.close());

  const turns = telling.opening.turns + telling.resumed.turns;
  narrator.title(`The first ${turns} turns again, uninterrupted: with compaction, and without it in an endless window`);
  const [straight, bare] = await Promise.all([
    tellStraight(story, turns, agentOptions(folder, 'straight'), CONTEXT_TOKENS),
    tellStraight(story, turns, agentOptions(folder, 'bare', 0), ENDLESS),
  ]);

  narrator.title('Checks');
  for (const check of checks(telling, straight, bare)) {
    narrator.check(check.passed, check.text);
    if (!check.passed) {
      process.exitCode = 1;
    }
  }
}

async function tellLive(): Promise<void> {
  if (!process.env.GEMINI_API_KEY) {
    throw new Error('Set GEMINI_API_KEY to run the demo against the real API.');
  }
  const model = process.env.GEMINI_MODEL ?? 'gemini-2.5-flash';
  narrator.title('The same questions to the real Gemini API');
  narrator.columns();
  await tellWithKills(story, {...agentOptions(folder, 'live'), model, summarizer: model}, narrator);
}
