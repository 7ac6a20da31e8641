import {writeSync} from 'node:fs';
import {FunctionTool, LlmAgent, LogLevel, Runner, setLogLevel} from '@google/adk';
import {CompactionPlugin} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {call, ScriptedModel} from '../../src/testing.ts';

// One turn without an end: each call of the model asks for a tool. Says one line for each event that the runner gives out.
const [path = ''] = process.argv.slice(2);
setLogLevel(LogLevel.ERROR);
const store = openSqliteStore(path);
const read = new FunctionTool({
  name: 'read',
  description: 'Reads on.',
  execute: () => ({output: 'what it says '.repeat(300)}),
});
const runner = new Runner({
  appName: KEY.appName,
  agent: new LlmAgent({name: 'agent', model: new ScriptedModel(() => call('read')), tools: [read]}),
  sessionService: store.sessions,
  plugins: [new CompactionPlugin({policy: {contextTokens: 20_000}, store: store.compaction})],
});
await store.sessions.getOrCreateSession(KEY);
const newMessage = {role: 'user', parts: [{text: 'Go on.'}]};
const runConfig = {maxLlmCalls: 1_000_000};
for await (const event of runner.runAsync({...KEY, newMessage, runConfig})) {
  writeSync(1, `${JSON.stringify({author: event.author})}\n`);
}
