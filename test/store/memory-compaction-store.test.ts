import {expect, it} from 'vitest';
import {MemoryCompactionStore} from '../../src/store/memory-compaction-store.ts';
import {FOLD, SCOPE} from '../../src/testing/contract-records.ts';

it('forgets the session used longest ago when there are more than 1,000, and says so to who knew it', async () => {
  const store = new MemoryCompactionStore();
  const key = (session: number) => ({appName: 'app', userId: 'user', sessionId: `${session}`});
  const save = (session: number) => store.commit(key(session), SCOPE, {records: [FOLD], decisions: []});
  for (let session = 0; session < 1_000; session++) {
    await save(session);
  }
  const unknown = (await store.load(key(1_000), SCOPE))?.revision;
  const known = (await store.load(key(1), SCOPE))?.revision;
  expect(await store.records(key(0))).toEqual([FOLD]);

  await store.load(key(0), SCOPE);
  for (let session = 2; session < 1_000; session++) {
    await store.load(key(session), SCOPE);
  }
  await save(1_000);

  expect(await store.records(key(0))).toEqual([FOLD]);
  expect(await store.load(key(1), SCOPE, known)).toMatchObject({folds: []});
  expect(await store.load(key(1_001), SCOPE, unknown)).toBeDefined();
});
