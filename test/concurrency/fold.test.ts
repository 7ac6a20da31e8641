import {join} from 'node:path';
import {InMemorySessionService} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it, vi} from 'vitest';
import {type CompactionStore, type Fold, MemoryCompactionStore} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {answer, call, model, ScriptedModel, type ScriptedReply, user} from '../../src/testing.ts';
import {chat, folding, gate, noText, summarizer, summaryText, textOf} from '../manager/fold-rig.ts';
import {AgentProcess, SESSION} from '../manager/fold-runner.ts';
import {KEY} from '../support/manager-harness.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';

/** A summariser whose answers wait until the gate of their call is opened. */
function gated(...replies: ScriptedReply[]): {writer: ScriptedModel; gates: ReturnType<typeof gate>[]} {
  const gates = replies.map(() => gate());
  const writer = new ScriptedModel(async (_, index) => {
    await gates[index]?.opened;
    return replies[index] ?? model('never');
  });
  return {writer, gates};
}

/** Two processes of one host on one file. */
function twoStores(): [CompactionStore, CompactionStore] {
  const path = join(temporaryFolder(), 'agent.db');
  return [
    openSqliteStore({path, durability: 'process'}).compaction,
    openSqliteStore({path, durability: 'process'}).compaction,
  ];
}

describe('in one process', () => {
  it('four concurrent runs on one session make one summary call, one report and one record', async () => {
    const reports: Fold[] = [];
    const {writer, gates} = gated(model('S'));
    const harness = folding({summarizer: writer, onFold: (report) => void reports.push(report)});
    const runs = [1, 2, 3, 4].map(() => harness.contents(chat(10)));
    await vi.waitUntil(() => writer.requests.length > 0);
    gates[0]?.open();
    const sent = await Promise.all(runs);
    expect(new Set(sent.map((contents) => JSON.stringify(contents))).size).toBe(1);
    expect(textOf(sent[0]?.[0])).toBe(summaryText('S'));
    expect([writer.requests.length, reports.length, harness.kinds()]).toEqual([1, 1, ['fold']]);
  });

  it.each([
    ["ADK's in-memory sessions: all see the same beginning, one summary call", new InMemorySessionService(), 1],
    ['sessions that follow each other: one fold for each beginning', undefined, 4],
  ])('four concurrent runners on one session, no turn fails (%s)', async (_, sessions, calls) => {
    const agent = new ScriptedModel((_request, index) => model(`answer ${index} ${'a'.repeat(180)}`));
    const {writer, gates} = gated(model('S'), model('S'), model('S'), model('S'));
    const fold = {summarizer: writer, keepLast: 6};
    const process = new AgentProcess(join(temporaryFolder(), 'agent.db'), {agent, fold, ...(sessions && {sessions})});
    for (let turn = 0; turn < 7; turn += 1) {
      await process.turn(`question ${turn} ${'q'.repeat(180)}`);
    }
    expect(writer.requests).toHaveLength(0);
    const runs = [1, 2, 3, 4].map((run) => process.turn(`together ${run} ${'t'.repeat(400)}`));
    await vi.waitUntil(() => writer.requests.length === calls);
    for (const each of gates) {
      each.open();
    }
    await Promise.all(runs);
    expect(writer.requests).toHaveLength(calls);
    const folds = (await process.store.compaction.records(SESSION)).filter(({kind}) => kind === 'fold');
    expect(new Set(folds.map(({prefixHash}) => prefixHash)).size).toBe(folds.length);
    expect(folds.length).toBeGreaterThan(0);
    expect(process.warnings).toEqual([]);
    await process.end();
  });

  it('two that fail together share the failure: two calls, one record, one warning', async () => {
    const harness = folding({summarizer: summarizer(noText), pin: ({role}) => role === 'user'});
    await Promise.all([harness.contents(chat(10)), harness.contents(chat(10))]);
    expect(harness.kinds()).toEqual(['failed-fold']);
    expect(harness.codes().filter((code) => code === 'compaction.fold.failed')).toHaveLength(1);
  });

  it('one caller that leaves does not cancel the others', async () => {
    const controller = new AbortController();
    const {writer, gates} = gated(model('S'));
    const harness = folding({summarizer: writer});
    const leaving = harness.contents(chat(10), {signal: controller.signal});
    const staying = harness.contents(chat(10), {signal: new AbortController().signal});
    await vi.waitUntil(() => writer.requests.length > 0);
    controller.abort(new Error('left'));
    expect(await leaving).toEqual(chat(10));
    gates[0]?.open();
    expect(textOf((await staying)[0])).toBe(summaryText('S'));
    expect(harness.kinds()).toEqual(['fold']);
  });

  it('a shorter fold that ends after a longer one is discarded; its call gets the longer summary and its own end', async () => {
    const {writer, gates} = gated(model('SHORT'), model('LONG'));
    const reports: Fold[] = [];
    const store = new MemoryCompactionStore();
    const harness = folding({summarizer: writer, onFold: (report) => void reports.push(report)}, store);
    const history = chat(10);
    const longer = [...history.slice(0, -1), user('x'), model('y'), user('z')];
    const short = harness.contents(history);
    await vi.waitUntil(() => writer.requests.length === 1);
    const long = harness.contents(longer);
    await vi.waitUntil(() => writer.requests.length === 2);
    gates[1]?.open();
    expect(textOf((await long)[0])).toBe(summaryText('LONG'));
    gates[0]?.open();
    const out = await short;
    expect(out.at(-1)).toEqual(user('now'));
    expect(reports.map(({split}) => split)).toEqual(await storedSplits(store));
  });

  it('a call that waited for its elisions uses the fold another call made meanwhile, and drops nothing', async () => {
    const written = gate();
    class SlowElisions extends MemoryCompactionStore {
      override async commit(...args: Parameters<CompactionStore['commit']>): ReturnType<CompactionStore['commit']> {
        if (args[2].records[0]?.kind === 'elision') {
          await written.opened;
        }
        return await super.commit(...args);
      }
    }
    const writer = summarizer('S');
    const harness = folding({summarizer: writer}, new SlowElisions());
    const history = [user('start'), call('read'), answer('read', {text: 'x'.repeat(400)}), ...chat(10)];
    const waiting = harness.contents(history);
    const out = await harness.contents(history);
    expect(textOf(out[0])).toBe(summaryText('S'));
    written.open();
    expect(await waiting).toEqual(out);
    expect(harness.kinds()).toEqual(['fold', 'elision']);
    expect(writer.requests).toHaveLength(1);
  });
});

describe('two processes on one file', () => {
  it("store one fold per prefix: the loser's is discarded unreported and the stored one is used", async () => {
    const [one, other] = twoStores();
    const {writer, gates} = gated(model('LOSER'));
    const onFold = vi.fn();
    const loser = folding({summarizer: writer, onFold}, one);
    const losing = loser.contents(chat(10));
    await vi.waitUntil(() => writer.requests.length === 1);
    const winner = folding({summarizer: summarizer('WINNER')}, other);
    const won = await winner.contents(chat(10));
    gates[0]?.open();
    expect(JSON.stringify(await losing)).toBe(JSON.stringify(won));
    expect(onFold).not.toHaveBeenCalled();
    expect([loser.records, loser.warnings]).toEqual([[], []]);
    expect(await one.records(KEY)).toHaveLength(1);
    expect(JSON.stringify(await loser.contents(chat(10)))).toBe(JSON.stringify(won));
  });

  it('lost only at the write itself: the report stands, the stored fold is used, and one record is there', async () => {
    const [one, other] = twoStores();
    const winner = folding({summarizer: summarizer('WINNER')}, other);
    const seen: (Content | undefined)[] = [];
    const loser = folding(
      {
        summarizer: summarizer('LOSER'),
        onFold: async ({summary}) => {
          seen.push(summary);
          await winner.contents(chat(10));
        },
      },
      one,
    );
    expect(textOf((await loser.contents(chat(10)))[0])).toBe(summaryText('WINNER'));
    expect(seen.map(textOf)).toEqual([summaryText('LOSER')]);
    expect(loser.records).toEqual([]);
    expect((await one.records(KEY)).map(({summary}) => summary)).toEqual([summaryText('WINNER')]);
  });

  it("take over each other's folds, failures and successes at the next call", async () => {
    const [one, other] = twoStores();
    const pin = (content: Content): boolean => textOf(content).startsWith('question');
    const first = folding({summarizer: summarizer(noText), pin}, one);
    const writer = summarizer('S');
    const second = folding({summarizer: writer, pin}, other);
    await first.contents(chat(10));
    await second.contents(chat(10));
    expect(writer.requests).toHaveLength(0);
    second.manager.compactNow(KEY);
    const folded = await second.contents(chat(10));
    expect(JSON.stringify(await first.contents(chat(10)))).toBe(JSON.stringify(folded));
    expect((await first.manager.status(KEY)).scopes[0]).toMatchObject({folds: 1});
    expect((await first.manager.status(KEY)).scopes[0]).not.toHaveProperty('backOff');
  });
});

async function storedSplits(store: CompactionStore): Promise<(number | undefined)[]> {
  return (await store.records(KEY)).map(({split}) => split);
}
