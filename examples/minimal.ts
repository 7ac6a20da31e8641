/** The least it takes: a durable session and a plugin that keeps every model call inside the window. */
import {Gemini, LlmAgent, Runner} from '@google/adk';
import {CompactionPlugin} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';

const store = openSqliteStore(process.env.DATABASE ?? 'agent.db');
const runner = new Runner({
  appName: 'helpdesk',
  agent: new LlmAgent({name: 'helper', model: new Gemini({model: 'gemini-2.5-flash'}), instruction: 'Be brief.'}),
  sessionService: store.sessions,
  plugins: [new CompactionPlugin({policy: {contextTokens: 200_000}, store: store.compaction})],
});

const session = await store.sessions.getOrCreateSession({appName: 'helpdesk', userId: 'ann', sessionId: 'one'});
const newMessage = {role: 'user', parts: [{text: process.argv[2] ?? 'Hello.'}]};
for await (const event of runner.runAsync({userId: session.userId, sessionId: session.id, newMessage})) {
  console.log(event.content?.parts?.[0]?.text ?? event.errorMessage);
}
store.close();
