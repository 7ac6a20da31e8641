import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createEvent} from '@google/adk';
import {describe, expect, it} from 'vitest';
import {eventFromJson} from '../../src/replay/event-json.ts';
import {type AdkDatabase, databaseKind, openAdkDatabase} from '../../src/store/sqlite/adk-database.ts';
import {CommandRig} from '../cli/command-rig.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {createAdkDatabase, createEmptyAdkDatabase} from './dump.ts';
import {APP, WRITTEN, type WrittenSession} from './sessions.ts';

const [DRESS, EMPTY, BOB] = WRITTEN as [WrittenSession, WrittenSession, WrittenSession];
const keyOf = ({userId, sessionId}: WrittenSession): {appName: string; userId: string; sessionId: string} => ({
  appName: APP,
  userId,
  sessionId,
});

function open(): AdkDatabase {
  const path = join(temporaryFolder(), 'adk.db');
  createAdkDatabase(path);
  return openAdkDatabase(path, 1000);
}

/** As ADK stores it: partial events are not stored, temporary state neither. */
function stored({events}: WrittenSession): unknown[] {
  return events
    .filter(({partial}) => !partial)
    .map((event) => {
      const {'temp:note': _, ...stateDelta} = event.actions?.stateDelta ?? {};
      return JSON.parse(JSON.stringify({...createEvent(event), actions: {...createEvent({}).actions, stateDelta}}));
    });
}

describe("a file that ADK's DatabaseSessionService wrote", () => {
  it('is known for what it is', () => {
    const path = join(temporaryFolder(), 'adk.db');
    createAdkDatabase(path);
    expect(databaseKind(path, 1000)).toBe('adk');
  });

  it('has its sessions listed, the one updated last first', () => {
    const database = open();
    // An event sets the time of its session to its own; the session without events has the time of its making.
    expect(database.keys()).toEqual([EMPTY, DRESS, BOB].map(keyOf));
    database.close();
  });

  it.each(WRITTEN.map((session) => [session.userId, session.sessionId, session] as const))(
    'gives the events of %s/%s as they were handed to ADK, names, order and times',
    (_, __, session) => {
      const database = open();
      const {events, updateTime} = database.read(keyOf(session));
      database.close();
      expect(events.map((event) => eventFromJson(event))).toEqual(stored(session));
      if (session.events.length > 0) {
        expect(updateTime).toBe(session.events.at(-1)?.timestamp);
      }
    },
  );

  it('gives the state with its prefixes, as the events left it', () => {
    const database = open();
    expect(database.read(keyOf(DRESS)).state).toEqual({
      'app:season': 'summer',
      'user:shoeSize': 39,
      'user:lastSeen': 'item_1',
      cart: ['dress'],
      cart_total: {maxPrice: 50, min_price: 1},
      seen_items: [1],
    });
    expect(database.read(keyOf(BOB)).state).toEqual({'app:season': 'summer'});
    database.close();
  });
});

describe('the command line on such a file', () => {
  const rig = new CommandRig();

  it('imports it whole, and exports the same again', async () => {
    const [database, store, file] = [rig.path('adk.db'), rig.path('store.db'), rig.path('dress.json')];
    createAdkDatabase(database);
    expect(await rig.succeed(['import', store, database])).toBe('Imported 3 sessions with 6 events.\n');
    await rig.succeed(['export', store, '--user', 'ann', '--session', 'dress', '-o', file]);
    expect((JSON.parse(readFileSync(file, 'utf8')) as {events: unknown[]}).events).toEqual(stored(DRESS));
  });

  it('says that there is nothing where ADK stored no session', async () => {
    const database = rig.path('empty.db');
    createEmptyAdkDatabase(database);
    const {exitCode, stderr} = await rig.run(['replay', database]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${database} holds no sessions.`)]);
  });

  it('replays it: the calls, with the counts that were reported', async () => {
    const database = rig.path('replayed.db');
    createAdkDatabase(database);
    const {sessions} = await rig.succeedJson<{sessions: {calls: {reported: number; cached: number}[]}[]}>([
      ...['replay', database, '--user', 'ann', '--session', 'dress'],
    ]);
    expect(sessions.map(({calls}) => calls.map(({reported, cached}) => [reported, cached]))).toEqual([
      [
        [101, 64],
        [2600, 64],
      ],
    ]);
  });
});
