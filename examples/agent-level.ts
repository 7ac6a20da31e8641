/**
 * The same on one agent, by its callbacks. An agent inside an `AgentTool` needs this: its runner has no plugins, and
 * its history grows from call to call.
 */
import {AgentTool, Gemini, LlmAgent, Runner} from '@google/adk';
import {CompactionManager} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';

const store = openSqliteStore(process.env.DATABASE ?? 'agent.db');
const manager = new CompactionManager({policy: {contextTokens: 200_000}, store: store.compaction});
const compaction = {beforeModelCallback: manager.beforeModel, afterModelCallback: manager.afterModel};
const model = new Gemini({model: 'gemini-2.5-flash'});

const librarian = new LlmAgent({name: 'librarian', model, description: 'Knows the shelves.', ...compaction});
const agent = new LlmAgent({name: 'helper', model, tools: [new AgentTool({agent: librarian})], ...compaction});
const runner = new Runner({appName: 'library', agent, sessionService: store.sessions});

const session = await store.sessions.getOrCreateSession({appName: 'library', userId: 'ann', sessionId: 'one'});
const newMessage = {role: 'user', parts: [{text: process.argv[2] ?? 'Where are the atlases?'}]};
for await (const event of runner.runAsync({userId: session.userId, sessionId: session.id, newMessage})) {
  const text = event.content?.parts?.[0]?.text ?? event.errorMessage;
  if (text) {
    console.log(text);
  }
}
await manager.close();
store.close();
