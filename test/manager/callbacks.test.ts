import {type LlmResponse, setLogger} from '@google/adk';
import {describe, expect, it} from 'vitest';
import {CompactionManager, CompactionPlugin, InvalidOptionsError, MemoryCompactionStore} from '../../src/index.ts';
import {answer, call, model, user} from '../../src/testing.ts';
import {contextFor, KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';

const usage = (promptTokenCount?: number, more: object = {}): LlmResponse => ({
  usageMetadata: {...(promptTokenCount === undefined ? {} : {promptTokenCount}), ...more},
});
const large = (): ReturnType<typeof user>[] => [
  user('start'),
  call('read'),
  answer('read', {text: 'x'.repeat(4_000)}),
  model('done'),
  user('next'),
];

describe('callbacks', () => {
  it('resolve to undefined, never null', async () => {
    const {manager} = new ManagerHarness();
    const context = contextFor();
    expect(await manager.beforeModel({context, request: requestOf(large())})).toBeUndefined();
    expect(await manager.afterModel({context, response: usage(10)})).toBeUndefined();
  });

  it('run once for a model call when the manager is plugin and agent callback at once', async () => {
    const harness = new ManagerHarness({keepRecentContents: 1});
    const plugin = new CompactionPlugin(harness.manager);
    const context = contextFor();
    const request = requestOf(large());
    await plugin.beforeModelCallback({callbackContext: context, llmRequest: request});
    const sent = request.contents;
    await harness.manager.beforeModel({context, request});
    expect(request.contents).toBe(sent);
    await plugin.afterModelCallback({callbackContext: context, llmResponse: usage(300)});
    await harness.manager.afterModel({context, response: usage(300)});
    expect(harness.kinds()).toEqual(['elision']);
  });

  it('take the name adk-compaction as a plugin', () => {
    expect(new CompactionPlugin({policy: {contextTokens: 0}}).name).toBe('adk-compaction');
  });

  it.each([
    ['a window of 0', {contextTokens: 0}, {}],
    ['a window of 0 for this model', {contextTokens: () => 0}, {}],
    ['a history on the server', {}, {previousInteractionId: 'i1'}],
  ])('do nothing for %s', async (_, policy, members) => {
    const harness = new ManagerHarness(policy);
    const request = Object.assign(requestOf(large()), members);
    const {contents} = request;
    await harness.manager.beforeModel({context: contextFor(), request});
    expect(request.contents).toBe(contents);
    expect([harness.records, harness.warnings]).toEqual([[], []]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret text');
      },
    ],
    ['gives NaN', () => Number.NaN],
    ['gives no number', () => 'big' as never],
  ])('go on without compaction when contextTokens %s, and warn once', async (_, contextTokens) => {
    const harness = new ManagerHarness({contextTokens});
    expect(await harness.contents(large())).toEqual(large());
    await harness.contents(large());
    expect(harness.codes()).toEqual(['compaction.policy.window']);
    expect(harness.warnings[0]?.message).not.toContain('secret');
  });

  it('ask contextTokens for the window of the model in the request', async () => {
    const harness = new ManagerHarness({contextTokens: (name) => (name === 'small' ? 500 : 100_000)});
    expect(await harness.contents(large(), {model: 'big'})).toEqual(large());
    await harness.contents(large(), {model: 'small'});
    expect(harness.kinds()).toEqual(['elision']);
  });

  it('let the request out as it came when it cannot be measured', async () => {
    const harness = new ManagerHarness();
    const hostile = new Proxy([], {
      get() {
        throw new Error('no');
      },
    });
    const request = requestOf(hostile as never);
    await expect(harness.manager.beforeModel({context: contextFor(), request})).resolves.toBeUndefined();
    expect(request.contents).toBe(hostile);
    expect(harness.codes()).toEqual(['compaction.estimate.failed']);
  });

  it('survive an onWarning and an onRecord that throw or reject', async () => {
    const manager = new CompactionManager({
      policy: {contextTokens: 500, estimator: 'bytes', keepRecentContents: 1},
      onWarning: () => {
        throw new Error('warning');
      },
      onRecord: () => Promise.reject(new Error('record')),
    });
    const request = requestOf(large());
    await manager.beforeModel({context: contextFor(), request});
    expect(JSON.stringify(request.contents)).toContain('[elided]');
  });
});

describe("ADK's logger", () => {
  const lines: unknown[][] = [];
  const keep =
    (level: string) =>
    (...line: unknown[]): void => {
      lines.push([level, ...line]);
    };
  const logger = {
    log: keep('log'),
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    setLogLevel: () => {},
  };
  const failing = (): never => {
    throw new Error('no window');
  };

  it.each([
    ['gets warnings when there is no onWarning', undefined, ['warn']],
    ['gets only the cause, at debug level, when there is one', () => {}, []],
  ])('%s', async (_, onWarning, levels) => {
    setLogger(logger);
    lines.length = 0;
    try {
      const manager = new CompactionManager({policy: {contextTokens: failing}, ...(onWarning && {onWarning})});
      await manager.beforeModel({context: contextFor(), request: requestOf([user('hi')])});
      expect(lines.map(([level]) => level)).toEqual(levels);
      for (const [, line] of lines) {
        expect(line).toContain('compaction.policy.window (session s1)');
      }
    } finally {
      setLogger(null);
    }
  });
});

describe('sampling', () => {
  async function samples(responses: LlmResponse[], config?: object): Promise<number[]> {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({}, {store});
    const {context} = await harness.call([user('hi')], config ? {config} : {});
    for (const response of responses) {
      await harness.respond(context, response);
    }
    return (await store.calibrations(KEY)).map((sample) => sample.reported);
  }

  it.each([
    ['streamed parts repeat it', [usage(100), usage(100), usage(100), usage(100)], [100]],
    ['the first chunks have none', [usage(0), usage(undefined), usage(100)], [100]],
    [
      'cached and thought tokens are reported too',
      [usage(100, {cachedContentTokenCount: 80, thoughtsTokenCount: 40, totalTokenCount: 160})],
      [100],
    ],
    ['it is negative', [usage(-5)], []],
    ['it is no integer', [usage(1.5)], []],
    ['it is absurd', [usage(100_000_001)], []],
    ['there is none', [{}], []],
  ])('takes one sample when %s', async (_, responses, expected) => {
    expect(await samples(responses)).toEqual(expected);
  });

  it('learns nothing from a request with cached content', async () => {
    expect(await samples([usage(100)], {cachedContent: 'cachedContents/x'})).toEqual([]);
  });

  it('pairs each answer with its own request when agents run in parallel', async () => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({}, {store});
    const a = await harness.call([user('a'.repeat(400))], {scope: {agentName: 'a'}});
    const b = await harness.call([user('b'.repeat(800))], {scope: {agentName: 'b'}});
    await harness.respond(b.context, usage(300));
    await harness.respond(a.context, usage(150));
    const calibrations = await store.calibrations(KEY);
    expect(calibrations.map(({scope, estimate, reported}) => [scope.agentName, estimate, reported])).toEqual([
      ['b', expect.any(Number), 300],
      ['a', expect.any(Number), 150],
    ]);
    expect(calibrations[0]?.estimate).toBeGreaterThan((calibrations[1]?.estimate ?? 0) + 90);
  });

  it('learns nothing from a call whose model failed', async () => {
    const store = new MemoryCompactionStore();
    const harness = new ManagerHarness({}, {store});
    const plugin = new CompactionPlugin(harness.manager);
    const {context} = await harness.call([user('hi')]);
    await plugin.onModelErrorCallback({callbackContext: context});
    await harness.respond(context, usage(100));
    expect(await store.calibrations(KEY)).toEqual([]);
  });

  it('corrects the expectation by the factor: 0.7 of the old and 0.3 of what was seen, within 0.5 and 2', async () => {
    const harness = new ManagerHarness();
    const {manager} = harness;
    const figure = async (): Promise<[number, number]> => {
      const scope = (await manager.status(KEY)).scopes[0];
      return [scope?.estimate ?? 0, scope?.expected ?? 0];
    };
    await harness.call([user('x'.repeat(400))]);
    const [raw, expected] = await figure();
    expect(expected).toBe(raw);
    await harness.call([user('x'.repeat(400))], {reported: raw * 2});
    await harness.call([user('x'.repeat(400))], {reported: raw * 1_000});
    expect((await figure())[1]).toBe(Math.ceil(raw * 1.3));
    await harness.call([user('x'.repeat(400))]);
    expect((await figure())[1]).toBe(raw * 2);
  });

  it('goes on with the learnt factor after a restart, and keeps each model its own', async () => {
    const store = new MemoryCompactionStore();
    const first = new ManagerHarness({}, {store});
    await first.call([user('x'.repeat(400))], {model: 'a', reported: 10_000});
    const second = new ManagerHarness({}, {store});
    await second.call([user('x'.repeat(400))], {model: 'a'});
    const learnt = (await second.manager.status(KEY)).scopes[0];
    expect(learnt?.expected).toBeGreaterThan(learnt?.estimate ?? 0);
    await second.call([user('x'.repeat(400))], {model: 'b'});
    const other = (await second.manager.status(KEY)).scopes[0];
    expect(other?.expected).toBe(other?.estimate);
  });

  it('decides by the uncalibrated figure when calibration is off', async () => {
    const harness = new ManagerHarness({calibration: false});
    await harness.call([user('x'.repeat(400))], {reported: 100_000});
    await harness.call([user('x'.repeat(400))]);
    const scope = (await harness.manager.status(KEY)).scopes[0];
    expect(scope?.expected).toBe(scope?.estimate);
  });
});

describe('options', () => {
  it.each([
    ['policy.contextTokens', {policy: {contextTokens: -1}}],
    ['policy.contextTokens', {policy: {contextTokens: Number.NaN}}],
    ['policy.contextTokens', {policy: {}}],
    ['policy.targetFraction', {policy: {contextTokens: 1, targetFraction: 0.85}}],
    ['policy.targetFraction', {policy: {contextTokens: 1, triggerFraction: 0.5, targetFraction: 0.6}}],
    ['policy.triggerFraction', {policy: {contextTokens: 1, triggerFraction: 1.01}}],
    ['policy.triggerFraction', {policy: {contextTokens: 1, triggerFraction: 0}}],
    ['policy.keepRecentContents', {policy: {contextTokens: 1, keepRecentContents: -1}}],
    ['policy.keepRecentContents', {policy: {contextTokens: 1, keepRecentContents: 1.5}}],
    ['policy.minimumElisionTokens', {policy: {contextTokens: 1, minimumElisionTokens: -1}}],
    ['policy.preserveToolNames.0', {policy: {contextTokens: 1, preserveToolNames: [7]}}],
    ['policy.mode', {policy: {contextTokens: 1, mode: 'dry'}}],
    ['policy.windowTokens', {policy: {contextTokens: 1, windowTokens: 5}}],
    ['store', {policy: {contextTokens: 1}, store: {}}],
    ['toolOutputBudget', {policy: {contextTokens: 1}, toolOutputBudget: {}}],
    ['onWarning', {policy: {contextTokens: 1}, onWarning: 'log'}],
    ['summarizer', {policy: {contextTokens: 1}, summarizer: {}}],
  ])('names %s when it cannot be used', (field, options) => {
    let thrown: unknown;
    try {
      new CompactionManager(options as never);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidOptionsError);
    expect(thrown).toMatchObject({field, code: 'compaction.options.invalid'});
    expect(InvalidOptionsError.isInstance(thrown)).toBe(true);
  });
});
