import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {contextFor, ManagerHarness, requestOf} from '../support/manager-harness.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('a request that went out is forgotten', () => {
  it.each([
    ['below the trigger', {contextTokens: 1_000_000}, {}],
    ['with elisions', {contextTokens: 2_000}, {}],
    ['with elisions and pins', {contextTokens: 2_000}, {fold: {summarizer: new ScriptedModel([]), pin: () => false}}],
    [
      'with folds',
      {contextTokens: 6_000, minimumElisionTokens: 1_000_000},
      {fold: {summarizer: new ScriptedModel(() => model('sum'))}},
    ],
    ['with drops', {contextTokens: 2_000, minimumElisionTokens: 1_000_000}, {}],
  ])('%s', async (_, policy, options) => {
    const {manager, records} = new ManagerHarness(policy, options);
    const requests: WeakRef<Content[]>[] = [];
    const history: Content[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      history.push(
        user(`ask ${turn}`),
        call('read'),
        answer('read', {text: `${turn} ${'x'.repeat(2_000)}`}),
        model('ok'),
      );
      const contents = structuredClone([...history, user('now')]);
      requests.push(new WeakRef(contents));
      await manager.beforeModel({context: contextFor(), request: requestOf(contents)});
    }
    expect(records.length > 0).toBe(policy.contextTokens < 1_000_000);
    await new Promise((done) => setImmediate(done));
    collect();
    const kept = requests.slice(0, -2).filter((request) => request.deref() !== undefined);
    expect(kept).toHaveLength(0);
  });
});
