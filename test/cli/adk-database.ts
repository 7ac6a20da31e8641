import Database from 'better-sqlite3';
import {createEmptyAdkDatabase} from '../adk-database/dump.ts';

/** A database of ADK's `DatabaseSessionService` (schema version 1), with one session of these events. */
export function makeAdkDatabase(
  path: string,
  events: readonly {readonly id: string; readonly timestamp: number}[],
): void {
  createEmptyAdkDatabase(path);
  const database = new Database(path);
  database.exec(`
    INSERT INTO app_states VALUES ('shop', '{"season": "spring"}', 1);
    INSERT INTO user_states VALUES ('shop', 'ann', '{"size": "M"}', 1);
    INSERT INTO sessions VALUES ('s1', 'shop', 'ann', '{"cart": ["dress"]}', 1, 1743871946500);
  `);
  const insert = database.prepare("INSERT INTO events VALUES (?, 'shop', 'ann', 's1', 'i1', ?, ?)");
  for (const event of events) {
    insert.run(event.id, event.timestamp, JSON.stringify(event));
  }
  database.close();
}

/** A short tool loop in the field names of ADK's databases. */
export function adkEvents(): {id: string; timestamp: number}[] {
  const at = 1743871931700;
  const event = (id: string, author: string, content: object, more: object = {}): {id: string; timestamp: number} =>
    ({
      id,
      invocation_id: 'i1',
      author,
      timestamp: at,
      content,
      actions: {state_delta: {}},
      ...more,
    }) as {id: string; timestamp: number};
  return [
    event('e1', 'user', {role: 'user', parts: [{text: 'Find a dress.'}]}),
    event(
      'e2',
      'agent',
      {role: 'model', parts: [{function_call: {id: 'c1', name: 'find', args: {max_price: 50}}}]},
      {
        usage_metadata: {prompt_token_count: 120},
      },
    ),
    event('e3', 'agent', {
      role: 'user',
      parts: [{function_response: {id: 'c1', name: 'find', response: {item_list: ['A']}}}],
    }),
    event('e4', 'agent', {role: 'model', parts: [{text: 'Take A.'}]}, {usage_metadata: {prompt_token_count: 150}}),
  ];
}
