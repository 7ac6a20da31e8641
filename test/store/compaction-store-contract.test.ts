import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, it} from 'vitest';
import {MemoryCompactionStore} from '../../src/store/memory-compaction-store.ts';
import {SqliteCompactionStore} from '../../src/store/sqlite/compaction-rows.ts';
import {openSqliteDatabase} from '../../src/store/sqlite/open.ts';
import {compactionStoreContract} from '../../src/testing/compaction-store-contract.ts';

compactionStoreContract({
  describe,
  it,
  name: 'MemoryCompactionStore',
  use: (test) => test(new MemoryCompactionStore()),
});

compactionStoreContract({
  describe,
  it,
  name: "SqliteCompactionStore on ':memory:'",
  use: async (test) => {
    const database = openSqliteDatabase({path: ':memory:'});
    try {
      await test(new SqliteCompactionStore(database));
    } finally {
      database.close();
    }
  },
});

compactionStoreContract({
  describe,
  it,
  name: 'SqliteCompactionStore on a file',
  use: async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'adk-compaction-'));
    const database = openSqliteDatabase({path: join(folder, 'store.db')});
    try {
      await test(new SqliteCompactionStore(database));
    } finally {
      database.close();
      rmSync(folder, {recursive: true});
    }
  },
});
