import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {afterEach, describe, expect, it, onTestFinished, vi} from 'vitest';
import {type CompactionStore, MemoryCompactionStore} from '../../src/index.ts';
import {openSqliteStore, type SqliteStore} from '../../src/sqlite.ts';
import {model, user} from '../../src/testing.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';
import {STORES, type Stores} from '../support/stores-with-another-way-in.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {chat, folding, summarizer} from './fold-rig.ts';

const policy = {contextTokens: 10_000};
const HELLO = [user('hello')];
const counted = (promptTokenCount: number) => ({usageMetadata: {promptTokenCount}});

describe.each<[name: string, open: () => Stores]>([
  ...STORES,
  [
    'in a store that takes its time',
    () => {
      const store = new SlowStore({save: 20});
      return {store, other: store};
    },
  ],
])('counts for calls of a session that was deleted and made again, %s', (_, open) => {
  it('teach the next call nothing, however soon it comes', async () => {
    const {store, other} = open();
    const harness = new ManagerHarness(policy, {store});
    const former = await harness.call(HELLO);
    await other.deleteSession(KEY);
    await harness.call(HELLO);
    await harness.respond(former.context, counted(5_000));
    await harness.call([user('hello again')]);
    expect(await expectedOf(harness)).toBe(await expectedAtFirst([user('hello again')]));
  });

  it('teach nothing when several come at once', async () => {
    const {store, other} = open();
    const harness = new ManagerHarness(policy, {store});
    const former = [await harness.call(HELLO), await harness.call(HELLO), await harness.call(HELLO)];
    await other.deleteSession(KEY);
    await harness.call(HELLO);
    await Promise.all(former.map(({context}) => harness.respond(context, counted(5_000))));
    await harness.call([user('hello again')]);
    expect(await expectedOf(harness)).toBe(await expectedAtFirst([user('hello again')]));
    expect(await other.calibrations(KEY)).toEqual([]);
  });
});

it.each([
  ['while the store is being read', {save: 10, load: 40}],
  ['after the store was read', {save: 80, load: 5}],
])('a sample that is stored %s is not forgotten for what was read before', async (_, delays) => {
  const store = new SlowStore(delays);
  const contents = [...chat(10), model('more'), user('go on')];
  const harness = folding({summarizer: summarizer('sum')}, store);
  await harness.call(chat(10), {reported: 700});
  await harness.call(contents);
  expect(harness.kinds()).toEqual(['fold']);
  const expected = await expectedOf(harness);
  const again = folding({summarizer: summarizer('sum')}, store);
  await again.call(contents);
  expect(expected).toBe(await expectedOf(again));
});

describe('with the clock stopped', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, (harness: ManagerHarness) => Promise<unknown>]>([
    ['closing', (harness) => harness.manager.close()],
    ['asking for the status', (harness) => harness.manager.status(KEY)],
    ['another count', async (harness) => harness.call(HELLO, {reported: 41})],
  ])('a sample in a file is stored, and holds up nobody: %s', async (_, then) => {
    const store = openStore(join(temporaryFolder(), 'agent.db'));
    vi.useFakeTimers();
    const harness = new ManagerHarness(policy, {store: store.compaction});
    await harness.call(HELLO, {reported: 40});
    await then(harness);
    expect((await store.compaction.calibrations(KEY))[0]?.reported).toBe(40);
    expect(harness.warnings).toEqual([]);
  });
});

/** Milliseconds that it takes to answer. It has read what is there, or not written yet, when it begins to wait. */
class SlowStore extends MemoryCompactionStore {
  readonly #delays: {readonly save: number; readonly load?: number};

  constructor(delays: {readonly save: number; readonly load?: number}) {
    super();
    this.#delays = delays;
  }

  override async load(...args: Parameters<CompactionStore['load']>): ReturnType<CompactionStore['load']> {
    const snapshot = await super.load(...args);
    await delay(this.#delays.load);
    return snapshot;
  }

  override async saveCalibration(...args: Parameters<CompactionStore['saveCalibration']>): Promise<void> {
    await delay(this.#delays.save);
    await super.saveCalibration(...args);
  }
}

function openStore(path: string): SqliteStore {
  const store = openSqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

async function expectedOf({manager}: Pick<ManagerHarness, 'manager'>): Promise<number | undefined> {
  return (await manager.status(KEY)).scopes[0]?.expected;
}

/** What is expected of contents in a session of which nothing is known. */
async function expectedAtFirst(contents: Parameters<ManagerHarness['call']>[0]): Promise<number | undefined> {
  const harness = new ManagerHarness(policy, {store: new MemoryCompactionStore()});
  await harness.call(contents);
  return await expectedOf(harness);
}
