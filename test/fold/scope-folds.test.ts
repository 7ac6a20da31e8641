import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {FoldError} from '../../src/fold/fold-errors.ts';
import {managedFoldSettings} from '../../src/fold/fold-options.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {FakeHost, SharedStore} from './fake-host.ts';
import {type Answer, callsOnly, contents, FakeModel, summaryOf, textOf, weigh} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const makes: Answer = () => Promise.resolve(summaryOf(10));

describe('options of a manager', () => {
  it.each([
    [{onError: 'throw'}, 'fold.onError'],
    [{keepLast: 0}, 'fold.keepLast'],
    [{budget: 100}, 'fold.budget'],
    [{estimate: weigh}, 'fold.estimate'],
    [{failedFold: {split: 1, prefixHash: 'x', tokensBefore: 1}}, 'fold.failedFold'],
    [{appliedFolds: []}, 'fold.appliedFolds'],
    [{summarizer: {models: {generateContent: () => {}}}}, 'fold.model'],
  ])('refuses %j', (options, field) => {
    expect(() => managedFoldSettings({summarizer: new FakeModel().asLlm(), ...options} as never)).toThrow(
      expect.objectContaining({field}),
    );
  });
});

describe('the live turn', () => {
  it('the live user content is neither folded nor read, and stands in the request', async () => {
    const host = new FakeHost();
    const list = contents('u20 a20 u20 c10#a r20#a c10#b r20#b');
    const {request, outcome} = await host.send(list);
    expect(outcome.kind).toBe('made');
    expect(host.reports[0]?.split).toBe(5);
    expect(host.material).not.toContainEqual(list[2]);
    expect(request).toEqual([host.folds.last, list[2], list[5], list[6]]);
  });

  it('a 60-step tool loop in one turn folds a handful of times, and the words of the user stay in every request', async () => {
    const host = new FakeHost();
    const list = contents('u20 a20 u30');
    const live = list[2] as Content;
    for (let step = 0; step < 60; step += 1) {
      list.push(...contents(`c10#s${step} r20#s${step}`));
      let request = host.reuse(list);
      if (weigh(request) > 150) {
        const newly = (indices: readonly number[]): number => weigh(indices.map((index) => list[index] as Content));
        request = (await host.send(list, {weighAsSent: newly})).request;
      }
      expect(request.filter((item) => item === live)).toHaveLength(1);
      expect(request.at(-1)).toBe(list.at(-1));
    }
    expect(host.model.requests.some((request) => JSON.stringify(request).includes(textOf(live)))).toBe(false);
    expect(host.calls).toBeGreaterThan(5);
    expect(host.calls).toBeLessThan(30);
  });

  it('live no more, it reaches the summariser with the pins of the fold in use', async () => {
    const host = new FakeHost();
    const list = contents('u20 a20 u20 c10#a r20#a c10#b r20#b');
    await host.send(list);
    const {request} = await host.send([...list, ...contents('a20 u30 a20 u20')]);
    expect(host.material.slice(0, 2)).toEqual([expect.anything(), list[2]]);
    expect(request).not.toContain(list[2]);
  });

  it('a fold that covers the last content or the live user content is left out for that call', async () => {
    const host = new FakeHost();
    const list = contents('u20 u20 u20 u20 u20');
    await host.send(list);
    const rewound = list.slice(0, 3);
    expect(host.reuse(rewound)).toBe(rewound);
    expect(host.reuse([...rewound, ...contents('a20 a20')]).length).toBe(5);
    expect(host.reuse(list)[0]).toBe(host.folds.last);
  });

  it('a fold that covers the last content is left out also where no user content is live', async () => {
    const host = new FakeHost();
    const list = contents('a40 a40 a20 a20');
    await host.send(list);
    expect(host.reuse(list)[0]).toBe(host.folds.last);
    const rewound = list.slice(0, 2);
    expect(host.reuse(rewound)).toBe(rewound);
  });

  it('goes by the user content that the host names', async () => {
    const host = new FakeHost();
    const list = contents('u20 u20 a20 u20 u20');
    const {request} = await host.send(list, {liveUserIndex: 1});
    expect(request).toContain(list[1]);
    expect(host.material).not.toContainEqual(list[1]);
  });
});

describe('what a host adds', () => {
  it('pins of its own stay beside the summary, with their pairs', async () => {
    const host = new FakeHost();
    const list = contents('u40 c5#a r10#a u40 a20 u20');
    const {request, outcome} = await host.send(list, {pins: [2]});
    expect(outcome.fold?.pinned).toEqual([1, 2]);
    expect(request.slice(1, 3)).toEqual([list[1], list[2]]);
  });

  it('a split inside a dropped turn moves to its first content', async () => {
    const host = new FakeHost();
    const list = contents('u40 a40 u20 a20 a20 u20');
    await host.send(list, {whole: [{start: 2, end: 5}]});
    expect(host.reports[0]?.split).toBe(2);
  });

  it('force folds whatever minFold and the back-off say, at the usual split', async () => {
    const host = new FakeHost(undefined, {minFold: 1_000, answers: [callsOnly, callsOnly, makes]});
    const list = U5();
    expect((await host.send(list)).outcome).toEqual({kind: 'skipped', reason: 'below-minimum'});
    expect((await host.send(list, {force: true})).outcome.kind).toBe('failed');
    expect((await host.send(list)).outcome).toEqual({kind: 'skipped', reason: 'back-off'});
    const {outcome} = await host.send(list, {force: true});
    expect(outcome).toMatchObject({kind: 'made', fold: {split: 3}});
  });

  it('once a fold is in use, the newly folded contents as sent must be worth a call too', async () => {
    const host = new FakeHost();
    const list = U5();
    await host.send(list, {weighAsSent: () => 0});
    expect(host.calls).toBe(1);
    list.push(...contents('u60'));
    const asked: number[][] = [];
    const {outcome} = await host.send(list, {weighAsSent: (indices) => asked.push([...indices]) && 11});
    expect(outcome).toEqual({kind: 'skipped', reason: 'below-minimum'});
    expect(asked).toEqual([[3]]);
    expect((await host.send(list, {weighAsSent: () => 12})).outcome.kind).toBe('made');
  });

  it('32: a fold after which the request is not smaller is refused as too large, and not asked again at once', async () => {
    const host = new FakeHost(undefined, {pin: () => true});
    const list = U5();
    const {outcome, request} = await host.send(list);
    expect(outcome).toMatchObject({kind: 'failed', report: {attempts: 1, error: {code: 'too-large'}}});
    expect(request).toBe(list);
    expect((await host.send(list)).outcome).toEqual({kind: 'skipped', reason: 'back-off'});
  });

  it('a plan that breaks a promise is refused as an error', async () => {
    const store = new SharedStore();
    const host = new FakeHost(store);
    const {outcome} = await host.send(U5(), {
      refuse: () => new FoldError('error', 'The first content would not be a user content.', {reason: 'plan rejected'}),
    });
    expect(outcome).toMatchObject({kind: 'failed', report: {error: {code: 'error', reason: 'plan rejected'}}});
    expect(store.failures[0]?.prefixHash).toBeDefined();
  });

  it("the summariser's window is the host's unless the option says otherwise", async () => {
    const tight = new FakeHost(undefined, {material: 'text'});
    expect((await tight.send(U5(), {summarizerContextTokens: 60})).outcome).toMatchObject({
      kind: 'failed',
      report: {attempts: 0, error: {reason: 'record does not fit'}},
    });
    const roomy = new FakeHost(undefined, {material: 'text', summarizerContextTokens: 100_000});
    expect((await roomy.send(U5(), {summarizerContextTokens: 60})).outcome.kind).toBe('made');
  });

  it('the prefix hash may come from the host', async () => {
    const host = new FakeHost();
    const list = U5();
    const asked: number[] = [];
    const hash = (split: number): string => {
      asked.push(split);
      return prefixHash(list.slice(0, split));
    };
    await host.send(list, {prefixHash: hash});
    expect(host.reports[0]?.prefixHash).toBe(prefixHash(list.slice(0, 3)));
    expect(new Set(asked)).toEqual(new Set([3]));
  });

  it('an observer that throws fails the call here too', async () => {
    const cause = new Error('observer');
    const store = new SharedStore();
    const host = new FakeHost(store, {onFold: () => Promise.reject(cause)});
    await expect(host.send(U5())).rejects.toMatchObject({reason: 'onFold threw', cause});
    expect(store.writes).toEqual([]);
  });
});
