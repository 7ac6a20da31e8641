import {expect, it} from 'vitest';
import {CompactionManager, CompactionPlugin, ToolOutputBudget} from '../../src/index.ts';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {contextFor, KEY, ManagerHarness, requestOf} from '../support/manager-harness.ts';

const turns = Array.from({length: 8}, (_, turn) => [
  user(`ask ${turn} ${'q'.repeat(300)}`),
  model('a'.repeat(300)),
]).flat();
const reading = [user('start'), call('read'), answer('read', {text: 'x'.repeat(4_000)}), model('done'), user('now')];

it.each([
  ['an elision', reading, {}, 0],
  ['a drop', [...turns, user('now')], {}, 0],
  ['a fold', [...turns, user('now')], {fold: {summarizer: new ScriptedModel(() => model('what was said'))}}, 0],
  ['a request that needs none', [user('hi')], {}, 500],
])('after %s the session has its tool output budget', async (_, history, options, used) => {
  const toolOutputBudget = new ToolOutputBudget(10_000);
  toolOutputBudget.consume(KEY, toolOutputBudget.reserve(KEY, 500).id, 500);
  const harness = new ManagerHarness({keepRecentContents: 1}, {...options, toolOutputBudget});
  await harness.contents(history);
  expect(toolOutputBudget.report(KEY).used).toBe(used);
});

it('takes a manager and a budget of another copy of the package', async () => {
  const real = new ToolOutputBudget();
  const budget = {
    reserve: real.reserve.bind(real),
    consume: real.consume.bind(real),
    reset: real.reset.bind(real),
    report: real.report.bind(real),
  } as unknown as ToolOutputBudget;
  const manager = new CompactionManager({policy: {contextTokens: 1_000}, toolOutputBudget: budget});
  const foreign = {beforeModel: manager.beforeModel, afterModel: manager.afterModel} as unknown as CompactionManager;
  const plugin = new CompactionPlugin(foreign);
  expect(plugin.manager).toBe(foreign);
  const request = requestOf([user('hi')]);
  expect(await plugin.beforeModelCallback({callbackContext: contextFor(), llmRequest: request})).toBeUndefined();
});
