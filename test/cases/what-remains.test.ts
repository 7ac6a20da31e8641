import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {openSqliteStore} from '../../src/sqlite.ts';
import {answer, call, model, requestFaults, together, user} from '../../src/testing.ts';
import {databasePath} from '../support/agent-rig.ts';
import {CaseManager, partsOf, policyOf, prose, RawModel, summarizer, textOf, wordsOf} from '../support/case-kit.ts';

function names(contents: readonly Content[], member: 'functionCall' | 'functionResponse'): (string | undefined)[] {
  return partsOf(contents, member).map((part) => part[member]?.name);
}

describe('the cut falls between the answers of one parallel call (case 3)', () => {
  const both = together(call('w', {c: 'x'}), call('w', {c: 'y'}));
  const inTwo = [user(prose(14_000)), model('..'), user('both'), both, answer('w', {c: 'x'}), answer('w', {c: 'y'})];
  const calls = together(call('a'), call('b'));
  const answers = together(answer('a', {of: 'a'}), answer('b', {of: 'b'}));
  const onAnswers = [calls, answers, call('c'), answer('c', {of: 'c'})];
  const orphan = answer('z', {of: 'z'});

  const cases: [string, number, Content[]][] = [
    ['a) the answers stand in two contents', 1, inTwo],
    ['b) the boundary lies on the answers', 3, [user(prose(14_000)), ...onAnswers]],
    [
      'b) the boundary lies on the answers of a later turn',
      3,
      [user(prose(14_000)), model('..'), user('go'), ...onAnswers],
    ],
    ['c) a lone answer lies before', 3, [user(prose(14_000)), orphan, model('..'), user('go'), ...onAnswers]],
    [
      'c) a lone answer lies beside good ones',
      3,
      [user(prose(14_000)), model('..'), user('go'), calls, together(answers, orphan), call('c'), answer('c')],
    ],
  ];

  describe.each([
    ['folded', true],
    ['elided and dropped', false],
  ])('%s', (_, fold) => {
    it.each(cases)('%s', async (_, keep, history) => {
      const manager = new CaseManager(
        policyOf(4_000, 0.8, 0.5, keep),
        fold ? {fold: {summarizer: summarizer('S')}} : {},
      );
      const sent = await manager.contents(history);
      expect(requestFaults(sent)).toEqual([]);
      expect(names(sent, 'functionResponse')).toEqual(names(sent, 'functionCall'));
      expect(names(sent, 'functionResponse')).not.toContain('z');
      expect(new Set(partsOf(sent, 'functionResponse').map((part) => JSON.stringify(part))).size).toBe(
        names(sent, 'functionCall').length,
      );
      expect(await manager.contents(history)).toEqual(sent);
    });
  });

  it.each(cases)('%s: not made worse when orphans are left as they are', async (_, keep, history) => {
    const policy = {...policyOf(4_000, 0.8, 0.5, keep), repairOrphans: false};
    const manager = new CaseManager(policy, {fold: {summarizer: summarizer('S')}});
    const sent = await manager.contents(history);
    expect(names(sent, 'functionResponse').filter((name) => name !== 'z')).toEqual(names(sent, 'functionCall'));
  });

  it('is folded where there is something to fold', async () => {
    const manager = new CaseManager(policyOf(4_000, 0.8, 0.5, 1), {fold: {summarizer: summarizer('S')}});
    expect((await manager.contents(inTwo)).slice(1)).toEqual(inTwo.slice(2));
    expect(manager.records).toMatchObject([{kind: 'fold', split: 3}]);
  });
});

describe('what remains opens with a model call, with a tool answer, or with nothing (case 4)', () => {
  const policy = policyOf(2_000, 0.8, 0.4, 2);
  const turns = (count: number): Content[] =>
    Array.from({length: count}, (_, at) => [user(`q${at} ${prose(700)}`), model(`a${at} ${prose(700)}`)]).flat();
  const tail = [call('find'), answer('find', {t: prose(500)})];
  const history = [...turns(5), user('find it'), ...tail];

  it('1: a fold stands before the kept part, once, as a user content', async () => {
    const summaries = summarizer('S');
    const manager = new CaseManager(policy, {fold: {summarizer: summaries}});
    const sent = await manager.contents(history);
    expect(wordsOf(summaries.requests[0]?.contents ?? [])).not.toContain('find it');
    expect(sent.map((content) => content.role)).toEqual(['user', 'user', 'model', 'user']);
    expect(textOf(sent[0])).toBe('Summary of the conversation so far:\n\nS');
    expect(sent.slice(1)).toEqual([user('find it'), ...tail]);
  });

  it('2: without a summary whole oldest turns are dropped', async () => {
    const manager = new CaseManager(policy, {fold: {summarizer: new RawModel(new Error('503'))}});
    const sent = await manager.contents(history);
    expect(manager.kinds()).toEqual(['failed-fold', 'drop']);
    const dropped = history.filter((content) => !sent.some((one) => JSON.stringify(one) === JSON.stringify(content)));
    expect(dropped).toEqual(history.slice(2, 2 + dropped.length));
    expect(dropped.length).toBeGreaterThan(0);
    expect(dropped.length % 2).toBe(0);
    expect(sent[0]).toEqual(history[0]);
  });

  it.each([
    ['a fold', () => summarizer('S')],
    ['a drop', () => new RawModel(new Error('503'))],
  ])('3: %s gives the same request after a restart', async (_, makeModel) => {
    const path = databasePath();
    let store = openSqliteStore(path);
    const fold = {summarizer: makeModel()};
    const sent = await new CaseManager(policy, {store: store.compaction, fold}).contents(history);
    store.close();
    store = openSqliteStore(path);
    const next = new CaseManager(policy, {store: store.compaction, fold});
    const more = [model('found'), user('and then?')];
    const resumed = await next.contents([...history, ...more]);
    expect(resumed).toEqual([...sent, ...more]);
    expect(requestFaults(resumed)).toEqual([]);
    expect(next.records).toEqual([]);
    store.close();
  });

  it.each([
    ['with a summariser', {fold: {summarizer: summarizer('S')}}],
    ['without', {}],
  ])('4: goes out as it came when nothing can be folded or dropped, %s', async (_, options) => {
    const whole = [model(prose(8_000)), user('hi')];
    const manager = new CaseManager(policy, options);
    expect(await manager.contents(whole)).toEqual(whole);
    expect(manager.codes()).toEqual(['compaction.budget.exhausted']);
  });
});

describe('thought signatures after elision, fold and restart (case 5)', () => {
  const signed = (name: string, thoughtSignature: string): Content =>
    model([
      {text: 'plan', thought: true},
      {functionCall: {name, args: {}}, thoughtSignature},
    ]);
  const older = [
    user(`start ${prose(8_000)}`),
    signed('old', 'b2xk'),
    answer('old', {t: prose(3_000)}),
    model([{text: 'done', thoughtSignature: 'ZG9uZQ=='}]),
    user('more'),
    signed('old', 'b2xkMg=='),
    user([{functionResponse: {name: 'old', response: {t: prose(3_000)}}, thoughtSignature: 'YW5z'}]),
    model('done too'),
  ];
  const current = [
    user('do it'),
    signed('a', 'c2lnQQ=='),
    answer('a', {t: prose(6_000)}),
    model([{functionCall: {name: 'b', args: {}}, thoughtSignature: 'c2lnQg=='}, {functionCall: {name: 'c', args: {}}}]),
    together(answer('b'), answer('c')),
  ];
  const history = [...older, ...current];

  const ways: [string, ConstructorParameters<typeof CaseManager>[1]][] = [
    ['folded from a text', {fold: {summarizer: summarizer('S')}}],
    ['folded from contents', {fold: {summarizer: summarizer('S'), material: 'contents'}}],
    ['without a summary', {fold: {summarizer: new RawModel(new Error('503'))}}],
    ['elided and dropped', {}],
  ];

  describe.each([4, 2, 1])('with %i recent contents', (keep) => {
    it.each(ways)('%s: model contents are whole or gone, live and after a restart', async (_, options = {}) => {
      const path = databasePath();
      const policy = policyOf(4_000, 0.8, 0.5, keep);
      const manager = new CaseManager(policy, options);
      let store = openSqliteStore(path);
      const first = new CaseManager(policy, {...options, store: store.compaction});
      for (const length of [older.length + 1, older.length + 3]) {
        await manager.contents(history.slice(0, length));
        await first.contents(history.slice(0, length));
      }
      const sent = await manager.contents(history);
      expect(manager.kinds().length).toBeGreaterThan(0);
      for (const content of sent.filter(({role}) => role === 'model')) {
        expect(history).toContainEqual(content);
      }
      for (const part of sent.flatMap((content) => content.parts ?? [])) {
        if (part.thoughtSignature !== undefined) {
          expect(history.flatMap((content) => content.parts ?? [])).toContainEqual(part);
        }
      }
      expect(sent.slice(-2)).toEqual(history.slice(-2));
      store.close();
      store = openSqliteStore(path);
      const next = new CaseManager(policy, {...options, store: store.compaction});
      const resumed = await next.contents(history);
      expect(JSON.stringify(resumed)).toBe(JSON.stringify(sent));
      store.close();
    });
  });

  it.each(['text', 'contents'] as const)(
    'no call loses its signature on the way to the summariser (%s)',
    async (material) => {
      const summaries = summarizer('S');
      const fold = {summarizer: summaries, material, summarizerContextTokens: 100_000};
      await new CaseManager(policyOf(4_000, 0.8, 0.5, 4), {fold}).contents(history);
      const [asked] = summaries.requests;
      const calls = partsOf(asked?.contents ?? [], 'functionCall');
      for (const part of calls) {
        expect(history.flatMap((content) => content.parts ?? [])).toContainEqual(part);
      }
      expect(calls.length).toBe(material === 'text' ? 0 : 2);
      expect(wordsOf(asked?.contents ?? [])).toContain(material === 'text' ? 'call old(' : 'b2xk');
      expect(requestFaults(asked?.contents ?? [])).toEqual([]);
    },
  );
});
