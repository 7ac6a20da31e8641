import {type Event, FunctionTool, LlmAgent, LongRunningFunctionTool} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {AgentRig, databasePath, storedEvents} from '../support/agent-rig.ts';
import {CaseManager, chat, partsOf, policyOf, prose, type RawModel, summarizer, wordsOf} from '../support/case-kit.ts';
import {KEY} from '../support/manager-harness.ts';

const SMALL = policyOf(4_000, 0.8, 0.5, 4);

describe('a call is still open when its turn is compacted (case 1)', () => {
  const confirmation = {
    functionCall: {
      id: 'adk-2',
      name: 'adk_request_confirmation',
      args: {originalFunctionCall: {id: 'adk-1', name: 'refund', args: {order: 7}}},
    },
  };
  const refunds = (isAnswered: boolean): Partial<Event>[] => [
    {author: 'user', content: user('refund order 7')},
    {author: 'agent', content: call('refund', {order: 7}, 'adk-1')},
    ...(isAnswered ? [{author: 'agent', content: answer('refund', {error: 'requires confirmation'}, 'adk-1')}] : []),
    {author: 'agent', content: model([confirmation]), longRunningToolIds: ['adk-2']},
  ];
  const exports = [
    {author: 'user', content: user('export it')},
    {author: 'agent', content: call('export', {}, 'adk-1'), longRunningToolIds: ['adk-1']},
    {author: 'agent', content: answer('export', {status: 'pending'}, 'adk-1')},
  ];

  function rigWith(fold: boolean): {rig: AgentRig; path: string; refunded: unknown[]; summaries: RawModel} {
    const refunded: unknown[] = [];
    const refund = new FunctionTool({
      name: 'refund',
      description: 'Refunds an order.',
      requireConfirmation: true,
      execute: (args) => {
        refunded.push(args);
        return {refunded: true};
      },
    });
    const exporting = new LongRunningFunctionTool({name: 'export', description: 'Exports.', execute: () => null});
    const path = databasePath();
    const summaries = summarizer('The user asked for something that is not done yet.');
    const rig = new AgentRig({
      path,
      agent: () =>
        new LlmAgent({name: 'agent', model: new ScriptedModel(() => model(prose(1_200))), tools: [refund, exporting]}),
      compaction: {policy: SMALL, ...(fold && {fold: {summarizer: summaries}})},
    });
    return {rig, path, refunded, summaries};
  }

  async function twentyTurns(rig: AgentRig): Promise<void> {
    for (let turn = 4; turn <= 20; turn += 4) {
      await rig.appendContents([...Array(3)].flatMap(() => [user(prose(1_200)), model(prose(1_200))]));
      await rig.turn(prose(1_200));
    }
  }

  describe.each([
    ['folded', true],
    ['dropped', false],
  ])('%s', (_, fold) => {
    // ADK 2.0.0 stores no answer for a call that waits for a confirmation; others store one that says so.
    it.each([
      ['straight through', false, false],
      ['with a restart before the answer', true, false],
      ['straight through, an answer stored', false, true],
      ['with a restart before the answer, an answer stored', true, true],
    ])('a confirmed call runs exactly once, %s', async (_, restarts, isAnswered) => {
      const {rig, path, refunded, summaries} = rigWith(fold);
      await rig.append(...refunds(isAnswered));
      await twentyTurns(rig);
      expect(rig.kinds().length).toBeGreaterThan(1);
      const stored = storedEvents(path);
      const last = restarts ? rig.restart() : rig;
      await last.turn(answer('adk_request_confirmation', {confirmed: true}, 'adk-2'));
      expect(refunded).toEqual([{order: 7}]);
      expect(storedEvents(path).slice(0, stored.length)).toEqual(stored);
      const asked = summaries.requests.length;
      await last.turn('thanks');
      expect(refunded).toHaveLength(1);
      expect(summaries.requests.length).toBeLessThanOrEqual(asked + 1);
      expect(wordsOf(last.lastSent)).not.toMatch(/interrupted|requires confirmation/);
      expect(last.warnings).toEqual([]);
    });

    it.each([
      ['straight through', false],
      ['with a restart before the answer', true],
    ])('a late answer takes the place of the pending one, %s', async (_, restarts) => {
      const {rig, path, summaries} = rigWith(fold);
      await rig.append(...exports);
      await twentyTurns(rig);
      expect(rig.kinds().length).toBeGreaterThan(1);
      const stored = storedEvents(path);
      const last = restarts ? rig.restart() : rig;
      await last.turn(answer('export', {status: 'done', url: 'u'}, 'adk-1'));
      expect(partsOf(last.lastSent, 'functionResponse').map((part) => part.functionResponse?.response)).toEqual([
        {status: 'done', url: 'u'},
      ]);
      expect(partsOf(last.lastSent, 'functionCall')).toHaveLength(1);
      expect(storedEvents(path).slice(0, stored.length)).toEqual(stored);

      const asked = summaries.requests.length;
      await last.turn('and now?');
      expect(summaries.requests.length).toBeLessThanOrEqual(asked + 1);
      expect(wordsOf(last.lastSent)).not.toContain('pending');
      expect(last.warnings).toEqual([]);
    });
  });
});

describe('one request is much shorter than the one before, the next is long again (case 2)', () => {
  const pending = [user('start the export'), call('export'), answer('export', {status: 'pending'})];
  const done = [user('start the export'), call('export'), answer('export', {status: 'done'})];
  const later = [...chat(28, 300), user('go on')];
  const newTurn = [model('on it'), call('look'), answer('look', {ok: true})];

  it.each([
    ['in one process', false],
    ['with a restart before the long one comes back', true],
  ])('the fold is recognised by what it covers, %s', async (_, restarts) => {
    const path = databasePath();
    const summaries = summarizer('first summary', 'second summary');
    let store = openSqliteStore(path);
    let manager = new CaseManager(SMALL, {store: store.compaction, fold: {summarizer: summaries}});
    const q1 = [...pending, ...later];
    expect(q1).toHaveLength(60);
    const sent = await manager.contents(q1);
    expect(manager.records).toMatchObject([{kind: 'fold', split: 56}]);
    const records = await store.compaction.records(KEY);

    expect(await manager.contents(done)).toEqual(done);
    expect(await store.compaction.records(KEY)).toEqual(records);
    if (restarts) {
      store.close();
      store = openSqliteStore(path);
      manager = new CaseManager(SMALL, {store: store.compaction, fold: {summarizer: summaries}});
    }
    expect(await manager.contents([...q1, ...newTurn])).toEqual([...sent, ...newTurn]);
    expect(summaries.requests).toHaveLength(1);

    const rebuilt: Content[] = await manager.contents([...done, ...later, ...newTurn]);
    expect(summaries.requests.length).toBeLessThanOrEqual(2);
    expect(wordsOf(rebuilt)).not.toContain('first summary');
    expect(wordsOf(summaries.requests[1]?.contents ?? [])).not.toContain('pending');
    expect(manager.warnings).toEqual([]);
    store.close();
  });
});
