import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {SqliteSessionService} from '../../src/adk/sqlite-session-service.ts';
import {importSessions} from '../../src/cli/import.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {SqliteStoreError} from '../../src/store/sqlite/sqlite-errors.ts';
import {storeEvents} from '../support/agent-store.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

const KEY = {appName: 'helpdesk', userId: 'ann', sessionId: 's1'};
const CONTENTS = ['one', 'two'].map((text) => ({role: 'user', parts: [{text}]}));

/** A store with the session, and another that holds it too. */
async function makeStores(): Promise<{path: string; source: string}> {
  const folder = temporaryFolder();
  const [path, source] = [join(folder, 'agent.db'), join(folder, 'source.db')];
  await storeEvents(path, KEY, CONTENTS);
  await storeEvents(source, KEY, CONTENTS);
  return {path, source};
}

async function eventsOf(path: string): Promise<number | undefined> {
  const store = openSqliteStore({path});
  const session = await store.sessions.getSession(KEY);
  store.close();
  return session?.events.length;
}

it('an import that finds the store locked deletes no session that was there before', async () => {
  const {path, source} = await makeStores();
  const busy = new SqliteStoreError('sqlite.busy', path, 'The database is locked.');
  using _ = vi.spyOn(SqliteSessionService.prototype, 'createSession').mockRejectedValueOnce(busy);
  await expect(importSessions(path, source, {})).rejects.toBe(busy);
  expect(await eventsOf(path)).toBe(CONTENTS.length);
});

it('an import that fails half-way leaves no half session behind', async () => {
  const {source} = await makeStores();
  const path = join(temporaryFolder(), 'copy.db');
  const append = SqliteSessionService.prototype.appendEvent;
  const full = new SqliteStoreError('sqlite.failed', path, 'The disk is full.');
  using spy = vi.spyOn(SqliteSessionService.prototype, 'appendEvent');
  spy.mockImplementationOnce(append).mockRejectedValueOnce(full);
  await expect(importSessions(path, source, {})).rejects.toBe(full);
  expect(await eventsOf(path)).toBeUndefined();
});
