import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type CompactionPolicy, estimateRequest, MemoryCompactionStore} from '../../src/index.ts';
import {repairOrphans} from '../../src/request/repair-orphans.ts';
import {compactionFaults, requestFaults} from '../../src/testing.ts';
import {KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';
import {histories} from './histories.ts';

const policies: fc.Arbitrary<Partial<CompactionPolicy>> = fc.record({
  contextTokens: fc.integer({min: 100, max: 2_500}),
  triggerFraction: fc.constantFrom(0.5, 0.85, 1),
  targetFraction: fc.constantFrom(0.1, 0.3, 0.49),
  keepRecentContents: fc.nat(8),
  minimumElisionTokens: fc.constantFrom(0, 10, 100),
  preserveToolNames: fc.constantFrom([], ['pin']),
  estimator: fc.constantFrom('bytes', 'features'),
});

const estimate = (contents: Content[]): number => estimateRequest(requestOf(contents), {media: 'modality'}).tokens;

/** The history as it grew, cut before each content that a model call could have ended with. */
function growing(history: Content[]): Content[][] {
  return history.flatMap((content, index) => (content.role === 'user' ? [history.slice(0, index + 1)] : []));
}

describe('the manager, over random histories', () => {
  it('what came in valid goes out valid, the last content untouched, the estimate not above before', async () => {
    await fc.assert(
      fc.asyncProperty(histories, policies, async (history, policy) => {
        const harness = new ManagerHarness(policy);
        const out = await harness.contents(history);
        const repaired = [...repairOrphans(history)];
        expect(requestFaults(out)).toEqual([]);
        expect(compactionFaults(repaired, out)).toEqual([]);
        expect(out.at(-1)).toEqual(history.at(-1));
        if (policy.estimator === 'bytes') {
          expect(estimate(out)).toBeLessThanOrEqual(estimate(repaired));
        }
        expect(harness.codes().filter((code) => code !== 'compaction.budget.exhausted')).toEqual([]);
      }),
      {numRuns: 2_000},
    );
  });

  it('the same decisions applied again change nothing, write nothing, and a restart gives the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(histories, policies, async (history, policy) => {
        const store = new MemoryCompactionStore();
        const running = new ManagerHarness(policy, {store});
        for (const contents of growing(history)) {
          const sent = JSON.stringify(await running.contents(contents));
          const records = await store.records(KEY);
          const restarted = new ManagerHarness(policy, {store});
          expect(JSON.stringify(await restarted.contents(contents))).toBe(sent);
          expect(JSON.stringify(await running.contents(contents))).toBe(sent);
          expect(await store.records(KEY)).toEqual(records);
        }
      }),
      {numRuns: 150},
    );
  });

  it('the figure kept by differences equals a fresh estimate of what goes out', async () => {
    await fc.assert(
      fc.asyncProperty(histories, policies, async (history, policy) => {
        const harness = new ManagerHarness({...policy, estimator: 'bytes'});
        for (const contents of growing(history)) {
          const out = await harness.contents(contents);
          const {scopes} = await harness.manager.status(KEY);
          expect(scopes[0]?.estimate).toBe(estimate(out));
        }
      }),
      {numRuns: 150},
    );
  });

  it('every content is kept or dropped by a record, and dropped only as a whole turn', async () => {
    await fc.assert(
      fc.asyncProperty(histories, policies, async (history, policy) => {
        const harness = new ManagerHarness(policy);
        const out = await harness.contents(history);
        const repaired = repairOrphans(history);
        const starts = harness.records.flatMap((record) =>
          record.kind === 'drop' ? record.covers.map((cover) => cover.index) : [],
        );
        const turnEnd = (start: number): number => {
          const next = repaired.findIndex(
            (content, index) =>
              index > start && content.role === 'user' && !content.parts?.some((part) => part.functionResponse),
          );
          return next === -1 ? repaired.length : next;
        };
        const dropped = starts.reduce((sum, start) => sum + turnEnd(start) - start, 0);
        expect(out.length).toBe(repaired.length - dropped);
      }),
      {numRuns: 500},
    );
  });
});
