import Database from 'better-sqlite3';

/** A database as ADK's `DatabaseSessionService` (schema version 1) leaves it, with one session of these events. */
export function makeAdkDatabase(
  path: string,
  events: readonly {readonly id: string; readonly timestamp: number}[],
): void {
  const database = new Database(path);
  database.exec(`
    CREATE TABLE adk_internal_metadata (key text NOT NULL, value text NOT NULL, PRIMARY KEY (key));
    CREATE TABLE app_states (app_name text NOT NULL, state json NOT NULL, update_time datetime NOT NULL, PRIMARY KEY (app_name));
    CREATE TABLE user_states (app_name text NOT NULL, user_id text NOT NULL, state json NOT NULL, update_time datetime NOT NULL, PRIMARY KEY (app_name, user_id));
    CREATE TABLE sessions (id text NOT NULL, app_name text NOT NULL, user_id text NOT NULL, state json NOT NULL, create_time datetime NOT NULL, update_time datetime NOT NULL, PRIMARY KEY (id, app_name, user_id));
    CREATE TABLE events (id text NOT NULL, app_name text NOT NULL, user_id text NOT NULL, session_id text NOT NULL, invocation_id text NOT NULL, timestamp datetime NOT NULL, event_data json NOT NULL, PRIMARY KEY (id, app_name, user_id, session_id));
    INSERT INTO adk_internal_metadata VALUES ('schema_version', '1');
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
