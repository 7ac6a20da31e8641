// What the manager keeps: of live sessions, a content, and of finished ones, nothing. Run: npm run bench -- bench/memory.ts
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  type Context,
  createEventActions,
  createSession,
  InvocationContext,
  LlmAgent,
  type LlmRequest,
  Context as ModelContext,
  PluginManager,
  type Session,
} from '@google/adk';
import type {Content} from '@google/genai';
import {CompactionManager} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';
import {report} from './limits.ts';
import {mixedText, tableRows} from './mixed-contents.ts';
import {collectGarbage} from './stopwatch.ts';

const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
const agent = new LlmAgent({name: 'agent', model: 'fake'});

const textBytes = await bytesPerContent('text', 100, 1_000);
const jsonBytes = await bytesPerContent('json', 10, 1_000);
console.log(
  `\nkept a content of live sessions: ${textBytes.toFixed(0)} bytes with text, ${jsonBytes.toFixed(0)} with 8 KB of JSON`,
);
report({
  name: 'memory a content, 100 live sessions of 1,000 contents, text results',
  measured: textBytes,
  limit: 300,
  bound: 'at most',
  unit: 'bytes',
});
await soak(10_000);

/** Heap that is there because the manager has seen the sessions, the sessions and their texts not counted. */
async function bytesPerContent(results: 'text' | 'json', sessions: number, contents: number): Promise<number> {
  const manager = new CompactionManager({policy: {contextTokens: 100_000_000}});
  const live: {session: Session; contents: Content[]}[] = [];
  for (let index = 0; index < sessions; index++) {
    const session = createSession({id: `${results} ${index}`, appName: 'app', userId: 'user'});
    live.push({session, contents: toolHistory(contents, results, index)});
  }
  await call(manager, createSession({id: 'warm', appName: 'app', userId: 'user'}), toolHistory(contents, results, 0));
  const before = heapBytes();
  for (const {session, contents: history} of live) {
    await call(manager, session, history);
  }
  const kept = heapBytes() - before;
  // They must still be there when the heap is read.
  if (live.some(({session}) => session.id === '')) {
    throw new Error('A session has no id.');
  }
  return kept / (sessions * contents);
}

/** Sessions that come and go in one process, each over the same SQLite file. */
async function soak(sessions: number): Promise<void> {
  const store = openSqliteStore({path: join(folder, 'soak.db'), durability: 'process'});
  const manager = new CompactionManager({policy: {contextTokens: 8_000}, store: store.compaction});
  const heaps: number[] = [];
  const step = sessions / 10;
  for (let index = 0; index < sessions; index++) {
    const key = {appName: 'app', userId: 'user', sessionId: `soak ${index}`};
    const session = await store.sessions.createSession(key);
    const history = toolHistory(40, 'text', index);
    for (const length of [20, 30, 40]) {
      await call(manager, session, history.slice(0, length));
    }
    if ((index + 1) % step === 0) {
      heaps.push(heapBytes() / 1e6);
    }
  }
  store.close();
  console.log(
    `\nheap after each ${step} of ${sessions} sessions, MB: ${heaps.map((heap) => heap.toFixed(1)).join('  ')}`,
  );
  const [, , start = Number.NaN] = heaps;
  report({
    name: 'heap after 10,000 sessions against 3,000 sessions',
    measured: (heaps.at(-1) ?? Number.NaN) / start,
    limit: 1.05,
    bound: 'at most',
    unit: 'x',
  });
}

/** One model call, its contents cloned as ADK does, its count reported. */
async function call(manager: CompactionManager, session: Session, contents: readonly Content[]): Promise<void> {
  const request: LlmRequest = {
    model: 'fake',
    contents: contents.map(structuredShare),
    toolsDict: {},
    liveConnectConfig: {},
  };
  const context = contextOf(session);
  await manager.beforeModel({context, request});
  const promptTokenCount = Math.ceil(JSON.stringify(request.contents).length / 4);
  await manager.afterModel({context, response: {usageMetadata: {promptTokenCount}}});
}

function contextOf(session: Session): Context {
  return new ModelContext({
    invocationContext: new InvocationContext({invocationId: 'i', agent, session, pluginManager: new PluginManager([])}),
    eventActions: createEventActions(),
  });
}

/** A deep copy that shares its strings, as lodash makes it. */
function structuredShare<Value>(value: Value): Value {
  if (Array.isArray(value)) {
    return value.map(structuredShare) as Value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, structuredShare(member)])) as Value;
}

function toolHistory(count: number, results: 'text' | 'json', seed: number): Content[] {
  return Array.from({length: count}, (_, index) => {
    if (index === 0) {
      return {role: 'user', parts: [{text: 'Read everything.'}]};
    }
    if (index % 2 === 1) {
      return {role: 'model', parts: [{functionCall: {name: 'read', args: {path: `src/file-${seed}-${index}.ts`}}}]};
    }
    const response =
      results === 'text' ? {output: mixedText(2_000, seed * count + index)} : {rows: tableRows(8_000, index)};
    return {role: 'user', parts: [{functionResponse: {name: 'read', response}}]};
  });
}

function heapBytes(): number {
  for (let round = 0; round < 4; round++) {
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}
