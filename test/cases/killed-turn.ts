import {writeSync} from 'node:fs';
import {BasePlugin, LlmAgent, type LlmRequest, Runner, setLogger} from '@google/adk';
import {CompactionPlugin, type CompactionPolicy} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {model, ScriptedModel} from '../../src/testing.ts';

// Takes one turn with a summariser that always fails, says which contents went to the model, and waits to be killed.
const [path = '', policy = '{}', question = ''] = process.argv.slice(2);
const key = {appName: 'app', userId: 'ann', sessionId: 's1'};

class Telling extends BasePlugin {
  override async beforeModelCallback({llmRequest}: {llmRequest: LlmRequest}): Promise<undefined> {
    writeSync(1, `${JSON.stringify(llmRequest.contents)}\n`);
    await new Promise(() => {});
  }
}

setLogger(null);
const store = openSqliteStore(path);
const compaction = new CompactionPlugin({
  policy: JSON.parse(policy) as CompactionPolicy,
  store: store.compaction,
  fold: {summarizer: new ScriptedModel(() => ({kind: 'error', status: 503}))},
});
const runner = new Runner({
  appName: key.appName,
  agent: new LlmAgent({name: 'agent', model: new ScriptedModel([model('never said')])}),
  sessionService: store.sessions,
  plugins: [compaction, new Telling('telling')],
});
process.on('message', () => undefined);
for await (const _ of runner.runAsync({...key, newMessage: {role: 'user', parts: [{text: question}]}})) {
}
