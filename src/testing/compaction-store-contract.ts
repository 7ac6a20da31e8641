import assert from 'node:assert/strict';
import type {Scope} from '../session-key.ts';
import {
  type CompactionStore,
  type ScopeCommit,
  type ScopeSnapshot,
  SessionDeletedError,
} from '../store/compaction-store.ts';
import {type ContractOptions, type Rules, runContract} from './contract.ts';
import {ELISION, FAILED_FOLD, FOLD, KEY, LEARNED, OTHER_SCOPE, SAMPLE, SCOPE} from './contract-records.ts';

const RULES: Rules<CompactionStore> = {
  'gives an empty snapshot for a scope it does not know': async (store) => {
    const {revision, ...rest} = await load(store);
    assert.equal(typeof revision, 'string');
    assert.deepEqual(rest, {decisions: [], folds: [], calibrations: [], unreadable: []});
  },

  'gives nothing when the known revision is still the current one': async (store) => {
    const empty = await load(store);
    assert.equal(await store.load(KEY, SCOPE, empty.revision), undefined);
    const {revisions} = await commit(store, {records: [ELISION]});
    const {revision} = await load(store);
    assert.notEqual(revision, empty.revision);
    const expected = {before: empty.revision, after: revision};
    assert.deepEqual(revisions ?? expected, expected, 'a commit that gives revisions gives those of load');
    assert.equal(await store.load(KEY, SCOPE, revision), undefined);
    assert.equal((await store.load(KEY, SCOPE, empty.revision))?.revision, revision);
  },

  'never gives a revision again after a deletion': async (store) => {
    const seen = new Set<string>();
    for (let round = 0; round < 4; round++) {
      for (const isCommitted of [false, true, true]) {
        if (isCommitted) {
          await commit(store, {});
        }
        const {revision} = await load(store);
        assert.equal(seen.has(revision), false, `revision ${revision} came twice`);
        seen.add(revision);
      }
      await store.deleteSession(KEY);
    }
  },

  'raises the occurrences of a decision and never lowers them': async (store) => {
    await commit(store, {decisions: [{kind: 'elision', identity: 'a', occurrences: 2}]});
    await commit(store, {
      decisions: [
        {kind: 'elision', identity: 'a', occurrences: 1},
        {kind: 'drop', identity: 'a', occurrences: 1},
        {kind: 'elision', identity: 'b', occurrences: 3},
      ],
    });
    await commit(store, {decisions: [{kind: 'elision', identity: 'b', occurrences: 5}]});
    assert.deepEqual((await load(store)).decisions, [
      {kind: 'elision', identity: 'a', occurrences: 2},
      {kind: 'drop', identity: 'a', occurrences: 1},
      {kind: 'elision', identity: 'b', occurrences: 5},
    ]);
  },

  'gives folds in the order of writing, whatever the clock says': async (store) => {
    await commit(store, {records: [{...FOLD, time: 200}]});
    await commit(store, {records: [{...FOLD, time: 100, prefixHash: 'hash-2', split: 6, pinned: []}]});
    const {folds} = await load(store);
    assert.deepEqual(folds, [
      {split: 4, prefixHash: 'hash-1', output: FOLD.output, pinned: [1, 2]},
      {split: 6, prefixHash: 'hash-2', output: FOLD.output, pinned: []},
    ]);
  },

  'keeps the fold that is already there for a prefix': async (store) => {
    await commit(store, {records: [FOLD]});
    const rival = {...FOLD, output: [{role: 'user', parts: [{text: 'a rival'}]}], time: 51};
    const result = await commit(store, {
      records: [ELISION, rival],
      decisions: [{kind: 'drop', identity: 'a', occurrences: 1}],
    });
    const kept = {split: 4, prefixHash: 'hash-1', output: FOLD.output, pinned: [1, 2]};
    assert.deepEqual(result.existingFold, kept);
    assert.deepEqual((await load(store)).folds, [kept]);
    assert.deepEqual(await store.records(KEY), [FOLD, ELISION]);
    assert.equal((await load(store)).decisions.length, 1);
  },

  'stores a fold of the same prefix in another scope and another session': async (store) => {
    const elsewhere = {...KEY, sessionId: 'other'};
    await commit(store, {records: [FOLD]});
    assert.equal((await store.commit(KEY, OTHER_SCOPE, {records: [FOLD], decisions: []})).existingFold, undefined);
    assert.equal((await store.commit(elsewhere, SCOPE, {records: [FOLD], decisions: []})).existingFold, undefined);
  },

  'stores one of many folds of one prefix that are committed at once': async (store) => {
    const results = await Promise.all(Array.from({length: 20}, () => commit(store, {records: [FOLD]})));
    assert.equal(results.filter((result) => result.existingFold === undefined).length, 1);
    assert.equal((await store.records(KEY)).length, 1);
  },

  'does not take folds without a prefix hash for one another': async (store) => {
    const {prefixHash: _, ...unhashed} = FOLD;
    for (const record of [unhashed, {...FOLD, prefixHash: ''}, {...FOLD, prefixHash: ''}]) {
      assert.equal((await commit(store, {records: [record]})).existingFold, undefined);
    }
    assert.equal((await store.records(KEY)).length, 3);
    assert.deepEqual((await load(store)).folds, []);
  },

  'remembers the newest failed fold that has a prefix hash': async (store) => {
    const {prefixHash: _, ...unhashed} = FAILED_FOLD;
    await commit(store, {records: [FAILED_FOLD]});
    await commit(store, {records: [{...FAILED_FOLD, prefixHash: 'newer', time: 1}]});
    await commit(store, {records: [unhashed]});
    assert.deepEqual((await load(store)).failedFold, {split: 4, prefixHash: 'newer', tokensBefore: 900});
    assert.equal((await store.failedFolds(KEY)).length, 3);
  },

  'forgets a failed fold once a fold is stored, and keeps its record': async (store) => {
    await commit(store, {records: [FAILED_FOLD]});
    await commit(store, {records: [FOLD]});
    assert.equal((await load(store)).failedFold, undefined);
    assert.deepEqual(await store.failedFolds(KEY), [FAILED_FOLD]);
    await commit(store, {records: [{...FAILED_FOLD, time: 1}]});
    assert.equal((await load(store)).failedFold?.prefixHash, 'hash-failed');
  },

  'gives every field of every record back, oldest first over all scopes': async (store) => {
    const drop = {...ELISION, kind: 'drop', scope: OTHER_SCOPE} as const;
    await commit(store, {records: [ELISION, FAILED_FOLD]});
    await store.commit(KEY, OTHER_SCOPE, {records: [drop], decisions: []});
    await commit(store, {records: [FOLD]});
    assert.deepEqual(await store.records(KEY), [ELISION, drop, FOLD]);
    assert.deepEqual(await store.failedFolds(KEY), [FAILED_FOLD]);
  },

  'keeps the order of keys, so that a request has the same bytes after a restart': async (store) => {
    const output = [{role: 'user', parts: [{text: 'z', a: {y: 1, x: 2}}]}];
    await commit(store, {records: [{...FOLD, output}]});
    assert.equal(JSON.stringify((await load(store)).folds[0]?.output), JSON.stringify(output));
  },

  'replaces what was learnt of a model and estimator, and keeps every sample': async (store) => {
    const features = {...LEARNED, estimator: 'features', state: {anchor: -3}} as const;
    const newer = {...LEARNED, state: {factor: 0.75}};
    await store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    await store.saveCalibration(KEY, SCOPE, {...SAMPLE, time: 1}, features);
    await store.saveCalibration(KEY, OTHER_SCOPE, {...SAMPLE, scope: OTHER_SCOPE}, LEARNED);
    await store.saveCalibration(KEY, SCOPE, {...SAMPLE, time: 2}, newer);
    assert.deepEqual((await load(store)).calibrations, [newer, features]);
    assert.deepEqual(await store.calibrations(KEY), [
      SAMPLE,
      {...SAMPLE, time: 1},
      {...SAMPLE, scope: OTHER_SCOPE},
      {...SAMPLE, time: 2},
    ]);
  },

  'does not change the revision for a calibration': async (store) => {
    const empty = await load(store);
    await store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    assert.equal(await store.load(KEY, SCOPE, empty.revision), undefined);
    await commit(store, {records: [ELISION]});
    const {revision} = await load(store);
    await store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    assert.equal(await store.load(KEY, SCOPE, revision), undefined);
  },

  'lists each scope once, in the order first seen': async (store) => {
    const branch: Scope = {agentName: 'agent', branch: 'b'};
    const isolated: Scope = {agentName: 'agent', isolationScope: 'b'};
    await store.saveCalibration(KEY, branch, {...SAMPLE, scope: branch}, LEARNED);
    await commit(store, {records: [ELISION]});
    await store.commit(KEY, isolated, {records: [], decisions: []});
    await commit(store, {});
    assert.deepEqual(await store.scopes(KEY), [branch, SCOPE, isolated]);
  },

  'keeps sessions whose ids look alike apart': async (store) => {
    const ids = [
      'a_b',
      'aXb',
      'a%',
      'a%b',
      "a'b",
      'a"; drop table sessions;--',
      ' s ',
      's',
      'S',
      '日本',
      'x\u0000y',
      'x',
    ];
    const keys = ids.flatMap((id) => [
      {appName: id, userId: 'u', sessionId: 's'},
      {appName: 'a', userId: id, sessionId: 's'},
      {appName: 'a', userId: 'u', sessionId: `id ${id}`},
    ]);
    for (const [time, key] of keys.entries()) {
      await store.commit(key, SCOPE, {records: [{...ELISION, time}], decisions: []});
    }
    for (const [time, key] of keys.entries()) {
      assert.deepEqual(await store.records(key), [{...ELISION, time}]);
    }
    for (const [index, key] of keys.entries()) {
      await store.deleteSession(key);
      const left = await Promise.all(keys.map(async (other) => (await store.records(other)).length));
      assert.deepEqual(
        left,
        keys.map((_, other) => (other > index ? 1 : 0)),
      );
    }
  },

  'deletes all it knows of a session, twice without complaint, and nothing else': async (store) => {
    const other = {...KEY, userId: 'other'};
    await commit(store, {records: [FOLD, FAILED_FOLD], decisions: [{kind: 'drop', identity: 'a', occurrences: 1}]});
    await store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED);
    await store.commit(other, SCOPE, {records: [ELISION], decisions: []});
    await store.deleteSession(KEY);
    await store.deleteSession(KEY);
    assert.deepEqual(await store.scopes(KEY), []);
    assert.deepEqual(await store.records(KEY), []);
    assert.deepEqual(await store.failedFolds(KEY), []);
    assert.deepEqual(await store.calibrations(KEY), []);
    const {revision: _, ...rest} = await load(store);
    assert.deepEqual(rest, {decisions: [], folds: [], calibrations: [], unreadable: []});
    assert.deepEqual(await store.records(other), [ELISION]);
  },

  'refuses what was decided before the session was deleted, and stores nothing of it': async (store) => {
    for (const isEmpty of [true, false]) {
      if (!isEmpty) {
        await commit(store, {records: [ELISION]});
      }
      const {revision: basedOn} = await load(store);
      await store.deleteSession(KEY);
      const isDeleted = (error: unknown): boolean => SessionDeletedError.isInstance(error);
      const decisions = [{kind: 'drop', identity: 'a', occurrences: 1}] as const;
      await assert.rejects(commit(store, {records: [FOLD], decisions, basedOn}), isDeleted);
      await assert.rejects(store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED, basedOn), isDeleted);
      assert.deepEqual(await store.scopes(KEY), []);
      await commit(store, {records: [FOLD], basedOn: (await load(store)).revision});
      await assert.rejects(commit(store, {records: [ELISION], basedOn}), isDeleted);
      assert.deepEqual(await store.records(KEY), [FOLD]);
    }
  },

  'takes what was decided before others committed, or before another session was deleted': async (store) => {
    const {revision: empty} = await load(store);
    await commit(store, {records: [FOLD], basedOn: empty});
    const {revision: first} = await load(store);
    await commit(store, {records: [ELISION], basedOn: empty});
    await store.saveCalibration(KEY, SCOPE, SAMPLE, LEARNED, empty);
    for (const other of [
      {...KEY, sessionId: 'other'},
      {...KEY, userId: 'other'},
      {...KEY, appName: 'other'},
    ]) {
      await store.commit(other, SCOPE, {records: [FOLD], decisions: []});
      await store.deleteSession(other);
    }
    await commit(store, {records: [FAILED_FOLD], basedOn: first});
    await commit(store, {decisions: [{kind: 'drop', identity: 'a', occurrences: 1}], basedOn: empty});
    assert.deepEqual(await store.records(KEY), [FOLD, ELISION]);
    assert.equal((await store.failedFolds(KEY)).length, 1);
    assert.equal((await load(store)).decisions.length, 1);
  },

  'shares no object with its callers': async (store) => {
    const record = structuredClone(FOLD);
    await commit(store, {records: [record]});
    for (const {output} of [record, ...(await load(store)).folds, ...(await store.records(KEY))]) {
      Object.assign(output?.[0]?.parts?.[0] ?? {}, {text: 'changed'});
    }
    assert.deepEqual((await load(store)).folds[0]?.output, FOLD.output);
    assert.deepEqual(await store.records(KEY), [FOLD]);
  },

  'refuses a record that has no JSON form, and stores nothing of its commit': async (store) => {
    const content: Record<string, unknown> = {role: 'user'};
    content.self = content;
    await assert.rejects(commit(store, {records: [ELISION, {...FOLD, output: [content]}]}));
    assert.deepEqual(await store.records(KEY), []);
  },
};

/**
 * Registers the suite that every `CompactionStore` must pass. It asserts with node:assert, so that any runner will do:
 *
 *     compactionStoreContract({describe, it, name: 'my store', use: async (test) => test(new MyStore())});
 */
export function compactionStoreContract(options: ContractOptions<CompactionStore>): void {
  runContract(RULES, options);
}

async function load(store: CompactionStore): Promise<ScopeSnapshot> {
  const snapshot = await store.load(KEY, SCOPE);
  assert.ok(snapshot, 'load without a known revision gives a snapshot');
  return snapshot;
}

function commit(store: CompactionStore, {records = [], decisions = [], basedOn}: Partial<ScopeCommit>) {
  return store.commit(KEY, SCOPE, {records, decisions, basedOn});
}
