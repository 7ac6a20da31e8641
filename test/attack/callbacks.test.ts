import type {Context} from '@google/adk';
import type {Content} from '@google/genai';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {type CompactionOptions, type FoldOptions, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {contextFor, KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';

const history = Array.from({length: 12}, (_, turn) => [
  user(`ask ${turn}`),
  call('read', {turn}),
  answer('read', {text: `${turn} ${'x'.repeat(2_000)}`}),
  model(`said ${turn}`),
])
  .flat()
  .concat(user('now'));
const elisions = (contents: unknown): number => JSON.stringify(contents).split('[elided]').length - 1;
const policy = {contextTokens: 3_000};
const foldPolicy = {contextTokens: 6_000, minimumElisionTokens: 1_000_000};
const summarizer = new ScriptedModel(() => model('what was said'));

const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

describe('a clock', () => {
  const broken: [string, () => number][] = [
    [
      'throws',
      () => {
        throw new Error('no clock');
      },
    ],
    ['gives NaN', () => Number.NaN],
    ['gives infinity', () => Number.POSITIVE_INFINITY],
    ['is async', (async () => 5) as unknown as () => number],
    ['rejects', (() => Promise.reject(new Error('no clock'))) as unknown as () => number],
  ];

  it.each(broken)('that %s neither stops a compaction nor spoils a record', async (_, clock) => {
    const harness = new ManagerHarness(policy, {clock});
    const {request} = await harness.call(history, {reported: 1_000});
    expect(elisions(request.contents)).toBeGreaterThan(0);
    expect(harness.records.map(({time}) => Number.isFinite(time))).toEqual([true]);
  });

  it.each(broken)('that %s does not fail the answer of the model', async (_, clock) => {
    const harness = new ManagerHarness({contextTokens: 1_000_000}, {clock});
    await harness.call(history, {reported: 1_000});
    expect((await harness.manager.status(KEY)).scopes).toMatchObject([{reported: 1_000}]);
  });
});

describe('callbacks of the manager', () => {
  const without = (context: Context, name: keyof Context): Context =>
    new Proxy(context, {
      get: (target, member) => (member === name ? undefined : Reflect.get(target, member, target)),
    });

  it('do not throw at a context without actions', async () => {
    const {manager} = new ManagerHarness(policy);
    const context = without(contextFor(), 'actions');
    await expect(manager.beforeModel({context, request: requestOf([...history])})).resolves.toBeUndefined();
    await expect(manager.afterModel({context, response: {}})).resolves.toBeUndefined();
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
    [
      'one that throws when it is read',
      {
        get usageMetadata(): never {
          throw new Error('unreadable');
        },
      },
    ],
  ])('do not throw at a response that is %s', async (_, response) => {
    const {manager} = new ManagerHarness(policy);
    const context = contextFor();
    await manager.beforeModel({context, request: requestOf([...history])});
    await expect(manager.afterModel({context, response: response as never})).resolves.toBeUndefined();
  });
});

it('a window that comes as a promise counts as none, and its rejection is nobody’s', async () => {
  const contextTokens = (() => Promise.reject(new Error('no window'))) as unknown as () => number;
  const harness = new ManagerHarness({contextTokens});
  await harness.call(history);
  expect(harness.codes()).toEqual(['compaction.policy.window']);
});

describe('an option of the fold that gives a promise', () => {
  const late = (() => Promise.reject(new Error('late'))) as never;
  it.each<[string, Partial<FoldOptions>]>([
    ['editRequest', {editRequest: late}],
    ['summaryItem', {summaryItem: late}],
    ['filter', {filter: late}],
    ['pin', {pin: late}],
  ])('%s fails the fold alone', async (option, options) => {
    const harness = new ManagerHarness(foldPolicy, {fold: {summarizer, minFold: 0, ...options}});
    await harness.call(history);
    expect(harness.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'error', reason: `${option} threw`});
    expect(harness.codes()).toContain('compaction.fold.failed');
  });

  it('a filter that gives no list leaves elisions alone', async () => {
    const filter = (() => null) as never;
    const harness = new ManagerHarness(policy, {fold: {summarizer, filter, pin: () => false}});
    expect(elisions(await harness.contents(history))).toBeGreaterThan(0);
    expect(harness.codes()).toContain('compaction.fold.failed');
  });
});

describe('what a host writes into', () => {
  const vandalise = (value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null) {
        vandalise(member);
      } else {
        Reflect.set(value, name, typeof member === 'number' ? 0 : 'vandalised');
      }
    }
  };

  it.each<[string, object, Omit<CompactionOptions, 'policy'>]>([
    ['a record of elisions', policy, {}],
    ['a record of a fold', foldPolicy, {fold: {summarizer, minFold: 0}}],
  ])('%s stays in the record', async (_, somePolicy, options) => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness(somePolicy, {...options, store, onRecord: vandalise});
    const sent = await harness.contents(history);
    expect(await harness.contents(history)).toEqual(sent);
    await harness.contents([...history, model('yes'), ...history]);
    expect(await store.scopes(KEY)).toEqual([{agentName: 'agent'}]);
  });

  it('a warning stays in the warning', async () => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({contextTokens: 100}, {store, onWarning: vandalise});
    await harness.contents(history);
    await harness.contents([...history, model('yes'), ...history]);
    expect(await store.scopes(KEY)).toEqual([{agentName: 'agent'}]);
    expect(await store.records(KEY)).toHaveLength(harness.records.length);
  });
});

it('a content that the host begins to pin stands whole again, and one it no longer pins is elided again', async () => {
  let isPinned = false;
  const pin = (content: Content): boolean => isPinned && JSON.stringify(content).includes('"0 xxx');
  const harness = new ManagerHarness(policy, {fold: {summarizer, pin}});
  const elided = await harness.contents(history);
  isPinned = true;
  expect(elisions(await harness.contents(history))).toBe(elisions(elided) - 1);
  isPinned = false;
  expect(await harness.contents(history)).toEqual(elided);
});
