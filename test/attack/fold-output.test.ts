import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {answer, call, model, requestFaults, ScriptedModel, user} from '../../src/testing.ts';
import {ManagerHarness} from '../support/manager-harness.ts';

const history = Array.from({length: 12}, (_, turn) => [user(`ask ${turn} ${'q'.repeat(2_000)}`), model(`said ${turn}`)])
  .flat()
  .concat(user('now'));
const policy = {contextTokens: 6_000};

const unfit: [string, Content[]][] = [
  ['a call without its answer', [user('sum'), call('read')]],
  ['an answer without its call', [user('sum'), answer('read', {text: 'x'})]],
  ['an answer before its call', [user('sum'), answer('read', {text: 'x'}), call('read')]],
  ['an answer to another tool', [user('sum'), call('read'), answer('list', {text: 'x'})]],
  ['a call by the user', [user([{text: 'sum'}, {functionCall: {name: 'read', args: {}}}])]],
  ['a part without data', [user([{}])]],
  ['a part that is null', [user([{text: 'sum'}, null as never])]],
  ['an empty text', [user('')]],
  ['an empty text behind', [user('sum'), model('')]],
  ['another role behind', [user('sum'), {role: 'assistant', parts: [{text: 'yes'}]}]],
];

describe('what stands for a fold', () => {
  it.each(unfit)('is refused when an endpoint gives %s', async (_, contents) => {
    const harness = new ManagerHarness(policy, {fold: {summarizer: {compact: async () => ({contents})}}});
    expect(requestFaults(await harness.contents(history))).toEqual([]);
    expect(harness.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'error'});
    expect(harness.codes()).toContain('compaction.fold.failed');
  });

  it.each(unfit.filter(([, contents]) => contents.length === 1))(
    'is refused when summaryItem gives %s',
    async (_, [item]) => {
      const summarizer = new ScriptedModel(() => model('sum'));
      const harness = new ManagerHarness(policy, {fold: {summarizer, summaryItem: () => item as Content}});
      expect(requestFaults(await harness.contents(history))).toEqual([]);
      expect(harness.records[0]).toMatchObject({kind: 'failed-fold', errorClass: 'error'});
    },
  );

  it('may be several contents with whole pairs', async () => {
    const contents = [user('sum'), call('read'), answer('read', {text: 'x'}), model('done')];
    const harness = new ManagerHarness(policy, {fold: {summarizer: {compact: async () => ({contents})}}});
    const sent = await harness.contents(history);
    expect(sent.slice(0, 4)).toEqual(contents);
    expect(requestFaults(sent)).toEqual([]);
    expect(harness.kinds()).toEqual(['fold']);
  });
});
