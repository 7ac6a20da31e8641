import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type BaseSessionService, InMemorySessionService} from '@google/adk';
import {describe, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {sessionServiceContract} from '../../src/testing/session-contract.ts';

sessionServiceContract({
  describe,
  it,
  name: "SqliteSessionService on ':memory:'",
  use: (test) => withStore(':memory:', test),
});

sessionServiceContract({
  describe,
  it,
  name: 'SqliteSessionService on a file',
  use: async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-'));
    try {
      await withStore(join(folder, 'store.db'), test);
    } finally {
      rmSync(folder, {recursive: true});
    }
  },
});

sessionServiceContract({
  describe,
  it,
  name: "ADK's InMemorySessionService",
  use: (test) => test(new InMemorySessionService()),
  differences: {
    'refuses to create a session whose id is taken, and leaves the other as it was': 'it is replaced',
    'refuses ids with half a surrogate pair': 'a Map takes any string',
    'gives the last N events, and none for 0': 'it gives all for 0',
    'refuses to append to a session it does not know, and leaves the session object alone': 'it logs a warning',
    'refuses to append through an object of a session that was deleted and created again': 'it goes by the ids alone',
    'leaves no trace of a partial event': 'app: and user: changes and the time are applied',
    'gives an event without an id one': 'events without an id replace one another',
    'gives values that are not JSON back in the normal form': 'it keeps the objects',
    'refuses an event with a cycle, naming it, before anything changed': 'it keeps the objects',
    'shares app: state with all users of the app and user: state with all sessions of the user':
      'what createSession is given stays in that session',
    'leaves app: and user: state when the session is deleted': 'what createSession is given stays in that session',
    'removes a key that is set to undefined': 'the key stays, with the value undefined',
    'changes the session object in place': 'an object that is behind is not noticed',
    'brings a session object that is behind up to date and goes on': 'an object that is behind is not noticed',
    'shows an object that is behind what was replaced and removed': 'an object that is behind is not noticed',
    'gives an object that was loaded in part only what was appended since': 'an object that is behind is not noticed',
    'brings an object that it did not make up to date': 'an object that is behind is not noticed',
    'never sets lastUpdateTime back': 'it is the time of the last event',
    'refuses a page, limit or offset that is no position': 'it slices with whatever it gets',
  },
});

async function withStore(path: string, test: (service: BaseSessionService) => Promise<void>): Promise<void> {
  const store = openSqliteStore(path);
  try {
    await test(store.sessions);
  } finally {
    store.close();
  }
}
