// The session service against ADK's own and against a hand-written baseline.
// Run: npm run bench -- bench/session-store.ts
// ADK's DatabaseSessionService joins in once `npm install` was run in bench/; it is slow, the run then takes minutes.
import {statSync} from 'node:fs';
import type {Session} from '@google/adk';
import {KEY, newEvent, type SessionContender, sessionContenders} from './session-contenders.ts';

const APPENDS = 200;
const READS = 9;

for (const bytes of [1_000, 20_000]) {
  const contenders = await sessionContenders();
  let size = 0;
  for (const goal of [10, 1_000, 10_000]) {
    const events = Array.from({length: goal - size}, () => newEvent(bytes));
    for (const contender of contenders) await contender.fill(events);
    size = goal;
    await benchAppends(`append ${bytes / 1000} KB to a session of ${goal}`, contenders, bytes);
    size += APPENDS;
  }
  await benchReads(`getSession, ${size} events of ${bytes / 1000} KB`, contenders, undefined);
  await benchReads(`getSession, last 50 of ${size}`, contenders, {numRecentEvents: 50});
  printFileSizes(contenders, JSON.stringify(newEvent(bytes)).length * size);
}
await benchLists();

async function benchAppends(title: string, contenders: SessionContender[], bytes: number): Promise<void> {
  const sessions = new Map<SessionContender, Session>();
  for (const contender of contenders) sessions.set(contender, (await contender.service.getSession(KEY)) as Session);
  await measure(title, contenders, APPENDS, (contender) =>
    contender.service.appendEvent({session: sessions.get(contender) as Session, event: newEvent(bytes)}),
  );
}

async function benchReads(
  title: string,
  contenders: SessionContender[],
  config: {numRecentEvents: number} | undefined,
): Promise<void> {
  const able = config === undefined ? contenders : contenders.filter(({name}) => !name.startsWith('hand'));
  await measure(title, able, READS, ({service}) => service.getSession(config === undefined ? KEY : {...KEY, config}));
}

async function benchLists(): Promise<void> {
  const contenders = (await sessionContenders()).filter(({name}) => !/^hand|power/.test(name));
  for (const {service} of contenders) {
    for (let index = 0; index < 10_000; index++) await service.createSession({...KEY, sessionId: `session ${index}`});
  }
  await measure('listSessions, 10,000', contenders, READS, ({service}) => service.listSessions(KEY));
  await measure('listSessions, a page of 50', contenders, READS, ({service}) =>
    service.listSessions({...KEY, limit: 50, page: 3}),
  );
}

/** Lets the contenders take turns, and prints the median and the worst of each with its ratio to the first. */
async function measure(
  title: string,
  contenders: readonly SessionContender[],
  rounds: number,
  run: (contender: SessionContender) => Promise<unknown>,
): Promise<void> {
  const times = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const start = performance.now();
      await run(contender);
      times[index]?.push(performance.now() - start);
    }
  }
  console.log(`\n${title}`);
  let first = Number.NaN;
  for (const [index, samples] of times.entries()) {
    samples.sort((left, right) => left - right);
    const median = samples[samples.length >> 1] ?? Number.NaN;
    if (index === 0) first = median;
    const figures = `${median.toFixed(4).padStart(10)} ms ${(median / first).toFixed(2).padStart(8)} x`;
    console.log(`  ${contenders[index]?.name.padEnd(24)} ${figures}   worst ${samples.at(-1)?.toFixed(3)} ms`);
  }
}

function printFileSizes(contenders: readonly SessionContender[], jsonBytes: number): void {
  console.log(`\nfile bytes per byte of JSON (${(jsonBytes / 1e6).toFixed(1)} MB)`);
  for (const {name, path} of contenders) {
    if (path !== undefined) console.log(`  ${name.padEnd(24)} ${(statSync(path).size / jsonBytes).toFixed(2)}`);
  }
}
