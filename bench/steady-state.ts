// A call of a long conversation: two new contents, everything else seen before, all of it cloned afresh by ADK. Measured
// against ADK's own assembly of the contents, which runs before every call. Run: npm run bench -- bench/steady-state.ts
import {
  CONTENT_REQUEST_PROCESSOR,
  createEvent,
  createSession,
  type InvocationContext,
  LlmAgent,
  type LlmRequest,
} from '@google/adk';
import type {Content} from '@google/genai';
import {type MeasureMemo, measureRequest} from '../src/estimate/measure.ts';
import {interleave, printTable, ratio} from './interleave.ts';
import {report} from './limits.ts';
import {mixedContents} from './mixed-contents.ts';

const agent = new LlmAgent({name: 'agent', model: 'fake'});
const ASSEMBLY = "ADK's assembly of contents";
const OURS = 'measured again, every content compared whole';

for (const count of [1_000, 10_000]) {
  for (const kind of ['mixed', 'text'] as const) {
    const contents = kind === 'mixed' ? mixedContents(count) : mixedContents(count).map(withoutRows);
    const earlier = memoOf(await assembled(contents.slice(0, -2)));
    const next = requestOf(await assembled(contents));
    const timings = await interleave(
      [
        {name: ASSEMBLY, run: () => assembled(contents)},
        {name: OURS, run: () => measureAgain(next, earlier)},
        {name: 'full count', run: () => measureRequest(next, next.contents)},
      ],
      count >= 10_000 ? 7 : 15,
    );
    printTable(`${count} contents, ${kind}, 2 of them new`, timings);
    report({
      name: `steady state, ${count.toLocaleString('en')} contents, ${kind}, of ADK's assembly (aim 2 %)`,
      measured: 100 * ratio(timings, OURS, ASSEMBLY),
      limit: 6,
      bound: 'at most',
      unit: '%',
    });
  }
}

/** The request that goes on from the same one each time: what a call appends to the snapshots is taken off again. */
function measureAgain(next: LlmRequest, earlier: MeasureMemo): void {
  measureRequest(next, next.contents, earlier);
  earlier.snapshots.length = earlier.snapshotsEnd;
}

/** As ADK's content processor hands them over: every content a new deep copy. */
async function assembled(contents: readonly Content[]): Promise<Content[]> {
  const request = requestOf([]);
  for await (const _event of CONTENT_REQUEST_PROCESSOR.runAsync(invocationOf(contents), request)) {
    // It yields no events.
  }
  return request.contents;
}

function invocationOf(contents: readonly Content[]): InvocationContext {
  const session = createSession({id: 's', appName: 'app', userId: 'user'});
  session.events = contents.map((content) =>
    createEvent({author: content.role === 'user' ? 'user' : 'agent', invocationId: 'i', content}),
  );
  return {agent, session} as unknown as InvocationContext;
}

function memoOf(contents: Content[]): MeasureMemo {
  return measureRequest(requestOf(contents), contents).memo;
}

function requestOf(contents: Content[]): LlmRequest {
  return {model: 'gemini-2.5-flash', contents, toolsDict: {}, liveConnectConfig: {}};
}

function withoutRows(content: Content): Content {
  const parts = content.parts?.map((part) =>
    part.functionResponse
      ? {functionResponse: {...part.functionResponse, response: {output: JSON.stringify(part)}}}
      : part,
  );
  return {...content, ...(parts && {parts})};
}
