import {describe, expect, it} from 'vitest';
import {CompactionManager, CompactionPlugin, type InvalidOptionsError} from '../../src/index.ts';
import {openSqliteStore} from '../../src/sqlite.ts';
import {model, ScriptedModel} from '../../src/testing.ts';

const policy = {contextTokens: 1_000};
const summarizer = new ScriptedModel(() => model('S'));

function refusal(build: () => unknown): InvalidOptionsError {
  try {
    build();
  } catch (error) {
    return error as InvalidOptionsError;
  }
  throw new Error('It was taken.');
}

describe('what a newcomer gets wrong', () => {
  it.each<[string, unknown, string]>([
    ['policy', {}, 'policy: is required, such as {contextTokens: 200_000} (seen: undefined).'],
    ['contextTokens', {contextTokens: 5}, 'contextTokens: there is no such option; there are policy, fold, store'],
    ['policy.trigger', {policy: {...policy, trigger: 1}}, 'there are contextTokens, triggerFraction, targetFraction'],
    ['policy', {policy: null}, 'is required'],
    ['fold.summariser', {policy, fold: {summariser: summarizer}}, 'there is no such option; there are summarizer'],
    ['fold', {policy, fold: false}, 'must be an object (seen: false).'],
    ['fold', {policy, fold: null}, 'must be an object (seen: null).'],
    ['fold.backOff', {policy, fold: {summarizer, backOff: 'no'}}, 'must be a boolean (seen: "no").'],
    ['fold.material', {policy, fold: {summarizer, material: 'json'}}, 'must be "text" or "contents" (seen: "json").'],
    ['options', undefined, 'options: is required and must be an object (seen: undefined).'],
  ])('%s is named, with what was seen and the way out', (field, options, message) => {
    const error = refusal(() => new CompactionPlugin(options as never));
    expect(error.field).toBe(field);
    expect(error.message).toContain(message);
  });

  it.each<[string, unknown, string]>([
    ['readOnly', {path: ':memory:', readOnly: true}, 'there is no such option; there are'],
    ['redact', {path: ':memory:', redact: 'x'}, 'must be a function'],
    ['options', undefined, 'must be a path or an object'],
  ])('%s of a store is named', (field, options, message) => {
    const error = refusal(() => openSqliteStore(options as never));
    expect(error.field).toBe(field);
    expect(error.message).toContain(message);
  });

  it.each([['one'], [{sessionId: 'one'}], [undefined], [{appName: 'a', userId: 1, sessionId: 's'}]])(
    'a key that is none is refused: %j',
    async (key) => {
      const manager = new CompactionManager({policy});
      expect(refusal(() => manager.compactNow(key as never)).field).toBe('key');
      await expect(manager.status(key as never)).rejects.toMatchObject({field: 'key'});
    },
  );
});
