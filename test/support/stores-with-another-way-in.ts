import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {type CompactionStore, MemoryCompactionStore} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {temporaryFolder} from './temporary-folder.ts';

/** A store, and another way into it, as the process has that deletes sessions. */
export interface Stores {
  readonly store: CompactionStore;
  readonly other: CompactionStore;
}

export const STORES: readonly [name: string, open: () => Stores][] = [
  [
    'in memory',
    () => {
      const store = new MemoryCompactionStore();
      return {store, other: store};
    },
  ],
  [
    'in a file that another connection deletes from',
    () => {
      const path = join(temporaryFolder(), 'agent.db');
      const [store, other] = [openSqliteStore(path), openSqliteStore(path)];
      onTestFinished(() => {
        store.close();
        other.close();
      });
      return {store: store.compaction, other: other.compaction};
    },
  ],
];
