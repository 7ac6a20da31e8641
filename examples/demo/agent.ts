/** One agent process: takes turns from its parent, reports every model call, keeps everything in the SQLite file. */
import {type Event, Gemini, LlmAgent, Runner, setLogger} from '@google/adk';
import {CompactionPlugin} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import type {AgentOptions, ModelCallReport, Report, TurnOrder} from './protocol.ts';
import {SourceTree} from './source-tree.ts';
import {sourceTools} from './tools.ts';

const key = {appName: 'demo', userId: 'viewer', sessionId: 'tour'};
const options = JSON.parse(process.argv[2] ?? '{}') as AgentOptions;
let hangInTool: string | undefined;

setLogger(null);
const store = openSqliteStore(options.database);
const plugin = new CompactionPlugin({
  policy: {contextTokens: options.contextTokens},
  store: store.compaction,
  fold: {summarizer: new Gemini({model: options.summarizer})},
  onRecord: (record) => report({kind: 'compaction', record}),
  onWarning: ({code, message}) => report({kind: 'warning', code, message}),
});
const agent = new LlmAgent({
  name: 'guide',
  model: new Gemini({model: options.model}),
  instruction: 'You explain the source of the package adk-compaction. Look before you answer; be brief.',
  tools: sourceTools(new SourceTree(options.sourceRoot), async (name) => {
    if (name !== hangInTool) {
      return;
    }
    report({kind: 'inside-tool'});
    await new Promise(() => {});
  }),
});
const runner = new Runner({appName: key.appName, agent, sessionService: store.sessions, plugins: [plugin]});

process.on('message', (order: TurnOrder) => {
  takeTurn(order).then(report, (error: unknown) => report({kind: 'turn-failed', message: String(error)}));
});

async function takeTurn(order: TurnOrder): Promise<Report> {
  hangInTool = order.hangInTool;
  await store.sessions.getOrCreateSession(key);
  const newMessage = {role: 'user', parts: [{text: order.text}]};
  for await (const event of runner.runAsync({...key, newMessage})) {
    if (event.errorCode) {
      return {kind: 'turn-failed', message: `${event.errorCode}: ${event.errorMessage}`};
    }
    if (event.usageMetadata) {
      report(await describeCall(event));
    }
  }
  return {kind: 'turn-done'};
}

async function describeCall(event: Event): Promise<ModelCallReport> {
  const {scopes} = await plugin.manager.status(key);
  const {estimate, expected} = scopes[0] ?? {};
  const reported = event.usageMetadata?.promptTokenCount;
  const calls = (event.content?.parts ?? []).flatMap(({functionCall}) =>
    functionCall ? [`${functionCall.name} ${Object.values(functionCall.args ?? {}).join(' p. ')}`] : [],
  );
  return {
    kind: 'model-call',
    calls,
    ...(estimate !== undefined && {estimate}),
    ...(expected !== undefined && {expected}),
    ...(reported !== undefined && {reported}),
  };
}

function report(message: Report): void {
  process.send?.(message);
}
