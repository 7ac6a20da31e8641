import {join} from 'node:path';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {
  type CompactionRecord,
  type CompactionStore,
  type FailedFoldRecord,
  type FoldObserver,
  FoldTransform,
  foldMemories,
  MemoryCompactionStore,
  prefixHash,
} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {KEY} from '../support/manager-harness.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {chat, folding, noText, summarizer, summaryText, textOf, turnOf} from './fold-rig.ts';
import {AgentProcess, SESSION} from './fold-runner.ts';

const scope = {agentName: 'agent'};
const isRules = (content: Content): boolean => textOf(content).startsWith('the rules');

/** A store whose methods fail while it is down, and whose folds can be made unreadable. */
class FragileStore extends MemoryCompactionStore {
  down: {load?: boolean; commit?: boolean} = {};
  areFoldsUnreadable = false;

  override async load(...args: Parameters<CompactionStore['load']>): ReturnType<CompactionStore['load']> {
    if (this.down.load) {
      throw new Error('disk on fire');
    }
    const snapshot = await super.load(args[0], args[1]);
    return this.areFoldsUnreadable && snapshot ? {...snapshot, folds: [], unreadable: ['fold 1']} : snapshot;
  }

  override async commit(...args: Parameters<CompactionStore['commit']>): ReturnType<CompactionStore['commit']> {
    if (this.down.commit) {
      throw new Error('disk on fire');
    }
    return await super.commit(...args);
  }
}

it.each([
  ['made', 'a summary'],
  ['failed', noText],
] as const)(
  'an observer that writes into the report of a fold that was %s changes nothing that is stored',
  async (_, reply) => {
    const storedBy = async (onFold: FoldObserver): Promise<unknown> => {
      const store = new MemoryCompactionStore();
      await folding({summarizer: summarizer(reply, reply), onFold}, store).contents(chat(10));
      const records = [...(await store.records(KEY)), ...(await store.failedFolds(KEY))];
      return records.map((record) => ({...record, time: 0}));
    };
    const overwrite: FoldObserver = (report) => {
      report.outputTypes?.push('overwritten');
      Object.assign(report.usage ?? {}, {promptTokenCount: 999});
      Object.assign(report, {split: 1, tokensBefore: -5, attempts: 77, output: [], error: undefined});
    };
    expect(await storedBy(overwrite)).toEqual(await storedBy(() => {}));
  },
);

describe('a made fold, stored', () => {
  it('70: every column of the record is the same after reopening; session events are untouched', async () => {
    const path = join(temporaryFolder(), 'agent.db');
    const writer = summarizer(noText, {
      kind: 'answer',
      parts: [{text: 'S'}],
      usage: {
        promptTokenCount: 7,
        candidatesTokenCount: 2,
        totalTokenCount: 9,
        cachedContentTokenCount: 1,
        thoughtsTokenCount: 3,
        toolUsePromptTokenCount: 4,
      },
    });
    const agent = new ScriptedModel((_request, index) => model(`answer ${index} ${'a'.repeat(180)}`));
    const options = {agent, fold: {summarizer: writer, pin: isRules}};
    let process = new AgentProcess(path, options);
    await process.turn('the rules');
    while (process.records.length === 0) {
      await process.turn(`question ${agent.requests.length} ${'q'.repeat(180)}`);
    }
    const request = agent.requests.at(-1)?.contents;
    const events = JSON.stringify(await process.events());
    const [made] = process.records as CompactionRecord[];
    expect(made).toMatchObject({
      kind: 'fold',
      scope,
      summary: summaryText('S'),
      output: [user(summaryText('S'))],
      pinned: [0],
      attempts: 2,
      outputTypes: ['text'],
      usage: {
        candidatesTokenCount: expect.any(Number),
        cachedContentTokenCount: 1,
        thoughtsTokenCount: 3,
        toolUsePromptTokenCount: 4,
      },
    });
    expect(made?.tokensAfter).toBeLessThan(made?.tokensBefore ?? 0);
    await process.end();

    process = new AgentProcess(path, options);
    expect(await process.store.compaction.records(SESSION)).toEqual([made]);
    expect(JSON.stringify(await process.events())).toBe(events);
    await process.turn('short');
    const next = agent.requests.at(-1)?.contents ?? [];
    expect(JSON.stringify(next.slice(0, -2))).toBe(JSON.stringify(request));
    expect(writer.requests).toHaveLength(2);
    expect(process.records).toEqual([]);
    await process.end();
  });

  it('71: failed folds are stored by class, with a hash but for the aborted, and hold no text of the conversation', async () => {
    const path = join(temporaryFolder(), 'agent.db');
    const replies = [
      noText,
      {kind: 'answer', parts: [{text: 'half'}], finishReason: 'MAX_TOKENS'},
      model('large '.repeat(3_000)),
      {kind: 'error', status: 503, message: 'question 3 was refused'},
    ] as const;
    for (const [index, reply] of replies.entries()) {
      const store = openSqliteStore({path, durability: 'process'});
      const harness = folding({summarizer: summarizer(reply), backOff: false}, store.compaction);
      await harness.contents(chat(10), {key: {...KEY, sessionId: `s${index}`}});
      store.close();
    }
    const store = openSqliteStore({path, durability: 'process'});
    const aborting = folding({summarizer: summarizer('S')}, store.compaction);
    await aborting.contents(chat(10), {key: {...KEY, sessionId: 's4'}, signal: AbortSignal.abort(new Error('left'))});
    const failures: (FailedFoldRecord | undefined)[] = [];
    for (let index = 0; index < 5; index += 1) {
      failures.push(...(await store.compaction.failedFolds({...KEY, sessionId: `s${index}`})));
    }
    expect(failures.map((failure) => failure?.errorClass)).toEqual([
      'no-text',
      'incomplete',
      'too-large',
      'error',
      'aborted',
    ]);
    const hash = prefixHash(chat(10).slice(0, 18));
    expect(failures.map((failure) => failure?.prefixHash)).toEqual([hash, hash, hash, hash, undefined]);
    expect(JSON.stringify(failures)).not.toMatch(/question|half|large |refused/);
    store.close();
  });

  it('after a restart the next fold finds each pin in T, once, and the longest matching fold is used', async () => {
    const store = new MemoryCompactionStore();
    const writer = summarizer('ONE', 'TWO', 'THREE');
    const history = [...turnOf(0), user('the rules'), model('ok'), ...chat(40, 'now', 1)];
    const upTo = (count: number): Content[] => [...history.slice(0, count), user('now')];
    await folding({summarizer: writer, pin: isRules}, store).contents(upTo(22));
    const two = await folding({summarizer: writer, pin: isRules}, store).contents(upTo(40));
    expect(two.filter(isRules)).toHaveLength(1);
    expect((await store.records(KEY)).map(({summary, pinned}) => [summary, pinned])).toEqual([
      [summaryText('ONE'), [2]],
      [summaryText('TWO'), [2]],
    ]);
    const restarted = folding({summarizer: writer, pin: isRules}, store);
    expect(JSON.stringify(await restarted.contents(upTo(40)))).toBe(JSON.stringify(two));
    expect(textOf((await restarted.contents(upTo(22)))[0])).toBe(summaryText('ONE'));
    expect(writer.requests).toHaveLength(2);
    expect(restarted.records).toEqual([]);
  });

  it('is not there any more when the session was deleted, also for a new one under the same ids', async () => {
    const store = new MemoryCompactionStore();
    const writer = summarizer('OLD', 'NEW');
    const harness = folding({summarizer: writer}, store);
    await harness.contents(chat(10));
    await store.deleteSession(KEY);
    expect(textOf((await harness.contents(chat(10)))[0])).toBe(summaryText('NEW'));
    await store.deleteSession(KEY);
    expect(await harness.contents(chat(3))).toEqual(chat(3));
  });
});

describe('a store that fails', () => {
  it('75: refuses to write: folded, one warning, reused in this process; a restart asks again', async () => {
    const store = new FragileStore();
    store.down = {commit: true};
    const writer = summarizer('S', 'AGAIN');
    const harness = folding({summarizer: writer}, store);
    const out = await harness.contents(chat(10));
    expect(textOf(out[0])).toBe(summaryText('S'));
    expect(await harness.contents(chat(10))).toEqual(out);
    expect(harness.codes()).toEqual(['compaction.store.save']);
    expect(harness.kinds()).toEqual(['fold']);
    expect(writer.requests).toHaveLength(1);
    expect(textOf((await folding({summarizer: writer}, store).contents(chat(10)))[0])).toBe(summaryText('AGAIN'));
  });

  it('works again: the fold is written at the next call, and a restart knows it', async () => {
    const store = new FragileStore();
    store.down = {commit: true};
    const harness = folding({summarizer: summarizer('S')}, store);
    const out = await harness.contents(chat(10));
    store.down = {};
    await harness.contents(chat(10));
    expect(await store.records(KEY)).toEqual(harness.records);
    const restarted = folding({summarizer: summarizer('never')}, store);
    expect(JSON.stringify(await restarted.contents(chat(10)))).toBe(JSON.stringify(out));
  });

  it('a failure that could not be written backs off here, and another process clears it once it could', async () => {
    const store = new FragileStore();
    store.down = {commit: true};
    const pin = (content: Content): boolean => textOf(content).startsWith('question');
    const writer = summarizer(noText, noText, 'S');
    const harness = folding({summarizer: writer, pin}, store);
    await harness.contents(chat(10));
    await harness.contents(chat(10));
    expect(writer.requests).toHaveLength(2);
    store.down = {};
    await harness.contents(chat(10));
    expect((await harness.manager.status(KEY)).scopes[0]?.backOff?.reason).toBe('no-text');
    const other = folding({summarizer: summarizer('OTHER'), pin, backOff: false}, store);
    await other.contents(chat(10));
    expect(other.kinds()).toEqual(['fold']);
    expect(textOf((await harness.contents(chat(10)))[0])).toBe(summaryText('OTHER'));
    expect((await harness.manager.status(KEY)).scopes[0]).not.toHaveProperty('backOff');
  });

  it('cannot be read: this process goes on with what it knows, one warning', async () => {
    const store = new FragileStore();
    const writer = summarizer('S');
    const harness = folding({summarizer: writer}, store);
    const out = await harness.contents(chat(10));
    store.down = {load: true, commit: true};
    expect(await harness.contents(chat(10))).toEqual(out);
    expect(await harness.contents(chat(10))).toEqual(out);
    expect(harness.codes()).toEqual(['compaction.store.load']);
  });

  it('has an unreadable fold: named in a warning, treated as absent, folded afresh', async () => {
    const store = new FragileStore();
    await folding({summarizer: summarizer('S')}, store).contents(chat(10));
    store.areFoldsUnreadable = true;
    const harness = folding({summarizer: summarizer('FRESH')}, store);
    await harness.contents(chat(10));
    expect(harness.warnings[0]).toMatchObject({
      code: 'compaction.store.load',
      message: expect.stringContaining('fold 1'),
    });
  });
});

describe('foldMemories', () => {
  const history = [...turnOf(0), user('the rules'), model('ok'), ...chat(10, 'now', 1)];

  it('lets a lone FoldTransform resume from the store that a manager wrote', async () => {
    const store = new MemoryCompactionStore();
    const out = await folding({summarizer: summarizer('S'), pin: isRules}, store).contents(history);
    const writer = summarizer('never');
    const memories = await foldMemories(store, KEY, scope, history);
    const alone = new FoldTransform({summarizer: writer, budget: 1_020, keepLast: 3, ...memories});
    expect(await alone.transform(history)).toEqual(out);
    expect(writer.requests).toHaveLength(0);
    expect(await foldMemories(store, KEY, scope, [user('edited'), ...history.slice(1)])).toEqual({appliedFolds: []});
    expect(await foldMemories(store, KEY, {agentName: 'other'}, history)).toEqual({appliedFolds: []});
  });

  it('hands on the failure too: the lone one backs off', async () => {
    const store = new MemoryCompactionStore();
    await folding({summarizer: summarizer(noText)}, store).contents(history);
    const writer = summarizer('never');
    const memories = await foldMemories(store, KEY, scope, history);
    const alone = new FoldTransform({summarizer: writer, budget: 1_020, keepLast: 3, ...memories});
    expect(await alone.transform(history)).toBe(history);
    expect(writer.requests).toHaveLength(0);
  });
});

it('a content that looks like a summary, or a call id that comes again, is no fold', async () => {
  const lookalike = user(summaryText('not mine'));
  const writer = summarizer('S');
  const harness = folding({summarizer: writer});
  const history = [
    lookalike,
    call('read', {}, 'c1'),
    answer('read', {a: 1}, 'c1'),
    ...chat(10),
    call('read', {}, 'c1'),
    answer('read', {a: 2}, 'c1'),
  ];
  const out = await harness.contents(history);
  expect(textOf(out[0])).toBe(summaryText('S'));
  expect(textOf(writer.requests[0]?.contents[0])).toContain('not mine');
  expect(out.slice(-2)).toEqual(history.slice(-2));
});
