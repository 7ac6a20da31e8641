import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {type BaseSessionService, createEvent, type Event, InMemorySessionService, type Session} from '@google/adk';
import Database from 'better-sqlite3';
import {openSqliteStore} from '../src/sqlite.ts';
import {HandWrittenSessions} from './session-baseline.ts';

export const KEY = {appName: 'app', userId: 'user', sessionId: 'session'};

/** A session service and a quick way to give its session many events. */
export interface SessionContender {
  readonly name: string;
  readonly service: BaseSessionService;
  /** The database file, where there is one. */
  readonly path?: string;
  fill(events: readonly Event[]): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-bench-'));
process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
let files = 0;
const newPath = (): string => join(folder, `${++files}.db`);

/** New contenders, each with an empty session. The first is what the others are measured by. */
export async function sessionContenders(): Promise<SessionContender[]> {
  const contenders = [
    handWritten('hand-written, process', 'NORMAL'),
    ours('ours, process', 'process'),
    handWritten('hand-written, power', 'FULL'),
    ours('ours, power', 'power'),
    inMemory(),
    ...adkDatabase(),
  ];
  for (const {service} of contenders) {
    await service.createSession(KEY);
  }
  return contenders;
}

let clock = Date.now();

export type EventKind = 'text' | 'rows';

/** A tool's answer of about `bytes` of JSON, one text or rows of a table; each is a millisecond later than the last. */
export function newEvent(bytes: number, kind: EventKind = 'text'): Event {
  const line = 'lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tem';
  const response =
    kind === 'text'
      ? {output: `${line}\n`.repeat(Math.round(bytes / line.length))}
      : {rows: Array.from({length: Math.round(bytes / 100)}, (_, row) => ({row, text: line}))};
  return createEvent({
    author: 'agent',
    invocationId: 'invocation',
    timestamp: ++clock,
    content: {role: 'user', parts: [{functionResponse: {id: 'call', name: 'read', response}}]},
  });
}

function handWritten(name: string, synchronous: 'FULL' | 'NORMAL'): SessionContender {
  const path = newPath();
  const baseline = new HandWrittenSessions(path);
  const service = baseline as unknown as BaseSessionService;
  const fill = async (events: readonly Event[]): Promise<void> => {
    baseline.synchronous = 'NORMAL';
    await appendAll(service, events);
    baseline.synchronous = synchronous;
  };
  baseline.synchronous = synchronous;
  return {name, service, path, fill};
}

function ours(name: string, durability: 'power' | 'process'): SessionContender {
  const path = newPath();
  const filler = openSqliteStore({path, durability: 'process'});
  const {sessions: service} = openSqliteStore({path, durability});
  return {name, service, path, fill: (events) => appendAll(filler.sessions, events)};
}

/** Its append takes longer the more events there are; they are put where it keeps them. */
function inMemory(): SessionContender {
  const service = new InMemorySessionService();
  const {sessions} = service as unknown as {sessions: Record<string, Record<string, Record<string, Session>>>};
  const fill = async (events: readonly Event[]): Promise<void> => {
    sessions[KEY.appName]?.[KEY.userId]?.[KEY.sessionId]?.events.push(...events);
  };
  return {name: 'ADK InMemory', service, fill};
}

function adkDatabase(): SessionContender[] {
  const {BENCH_ADK: installed = 'bench'} = process.env;
  if (!existsSync(resolve(installed, 'node_modules'))) {
    console.log("ADK's DatabaseSessionService is skipped: run `npm install` in bench/ to compare with it.");
    return [];
  }
  const adk = createRequire(resolve(installed, 'package.json'))('@google/adk') as {
    DatabaseSessionService: new (uri: string) => BaseSessionService;
  };
  const path = newPath();
  const service = new adk.DatabaseSessionService(`sqlite://${path}`);
  return [{name: 'ADK Database', service, path, fill: (events) => appendCopies(service, path, events)}];
}

/** Appends the first event; copies of its row stand for the others, since each append takes some ten milliseconds. */
async function appendCopies(service: BaseSessionService, path: string, events: readonly Event[]): Promise<void> {
  await appendAll(service, events.slice(0, 1));
  const client = new Database(path);
  const copy = client.prepare(
    `INSERT INTO events SELECT ?, app_name, user_id, session_id, invocation_id, ?, event_data
       FROM events WHERE id = ?`,
  );
  client.transaction(() => {
    for (const {id, timestamp} of events.slice(1)) {
      copy.run(id, timestamp, events[0]?.id);
    }
  })();
  client.close();
}

async function appendAll(service: BaseSessionService, events: readonly Event[]): Promise<void> {
  const session = (await service.getSession(KEY)) as Session;
  for (const event of events) {
    await service.appendEvent({session, event: structuredClone(event)});
  }
}
