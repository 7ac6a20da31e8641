import {describe, expect, it} from 'vitest';
import {type CompactionStore, MemoryCompactionStore} from '../../src/index.ts';
import {model, ScriptedModel, user} from '../../src/testing.ts';
import {KEY} from '../support/manager-harness.ts';
import {STORES} from '../support/stores-with-another-way-in.ts';
import {chat, folding, summarizer, summaryText, textOf} from './fold-rig.ts';

async function allOf(store: CompactionStore): Promise<unknown[]> {
  const rows = [store.scopes(KEY), store.records(KEY), store.failedFolds(KEY), store.calibrations(KEY)];
  return (await Promise.all<readonly unknown[]>(rows)).flat();
}

describe.each(STORES)('a session that is deleted while a call of it is running, %s', (_, open) => {
  it('keeps nothing of the fold under way, nor of the call; the call goes on, and one warning says so', async () => {
    const {store, other} = open();
    const writer = new ScriptedModel(async () => {
      await other.deleteSession(KEY);
      return model('the secret');
    });
    const harness = folding({summarizer: writer}, store);
    const {request} = await harness.call(chat(10), {reported: 700});
    expect(textOf(request.contents[0])).toBe(summaryText('the secret'));
    expect(await allOf(other)).toEqual([]);
    expect(harness.codes()).toEqual(['compaction.store.save']);
    expect(harness.warnings[0]?.message).toContain('was deleted while a call of it was running');
  });

  it.each([
    ['made', (index: number) => model(`summary ${index}`)],
    ['failed', () => model('')],
  ])(
    'starts from nothing when it is made again with the same contents, whether its fold was %s',
    async (_kind, answer) => {
      const {store, other} = open();
      let isDeleting = true;
      const writer = new ScriptedModel(async (_request, index) => {
        if (isDeleting) {
          await other.deleteSession(KEY);
          return answer(index);
        }
        return model(`summary ${index}`);
      });
      const harness = folding({summarizer: writer}, store);
      const contents = chat(10);
      await harness.contents(contents);
      isDeleting = false;
      const calls = writer.requests.length;
      expect(textOf((await harness.contents(contents))[0])).toBe(summaryText(`summary ${calls}`));
      expect(await other.records(KEY)).toMatchObject([{kind: 'fold', summary: summaryText(`summary ${calls}`)}]);
    },
  );

  it('learns nothing from a count of its former life', async () => {
    const {store, other} = open();
    const harness = folding({summarizer: summarizer('unused')}, store);
    const fresh = folding({summarizer: summarizer('unused')}, new MemoryCompactionStore());
    const {context} = await harness.call([user('hello')]);
    await other.deleteSession(KEY);
    const next = await harness.call([user('hello')]);
    await harness.respond(context, {usageMetadata: {promptTokenCount: 5_000}});
    await harness.respond(next.context, {usageMetadata: {promptTokenCount: 40}});
    await fresh.call([user('hello')], {reported: 40});
    await harness.call([user('hello again')]);
    await fresh.call([user('hello again')]);
    const [again, first] = await Promise.all([harness, fresh].map(({manager}) => manager.status(KEY)));
    expect(again?.scopes[0]?.expected).toBe(first?.scopes[0]?.expected);
  });

  it('starts from nothing when it is made again', async () => {
    const {store, other} = open();
    let isDeleting = true;
    const writer = new ScriptedModel(async (_request, index) => {
      if (isDeleting) {
        await other.deleteSession(KEY);
      }
      return model(`summary ${index}`);
    });
    const harness = folding({summarizer: writer}, store);
    await harness.contents(chat(10));
    isDeleting = false;
    const other10 = chat(10, 'now', 100);
    expect(textOf((await harness.contents(other10))[0])).toBe(summaryText('summary 1'));
    expect(await other.records(KEY)).toMatchObject([{kind: 'fold', summary: summaryText('summary 1')}]);
    expect(harness.codes()).toEqual(['compaction.store.save']);
  });
});

it('a decision that could not be written is not written into the session that was made after a deletion', async () => {
  const store = new MemoryCompactionStore();
  const {commit} = store;
  const harness = folding({summarizer: summarizer('the secret', 'later')}, store);
  store.commit = () => Promise.reject(new Error('disk on fire'));
  await harness.contents(chat(10));
  store.commit = commit;
  await store.deleteSession(KEY);
  const contents = [user('hello')];
  expect(await harness.contents(contents)).toEqual(contents);
  expect(await allOf(store)).toEqual([]);
});
