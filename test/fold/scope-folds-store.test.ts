import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {FakeHost, SharedStore} from './fake-host.ts';
import {type Answer, callsOnly, contents, gate, isPinned, says, summaryOf} from './notation.ts';

const U5 = (): Content[] => contents('u20 u20 u20 u20 u20');
const makes: Answer = () => Promise.resolve(summaryOf(10));

describe('the store', () => {
  it('a fold is written after the observers and before it is used', async () => {
    const store = new SharedStore();
    const seen: string[] = [];
    const host: FakeHost = new FakeHost(store, {
      onFold: () => {
        seen.push(`observed, ${store.folds.length} stored, ${host.folds.last ? 'in' : 'not in'} use`);
      },
    });
    await host.send(U5());
    expect(seen).toEqual(['observed, 0 stored, not in use']);
    expect(store.writes).toEqual(['fold']);
  });

  it('70, 74: another process goes on with the same bytes, without a call', async () => {
    const store = new SharedStore();
    const first = new FakeHost(store, {pin: isPinned});
    const list = contents('u20 P10 u20 u20 u20 u20');
    const {request} = await first.send(list);
    const second = new FakeHost(store, {pin: isPinned});
    expect(JSON.stringify(second.reuse(list))).toBe(JSON.stringify(request));
    expect(second.folds.last).toBeUndefined();
    list.push(...contents('u40 u20'));
    await second.send(list);
    expect(second.reports[0]?.pinned).toEqual([list[1]]);
    expect(second.calls).toBe(1);
  });

  it.each<[string, Answer]>([
    ['no-text', callsOnly],
    ['incomplete', says({text: 'The'}, undefined, 'MAX_TOKENS')],
    ['too-large', summaryOf(60)],
    ['error', () => Promise.reject(new Error('down'))],
  ])('71: a failed fold (%s) is written with its hash, and another process backs off', async (code, answer) => {
    const store = new SharedStore();
    const list = U5();
    await new FakeHost(store, {answers: [answer]}).send(list);
    expect(store.failures).toMatchObject([{error: {code}, prefixHash: prefixHash(list.slice(0, 3))}]);
    const next = new FakeHost(store, {answers: [answer]});
    expect((await next.send(list)).outcome).toEqual({kind: 'skipped', reason: 'back-off'});
    expect(next.calls).toBe(0);
  });

  it('64, 71: an aborted fold is written although the signal is aborted, without a hash', async () => {
    const store = new SharedStore();
    const reason = new Error('the user left');
    const host = new FakeHost(store);
    await expect(host.send(U5(), {signal: AbortSignal.abort(reason)})).rejects.toBe(reason);
    expect(store.failures).toMatchObject([{attempts: 0, error: {code: 'aborted'}}]);
    expect(store.failures[0]).not.toHaveProperty('prefixHash');
    expect(new FakeHost(store).memory.failed).toBeUndefined();
  });

  it('a made fold clears the failure for other processes too', async () => {
    const store = new SharedStore();
    const list = U5();
    await new FakeHost(store, {answers: [callsOnly]}).send(list);
    await new FakeHost(store).send([...list, ...contents('u20 u20')]);
    const next = new FakeHost(store);
    expect(next.memory.failed).toBeUndefined();
  });

  it('75: a store that refuses to write is a warning; the fold lives in memory', async () => {
    const store = new SharedStore();
    store.isDown = true;
    const host = new FakeHost(store);
    const list = U5();
    const {request} = await host.send(list);
    expect(request).toHaveLength(3);
    expect(host.warnings).toEqual(['compaction.store.load', 'compaction.store.save']);
    expect(host.reuse(list)).toEqual(request);
    store.isDown = false;
    const next = new FakeHost(store);
    expect(next.reuse(list)).toBe(list);
  });

  it('75: a failure that could not be written backs off in this process', async () => {
    const store = new SharedStore();
    store.isDown = true;
    const host = new FakeHost(store, {answers: [callsOnly]});
    const list = U5();
    await host.send(list);
    expect((await host.send(list)).outcome).toEqual({kind: 'skipped', reason: 'back-off'});
    host.memory.restore(store.folds, store.failedFold);
    expect((await host.send(list)).outcome).toEqual({kind: 'skipped', reason: 'back-off'});
  });

  it('two processes, one prefix: the later one is discarded unreported and the stored fold is used', async () => {
    const store = new SharedStore();
    const release = gate();
    const slow = new FakeHost(store, {answers: [() => release.opened.then(() => summaryOf(10))]});
    const fast = new FakeHost(store);
    const list = U5();
    const losing = slow.send(list);
    const winner = await fast.send(list);
    release.open();
    const loser = await losing;
    expect(loser.outcome.kind).toBe('discarded');
    expect(JSON.stringify(loser.request)).toBe(JSON.stringify(winner.request));
    expect(slow.reports).toEqual([]);
    expect(slow.folds.last).toBeUndefined();
    expect(store.folds).toHaveLength(1);
    expect(slow.reuse(list)).toEqual(loser.request);
  });

  it('a fold as long that was taken over meanwhile is used, without asking the store', async () => {
    const store = new SharedStore();
    const list = U5();
    await new FakeHost(store).send(list);
    const release = gate();
    const host = new FakeHost(undefined, {answers: [() => release.opened.then(() => summaryOf(10))]});
    const folding = host.send(list);
    host.memory.restore(store.folds, undefined);
    release.open();
    expect((await folding).outcome).toMatchObject({kind: 'discarded', fold: {output: store.folds[0]?.output}});
    expect(host.reports).toEqual([]);
  });

  it('lost only at the write itself: the report stands, the stored fold is used', async () => {
    const store = new SharedStore();
    const list = U5();
    const host = new FakeHost(store, {
      onFold: async (report) => {
        host.reports.push(report);
        await new FakeHost(store).send(list);
      },
    });
    const {outcome, request} = await host.send(list);
    expect(outcome.kind).toBe('discarded');
    expect(host.reports).toHaveLength(1);
    expect(request[0]).toEqual(store.folds[0]?.output[0]);
    expect(request[0]).not.toEqual(host.reports[0]?.summary);
  });

  it('four concurrent calls on one scope make one summary call', async () => {
    const store = new SharedStore();
    const host = new FakeHost(store, {answers: [makes]});
    const list = U5();
    const results = await Promise.all([1, 2, 3, 4].map(() => host.send(list)));
    expect(host.calls).toBe(1);
    expect(store.folds).toHaveLength(1);
    expect(new Set(results.map(({request}) => JSON.stringify(request))).size).toBe(1);
  });

  it('a shared fold that would hide what a waiting call needs is not used for it', async () => {
    const host = new FakeHost();
    const list = contents('u20 a20 a20 u20 a20');
    const leader = host.send(list);
    const waiting = host.send(list, {liveUserIndex: 0});
    expect((await leader).outcome.kind).toBe('made');
    const {outcome, request} = await waiting;
    expect(outcome).toEqual({kind: 'skipped', reason: 'not-usable'});
    expect(request).toBe(list);
  });

  it('17c: when the session was deleted meanwhile, nothing of it is used, in memory or not', async () => {
    const store = new SharedStore();
    const host = new FakeHost(store);
    const stored = U5();
    await host.send(stored);
    store.isDown = true;
    const unstored = U5();
    await host.send(unstored);
    host.memory.restore(store.folds, undefined);
    expect(host.reuse(unstored)).not.toBe(unstored);
    host.memory.restore([], undefined);
    expect(host.reuse(stored)).toBe(stored);
    expect(host.reuse(unstored)).toBe(unstored);
  });

  it('takes over what other processes stored, and what they cleared', async () => {
    const store = new SharedStore();
    const list = U5();
    const host = new FakeHost(store, {answers: [callsOnly]});
    await host.send(list);
    const {request} = await new FakeHost(store).send([...list, ...contents('u20 u20')]);
    host.memory.restore(store.folds, store.failedFold);
    expect(host.memory.failed).toBeUndefined();
    expect(host.reuse([...list, ...contents('u20 u20')])[0]).toEqual(request[0]);
  });
});
