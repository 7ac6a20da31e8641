import {InMemorySessionService, LlmAgent, LogLevel, Runner, setLogLevel} from '@google/adk';
import {CompactionPlugin} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {KEY} from '../../src/testing/contract-sessions.ts';
import {model, ScriptedModel} from '../../src/testing.ts';

// One call whose session is in memory, so that nothing else is written to the file; then the process ends, one way or another.
const [path = '', end] = process.argv.slice(2);
setLogLevel(LogLevel.ERROR);
const sessionService = new InMemorySessionService();
const runner = new Runner({
  appName: KEY.appName,
  agent: new LlmAgent({name: 'agent', model: new ScriptedModel([model('hello')])}),
  sessionService,
  plugins: [new CompactionPlugin({policy: {contextTokens: 20_000}, store: openSqliteStore(path).compaction})],
});
await sessionService.createSession(KEY);
for await (const event of runner.runAsync({...KEY, newMessage: {role: 'user', parts: [{text: 'hello'}]}})) {
  if (end === 'exit' && event.usageMetadata) {
    process.exit(0);
  }
  if (end === 'throw' && event.usageMetadata) {
    throw new Error('the host fails');
  }
}
