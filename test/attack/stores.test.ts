import {afterEach, describe, expect, it, vi} from 'vitest';
import {type CompactionStore, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';

const turns = (count: number) =>
  Array.from({length: count}, (_, turn) => [
    user(`ask ${turn}`),
    call('read', {turn}),
    answer('read', {text: `${turn} ${'x'.repeat(2_000)}`}),
    model(`said ${turn}`),
  ])
    .flat()
    .concat(user('now'));
const policy = {contextTokens: 1_500};

/** A memory store with some methods replaced. */
function storeWith(methods: Partial<CompactionStore>): CompactionStore {
  return Object.assign(new MemoryCompactionStore(), methods);
}

describe('a store that gives no snapshot', () => {
  const complete = {revision: '1', decisions: [], folds: [], calibrations: [], unreadable: []};
  it.each([
    ['a number', 5],
    ['a text', 'garbage'],
    ['an empty object', {}],
    ['decisions that are none', {...complete, decisions: [null]}],
    ['no decisions', {...complete, decisions: undefined}],
    ['no folds', {...complete, folds: null}],
    ['no calibrations', {...complete, calibrations: null}],
  ])('but %s leaves what is known', async (_, snapshot) => {
    const harness = new ManagerHarness(policy, {store: storeWith({load: async () => snapshot as never})});
    const sent = await harness.contents(turns(6));
    expect(await harness.contents(turns(6))).toEqual(sent);
    expect(harness.kinds()).toEqual(['elision']);
    expect(harness.codes()).toEqual(['compaction.store.load']);
    expect((await harness.manager.status(KEY)).scopes).toMatchObject([{elisions: 6, folds: 0}]);
  });
});

it.each([
  ['nothing', undefined],
  ['a text', 'down'],
  ['an error whose name is no text', Object.assign(new Error('down'), {name: Symbol('down')})],
  [
    'an error that throws when it is read',
    Object.defineProperty(new Error('down'), 'code', {
      get: () => {
        throw new Error('unreadable');
      },
    }),
  ],
])('a store that rejects with %s is warned about, and compaction goes on', async (_, reason) => {
  const fail = (): Promise<never> => Promise.reject(reason);
  const harness = new ManagerHarness(policy, {store: storeWith({load: fail, commit: fail})});
  expect(JSON.stringify(await harness.contents(turns(6)))).toContain('[elided]');
  expect(harness.codes()).toEqual(['compaction.store.load', 'compaction.store.save']);
});

it('a store that is down is asked no more often the longer it is down', async () => {
  let asked = 0;
  let isDown = true;
  const memory = new MemoryCompactionStore();
  const store = storeWith({
    load: (...args) => memory.load(...args),
    commit: async (...args) => {
      asked += 1;
      if (isDown) {
        throw new Error('locked');
      }
      return memory.commit(...args);
    },
  });
  const harness = new ManagerHarness(policy, {store});
  const perCall: number[] = [];
  for (let count = 6; count < 12; count += 1) {
    asked = 0;
    await harness.contents(turns(count));
    perCall.push(asked);
  }
  expect(Math.max(...perCall)).toBeLessThanOrEqual(3);

  isDown = false;
  await harness.contents(turns(11));
  expect(await memory.records(KEY)).toHaveLength(harness.kinds().length);
});

describe('a store that hangs', () => {
  const hang = (): Promise<never> => new Promise(() => {});
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, Partial<CompactionStore>, string]>([
    ['on load', {load: hang}, 'compaction.store.load'],
    ['on commit', {commit: hang}, 'compaction.store.save'],
  ])('%s holds a turn up for seconds, not for ever', async (_, methods, code) => {
    vi.useFakeTimers();
    const harness = new ManagerHarness(policy, {store: storeWith(methods)});
    const turn = harness.call(turns(6), {reported: 1_000});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(JSON.stringify((await turn).request.contents)).toContain('[elided]');
    expect(harness.codes()).toEqual([code]);
    expect(harness.warnings[0]?.message).toContain('compaction.store.timeout');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('on a sample holds up no turn, and is told of', async () => {
    vi.useFakeTimers();
    const harness = new ManagerHarness(policy, {store: storeWith({saveCalibration: hang})});
    await harness.call(turns(6), {reported: 1_000});
    expect(harness.codes()).toEqual([]);

    await vi.advanceTimersByTimeAsync(60_000);
    expect(harness.codes()).toEqual(['compaction.store.save']);
    expect(harness.warnings[0]?.message).toContain('compaction.store.timeout');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('on a sample holds up who closes the manager, for seconds', async () => {
    vi.useFakeTimers();
    const harness = new ManagerHarness(policy, {store: storeWith({saveCalibration: hang})});
    await harness.call(turns(6), {reported: 1_000});
    const closed = harness.manager.close();
    await vi.advanceTimersByTimeAsync(60_000);
    await closed;
    expect(harness.codes()).toEqual(['compaction.store.save']);
  });
});
