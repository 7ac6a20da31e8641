import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {
  type CompactionPolicy,
  type CompactionRecord,
  estimateRequest,
  type FailedFoldRecord,
  type Fold,
  MemoryCompactionStore,
  prefixHash,
} from '../../src/index.ts';
import {repairOrphans} from '../../src/request/repair-orphans.ts';
import {compactionFaults, model, requestFaults, ScriptedModel, type ScriptedReply} from '../../src/testing.ts';
import {contextFor, KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';
import {histories} from './histories.ts';

/** A content that can be told from every other one. */
type Tagged = Content & {readonly tag: number};

const policies: fc.Arbitrary<Partial<CompactionPolicy>> = fc.record({
  contextTokens: fc.integer({min: 300, max: 4_000}),
  triggerFraction: fc.constantFrom(0.5, 0.85),
  targetFraction: fc.constantFrom(0.1, 0.3, 0.49),
  keepRecentContents: fc.nat(6),
  minimumElisionTokens: fc.constantFrom(10, 10_000),
  preserveToolNames: fc.constantFrom([], ['pin']),
  estimator: fc.constantFrom('bytes', 'features'),
});

const folds = fc.record(
  {
    keepLast: fc.integer({min: 1, max: 6}),
    minFold: fc.constantFrom(0, 40),
    material: fc.constantFrom('text', 'contents'),
    summarizerContextTokens: fc.constantFrom(800, 100_000),
    pin: fc.constantFrom((content: Content) => (content as Tagged).tag % 7 === 2),
  },
  {requiredKeys: ['summarizerContextTokens']},
);

/** What the summariser does at each of its calls, over and over; `made` counts so that no two summaries are alike. */
const behaviours = fc.array(
  fc.constantFrom<(made: number) => ScriptedReply>(
    (made) => model(`S${made}`),
    (made) => model(`summary ${made} ${'with more to say '.repeat(6)}`),
    (made) => model(`S${made} ${'far too large '.repeat(2_000)}`),
    (made) => ({kind: 'answer', parts: [{text: 'hm', thought: true}, {text: `S${made}`}, {functionCall: {name: 'x'}}]}),
    () => ({kind: 'answer', parts: [{functionCall: {name: 'read', args: {}}}]}),
    () => ({kind: 'answer', parts: [{text: 'thinking', thought: true}]}),
    () => ({kind: 'answer', parts: [{text: ' \n'}]}),
    () => ({kind: 'answer', parts: [{text: 'half'}], finishReason: 'MAX_TOKENS'}),
    () => ({kind: 'answer', parts: [], finishReason: 'SAFETY'}),
    () => ({kind: 'blocked', reason: 'SAFETY'}),
    () => ({kind: 'error', status: 429}),
  ),
  {minLength: 1, maxLength: 5},
);

/** The history as it grew, in at most eight steps: cut where a model is called, all answers in. */
function growing(history: Content[]): Tagged[][] {
  const tagged = repairOrphans(history).map((content, tag) => ({...content, tag}));
  const cuts = tagged.flatMap((content, index) => {
    const next = tagged[index + 1];
    const isCalled = content.role === 'user' && (next?.role !== 'user' || !next.parts?.[0]?.functionResponse);
    return isCalled ? [tagged.slice(0, index + 1)] : [];
  });
  const stride = Math.ceil(cuts.length / 8);
  return cuts.filter((_, index) => (cuts.length - 1 - index) % stride === 0);
}

const startsTurn = ({role, parts}: Content): boolean =>
  role === 'user' && !parts?.some((part) => part.functionResponse);

/** Contents that are neither in the request, nor under the fold in use, nor in a turn that a drop record covers. */
function lost(before: readonly Tagged[], after: readonly Content[], records: readonly CompactionRecord[]): number[] {
  const inUse = records.find(
    ({kind, split = 0, prefixHash: hash, output = []}) =>
      kind === 'fold' &&
      JSON.stringify(after[0]?.parts) === JSON.stringify(output[0]?.parts) &&
      hash === prefixHash(before.slice(0, split)),
  );
  const kept = after.slice(inUse?.output?.length ?? 0).map((content) => (content as Tagged).tag);
  const dropped = new Set(records.flatMap(({kind, covers}) => (kind === 'drop' ? covers.map(({index}) => index) : [])));
  const turnStart = (tag: number): number => before.findLastIndex((content, at) => at <= tag && startsTurn(content));
  const isAccounted = ({tag}: Tagged): boolean =>
    kept.filter((one) => one === tag).length === 1 ||
    (!kept.includes(tag) && (tag < (inUse?.split ?? 0) || dropped.has(turnStart(tag))));
  const isKnown = kept.every((tag) => before[tag] !== undefined);
  const unpinned = kept.filter((tag) => tag < (inUse?.split ?? 0) && !inUse?.pinned?.includes(tag));
  return [
    ...before.filter((content) => !isAccounted(content)).map(({tag}) => tag),
    ...unpinned,
    ...(isKnown ? [] : [-1]),
  ];
}

const withoutTime = ({time: _, ...rest}: CompactionRecord | FailedFoldRecord): object => rest;

describe('the fold in the manager, over random histories and summarisers', () => {
  it('never makes a request worse, loses nothing, reports what it records, and survives a restart', async () => {
    let made = 0;
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(histories, policies, folds, behaviours, async (history, policy, options, replies) => {
        const store = new MemoryCompactionStore();
        const reports: Fold[] = [];
        const writer = new ScriptedModel((_, call) => replies[call % replies.length]?.(call) ?? model('S'));
        const fold = {...options, summarizer: writer, onFold: (report: Fold) => void reports.push(report)};
        const harness = new ManagerHarness(policy, {store, fold});
        for (const contents of growing(history)) {
          const reported = reports.length;
          const request = requestOf([...contents]);
          await harness.manager.beforeModel({context: contextFor(), request});
          const out = request.contents;

          expect(repairOrphans(contents)).toBe(contents);
          expect([...requestFaults(out), ...compactionFaults(contents, out)]).toEqual([]);
          if (policy.estimator === 'bytes') {
            const tokens = (list: Content[]): number => estimateRequest(requestOf(list), {media: 'modality'}).tokens;
            expect(tokens(out)).toBeLessThanOrEqual(tokens(contents));
          }
          const records = await store.records(KEY);
          expect(lost(contents, out, records)).toEqual([]);
          const live = contents.findLast(startsTurn);
          const isKept = (content: Content): boolean => content === live || options.pin?.(content) === true;
          expect(contents.filter((content) => isKept(content) && !out.includes(content))).toEqual([]);
          expect(reports.length - reported).toBeLessThanOrEqual(1);

          const calls = writer.requests.length;
          const restarted = new ManagerHarness(policy, {store, fold});
          expect(JSON.stringify(await restarted.contents(contents))).toBe(JSON.stringify(out));
          expect([writer.requests.length, restarted.records, reports.length - reported > 1]).toEqual([
            calls,
            [],
            false,
          ]);
        }

        const stored = [...(await store.records(KEY)), ...(await store.failedFolds(KEY))];
        const byKind = (records: (CompactionRecord | FailedFoldRecord)[]): object[] =>
          ['elision', 'fold', 'drop', 'failed-fold'].flatMap((kind) =>
            records.filter((record) => record.kind === kind),
          );
        expect(byKind(harness.records)).toEqual(byKind(stored));
        const recorded = harness.records.filter(({kind}) => kind === 'fold' || kind === 'failed-fold').map(withoutTime);
        expect(recorded).toMatchObject(reports.map(asRecord));
        expect(recorded).toHaveLength(reports.length);
        expect(reports.reduce((sum, {attempts}) => sum + attempts, 0)).toBe(writer.requests.length);
        expect(harness.codes()).not.toContain('compaction.plan.rejected');
        made += reports.filter(({error}) => !error).length;
        failed += reports.filter(({error}) => error).length;
      }),
      {numRuns: 40, endOnFailure: true},
    );
    expect(made).toBeGreaterThan(5);
    expect(failed).toBeGreaterThan(5);
  });
});

function asRecord({split, prefixHash: hash, tokensBefore, attempts, usage, outputTypes, output, error}: Fold): object {
  return {
    kind: error ? 'failed-fold' : 'fold',
    split,
    prefixHash: hash,
    tokensBefore,
    attempts,
    ...(usage && {usage}),
    ...(outputTypes && {outputTypes}),
    ...(output && {output}),
    ...(error && {errorClass: error.code}),
  };
}
