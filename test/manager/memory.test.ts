import {describe, expect, it} from 'vitest';
import {type CompactionStore, MemoryCompactionStore, type SessionKey, ToolOutputBudget} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {KEY, ManagerHarness} from '../support/manager-harness.ts';

const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(4_000)}), model('done'), user('next')];

/** A store some of whose methods fail while `isDown`. */
class FailingStore extends MemoryCompactionStore {
  isDown = true;
  readonly #failing: readonly (keyof CompactionStore)[];

  constructor(...failing: (keyof CompactionStore)[]) {
    super();
    this.#failing = failing;
  }

  override async load(...args: Parameters<CompactionStore['load']>): ReturnType<CompactionStore['load']> {
    this.#fail('load');
    return await super.load(...args);
  }

  override async commit(...args: Parameters<CompactionStore['commit']>): ReturnType<CompactionStore['commit']> {
    this.#fail('commit');
    return await super.commit(...args);
  }

  override async saveCalibration(...args: Parameters<CompactionStore['saveCalibration']>): Promise<void> {
    this.#fail('saveCalibration');
    await super.saveCalibration(...args);
  }

  #fail(method: keyof CompactionStore): void {
    if (this.isDown && this.#failing.includes(method)) {
      throw new Error(`quoted: ${'x'.repeat(10)}`);
    }
  }
}

describe('a store that fails', () => {
  it.each([
    ['load', 'compaction.store.load'],
    ['commit', 'compaction.store.save'],
    ['saveCalibration', 'compaction.store.save'],
  ] as const)('on %s: calls go out, one warning, memory goes on', async (method, code) => {
    const harness = new ManagerHarness({keepRecentContents: 1}, {store: new FailingStore(method)});
    const first = await harness.call(history, {reported: 100});
    const second = await harness.call(history, {reported: 100});
    expect(JSON.stringify(first.request.contents)).toContain('[elided]');
    expect(second.request.contents).toEqual(first.request.contents);
    expect(harness.codes()).toEqual([code]);
    expect(harness.warnings[0]?.message).not.toContain('quoted');
    expect(harness.kinds()).toEqual(['elision']);
  });

  it('warns again after it has worked in between', async () => {
    const store = new FailingStore('load');
    const harness = new ManagerHarness({}, {store});
    await harness.contents(history);
    store.isDown = false;
    await harness.contents(history);
    store.isDown = true;
    await harness.contents(history);
    expect(harness.codes()).toEqual(['compaction.store.load', 'compaction.store.load']);
  });

  it('gets the decision as soon as it works again', async () => {
    const store = new FailingStore('commit');
    const harness = new ManagerHarness({keepRecentContents: 1}, {store});
    const sent = await harness.contents(history);
    expect(await store.records(KEY)).toEqual([]);
    store.isDown = false;
    await harness.contents(history);
    expect(await store.records(KEY)).toHaveLength(1);
    const restarted = new ManagerHarness({keepRecentContents: 1}, {store});
    expect(await restarted.contents(history)).toEqual(sent);
    expect(restarted.records).toEqual([]);
  });
});

describe('what is remembered', () => {
  it('gives the same bytes in the next process, below the trigger too', async () => {
    const store = new MemoryCompactionStore();
    const policy = {keepRecentContents: 1};
    const sent = await new ManagerHarness(policy, {store}).contents(history);
    const next = new ManagerHarness({...policy, contextTokens: 1_000_000}, {store});
    expect(JSON.stringify(await next.contents(history))).toBe(JSON.stringify(sent));
    expect(next.records).toEqual([]);
  });

  it('reaches a second process that runs already', async () => {
    const store = new MemoryCompactionStore();
    const small = new ManagerHarness({keepRecentContents: 1}, {store});
    const large = new ManagerHarness({keepRecentContents: 1, contextTokens: 1_000_000}, {store});
    expect(await large.contents(history)).toEqual(history);
    const sent = await small.contents(history);
    expect(await large.contents(history)).toEqual(sent);
  });

  it.each<[string, SessionKey, object]>([
    ['another user', {...KEY, userId: 'bob'}, {}],
    ['another app', {...KEY, appName: 'other'}, {}],
    ['another session', {...KEY, sessionId: 's2'}, {}],
    ['another agent', KEY, {agentName: 'other'}],
    ['another branch', KEY, {branch: 'root.x'}],
    ['another isolation scope', KEY, {isolationScope: 'node'}],
  ])('is not shown to %s', async (_, key, scope) => {
    const store = new MemoryCompactionStore();
    await new ManagerHarness({keepRecentContents: 1}, {store}).contents(history);
    const other = new ManagerHarness({keepRecentContents: 1, contextTokens: 1_000_000}, {store});
    expect(await other.contents(history, {key, scope})).toEqual(history);
  });

  it('is not read back by the process that made it, unless another decided too', async () => {
    const store = new MemoryCompactionStore();
    const snapshots: unknown[] = [];
    const {load, commit} = store;
    store.load = async (...args) => {
      const snapshot = await load.apply(store, args);
      snapshots.push(snapshot);
      return snapshot;
    };
    const harness = new ManagerHarness({keepRecentContents: 1}, {store});
    await harness.contents(history);
    await harness.contents(history);
    expect(snapshots.map((snapshot) => snapshot !== undefined)).toEqual([true, false]);

    const longer = [...history, call('read'), answer('read', {text: 'y'.repeat(4_000)}), model('done'), user('more')];
    const other = {kind: 'elision', identity: 'sha256:another', occurrences: 1} as const;
    store.commit = async (key, scope, made) => {
      await commit.call(store, key, scope, {records: [], decisions: [other]});
      return await commit.call(store, key, scope, made);
    };
    await harness.contents(longer);
    await harness.contents(longer);
    expect(snapshots.at(-1)).toMatchObject({decisions: expect.arrayContaining([other])});
  });

  it('is gone with the session, also in a process that knew it', async () => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({keepRecentContents: 1, contextTokens: 1_200}, {store});
    await harness.call(history, {reported: 5_000});
    await store.deleteSession(KEY);
    const small = [user('start'), call('read'), answer('read', {text: 'x'.repeat(1_000)}), user('next')];
    await harness.contents(small);
    expect(await harness.manager.status(KEY)).toMatchObject({scopes: [{elisions: 0, drops: 0, folds: 0}]});
    const scope = (await harness.manager.status(KEY)).scopes[0];
    expect(scope?.expected).toBe(scope?.estimate);
  });

  it('keeps what covers nothing in a short request for the next long one', async () => {
    const harness = new ManagerHarness({keepRecentContents: 1});
    const sent = await harness.contents(history);
    const short = [user('start'), call('export'), answer('export', {status: 'done'})];
    expect(await harness.contents(short)).toEqual(short);
    expect(await harness.contents(history)).toEqual(sent);
    expect(harness.kinds()).toEqual(['elision']);
  });
});

describe('observe mode', () => {
  it('reports what it would do at every call, changes nothing and stores nothing but samples', async () => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({keepRecentContents: 1, mode: 'observe'}, {store});
    for (const _ of [1, 2]) {
      const {request} = await harness.call(history, {reported: 1_100});
      expect(request.contents).toEqual(history);
    }
    expect(harness.records).toMatchObject([
      {kind: 'elision', observed: true},
      {kind: 'elision', observed: true},
    ]);
    expect(await store.records(KEY)).toEqual([]);
    expect(await store.calibrations(KEY)).toHaveLength(2);
  });

  it('leaves orphans as they are', async () => {
    const orphan = [user('a'), call('lost'), user('b')];
    const harness = new ManagerHarness({mode: 'observe'});
    expect(await harness.contents(orphan)).toEqual(orphan);
  });
});

describe('compactNow', () => {
  it('elides all eligible answers at the next call of that session, once, and drops nothing below the target', async () => {
    const harness = new ManagerHarness({keepRecentContents: 1, contextTokens: 1_000_000});
    const long = [user('a'), model('b'), ...history.slice(0, 4), ...history];
    harness.manager.compactNow(KEY);
    expect(await harness.contents(long, {key: {...KEY, sessionId: 'other'}})).toEqual(long);
    const out = await harness.contents(long);
    expect(out).toHaveLength(long.length);
    expect(JSON.stringify(out).match(/\[elided\]/g)).toHaveLength(2);
    const more = [...long, call('read'), answer('read', {text: 'y'.repeat(4_000)}), user('z')];
    expect(JSON.stringify(await harness.contents(more)).match(/\[elided\]/g)).toHaveLength(2);
  });
});

describe('the tool output budget', () => {
  it('starts afresh with a compaction of its session, and not with others', async () => {
    const toolOutputBudget = new ToolOutputBudget(10_000);
    const other = {...KEY, sessionId: 'other'};
    for (const key of [KEY, other]) {
      toolOutputBudget.consume(key, toolOutputBudget.reserve(key, 5_000).id, 5_000);
    }
    const harness = new ManagerHarness({keepRecentContents: 1}, {toolOutputBudget});
    await harness.contents([user('small')]);
    expect(toolOutputBudget.report(KEY).used).toBe(5_000);
    await harness.contents(history);
    expect(toolOutputBudget.report(KEY)).toEqual({limit: 10_000, used: 0, reserved: 0});
    expect(toolOutputBudget.report(other).used).toBe(5_000);
  });
});

describe('status', () => {
  it('says what is known of every scope, also after a restart', async () => {
    const store = new MemoryCompactionStore();
    const first = new ManagerHarness({keepRecentContents: 1}, {store});
    await first.call(history, {reported: 140});
    await first.call([user('hi')], {scope: {agentName: 'second', branch: 'b'}});
    const figures = {
      estimate: expect.any(Number),
      pinned: expect.any(Number),
      prediction: expect.any(Number),
      expected: expect.any(Number),
    };
    const status = await first.manager.status(KEY);
    expect(status).toEqual({
      scopes: [
        {
          scope: {agentName: 'agent'},
          ...figures,
          reported: 140,
          error: expect.any(Number),
          elisions: 1,
          folds: 0,
          drops: 0,
        },
        {scope: {agentName: 'second', branch: 'b'}, ...figures, elisions: 0, folds: 0, drops: 0},
      ],
    });
    const [scope] = status.scopes;
    expect(scope?.estimate).toBe(scope?.pinned);
    expect(scope?.error).toBe(((scope?.expected ?? 0) - 140) / 140);
    const restarted = await new ManagerHarness({}, {store}).manager.status(KEY);
    expect(restarted.scopes[0]).toEqual((await first.manager.status(KEY)).scopes[0]);
  });

  it('is empty for a session never seen', async () => {
    expect(await new ManagerHarness().manager.status(KEY)).toEqual({scopes: []});
  });
});
