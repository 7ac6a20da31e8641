import {expect, it} from 'vitest';
import {FoldMemory} from '../../src/fold/fold-memory.ts';
import {historyOf} from '../../src/fold/history.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {contents, summaryItem} from './notation.ts';

const foldOf = (list: ReturnType<typeof contents>, name: string) => ({
  split: 2,
  prefixHash: prefixHash(list.slice(0, 2)),
  output: [summaryItem(name)],
  pinned: [],
});

it('a fold of the same prefix takes the place of the earlier one', () => {
  const [one, other] = [contents('u9 u9 u9'), contents('u9 u9 u9')];
  const memory = new FoldMemory(2);
  memory.install(foldOf(one, 'one'), false);
  memory.install(foldOf(other, 'other'), false);
  memory.install(foldOf(other, 'other again'), true);
  expect(memory.inUse(historyOf(one))?.output).toEqual([summaryItem('one')]);
  expect(memory.inUse(historyOf(other))?.output).toEqual([summaryItem('other again')]);
});

it('is bounded by its capacity when it takes over what is stored, too', () => {
  const lists = [contents('u9 u9 u9'), contents('u9 u9 u9'), contents('u9 u9 u9')] as const;
  const memory = new FoldMemory(2);
  memory.restore(
    lists.map((list) => foldOf(list, 'stored')),
    undefined,
  );
  expect(lists.map((list) => memory.inUse(historyOf(list)) !== undefined)).toEqual([false, true, true]);
});
