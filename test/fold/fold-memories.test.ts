import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {foldMemories} from '../../src/fold/fold-memories.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import type {CompactionStore, ScopeSnapshot} from '../../src/store/compaction-store.ts';
import {contents, isPinned, rig, summaryItem} from './notation.ts';

const key = {appName: 'app', userId: 'ann', sessionId: 's1'};
const scope = {agentName: 'root'};
const list = contents('u20 P10 u20 u20 u20 u20 u20');
const hashOf = (split: number): string => prefixHash(list.slice(0, split));

function storeWith(snapshot: Partial<ScopeSnapshot>): CompactionStore {
  const empty: ScopeSnapshot = {revision: '1', decisions: [], folds: [], calibrations: [], unreadable: []};
  const store: Pick<CompactionStore, 'load'> = {load: async () => ({...empty, ...snapshot})};
  return store as CompactionStore;
}

const stored = (split: number, change = {}) => ({
  split,
  prefixHash: hashOf(split),
  output: [summaryItem(`up to ${split}`)],
  pinned: [1],
  ...change,
});

describe('foldMemories', () => {
  it('lets a lone FoldTransform go on with the bytes of the manager', async () => {
    const failedFold = {split: 5, prefixHash: hashOf(5), tokensBefore: 300};
    const memories = await foldMemories(storeWith({folds: [stored(3), stored(4)], failedFold}), key, scope, list);
    expect(memories.failedFold).toEqual(failedFold);
    const {fold, calls} = rig(99, 2, {pin: isPinned, ...memories});
    expect(await fold.transform(list)).toEqual([summaryItem('up to 4'), list[1], ...list.slice(4)]);
    expect(calls()).toBe(0);
  });

  it('leaves out folds that do not cover the beginning of the contents', async () => {
    const folds = [stored(3, {prefixHash: 'other'}), stored(3, {prefixHash: ''}), stored(9), stored(4)];
    const {appliedFolds} = await foldMemories(storeWith({folds}), key, scope, list);
    expect(appliedFolds).toEqual([
      {split: 4, prefixHash: hashOf(4), output: [summaryItem('up to 4')], pinned: [list[1]]},
    ]);
  });

  it('has nothing for a scope that never folded', async () => {
    const memories = await foldMemories(storeWith({}), key, scope, list);
    expect(memories).toEqual({appliedFolds: []});
  });

  it('asks for that session and scope', async () => {
    const asked: unknown[] = [];
    const store = storeWith({});
    store.load = async (...request: unknown[]) => {
      asked.push(...request);
      return undefined;
    };
    expect(await foldMemories(store, key, scope, list as Content[])).toEqual({appliedFolds: []});
    expect(asked).toEqual([key, scope]);
  });
});
