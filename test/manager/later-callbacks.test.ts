import type {Content} from '@google/genai';
import {expect, it} from 'vitest';
import {answer, call, model, ScriptedModel, user} from '../../src/testing.ts';
import {ManagerHarness} from '../support/manager-harness.ts';

/** What ADK's model classes and other callbacks may do to the request they are given. */
function vandalise(contents: Content[]): void {
  for (const content of contents) {
    for (const part of content.parts ?? []) {
      part.text = 'vandalised';
      if (part.functionResponse) {
        part.functionResponse.response = {vandalised: true};
      }
    }
    content.parts?.push({text: 'more'});
  }
}

const turns = Array.from({length: 8}, (_, turn) => [
  user(`ask ${turn} ${'q'.repeat(300)}`),
  model('a'.repeat(300)),
]).flat();

it.each([
  [
    'an elision',
    {},
    [user('start'), call('read'), answer('read', {text: 'x'.repeat(4_000)}), model('done'), user('now')],
  ],
  ['a drop', {}, [...turns, user('now')]],
  ['a fold', {fold: {summarizer: new ScriptedModel(() => model('what was said'))}}, [...turns, user('now')]],
  ['a repair', {}, [user('start'), call('lost'), user('now')]],
])('what is written into a request after %s does not reach the next one', async (_, options, history) => {
  const harness = new ManagerHarness({keepRecentContents: 1}, options);
  const sent = await harness.contents(history);
  const bytes = JSON.stringify(sent);
  vandalise(sent);
  expect(JSON.stringify(await harness.contents(history))).toBe(bytes);
});
