import {writeSync} from 'node:fs';
import {openSqliteStore} from '../../src/sqlite.ts';
import {FOLD, SCOPE} from '../../src/testing/contract-records.ts';
import {KEY, textEvent} from '../../src/testing/contract-sessions.ts';

// Appends `count` events, every other one to a session that all workers share, and commits a fold after every tenth. Says
// what it is about to append only after that is stored, with the longest time that one append has taken.
const [path = '', name = '', count = '0', bytes = '100'] = process.argv.slice(2);

const store = openSqliteStore({path, busyTimeoutMs: 15_000});
const own = await store.sessions.getOrCreateSession({...KEY, sessionId: name});
const shared = await store.sessions.getOrCreateSession({...KEY, sessionId: 'shared'});
say('ready');
process.once('message', () => void run());

async function run(): Promise<void> {
  for (let index = 0; index < Number(count); index++) {
    const id = `${name} ${index}`;
    const session = index % 2 === 0 ? own : shared;
    const event = textEvent('x'.repeat(Number(bytes)), {id});
    event.actions.stateDelta = {[`last ${name}`]: index, 'app:last': id};
    const start = performance.now();
    await store.sessions.appendEvent({session, event});
    const stallMs = performance.now() - start;
    if (index % 10 === 9) {
      const key = {...KEY, sessionId: session.id};
      await store.compaction.commit(key, SCOPE, {records: [{...FOLD, prefixHash: id}], decisions: []});
    }
    say({id, stallMs});
  }
  store.close();
  process.disconnect();
}

function say(line: unknown): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
