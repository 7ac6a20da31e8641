import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {
  FoldError,
  SummaryIncompleteError,
  SummaryNoTextError,
  SummaryTooLargeError,
} from '../../src/fold/fold-errors.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';
import {type Answer, callsOnly, contents, FakeModel, frozen, rig, says, summaryOf, textOf, weigh} from './notation.ts';

const U5 = (): Content[] => frozen(contents('u20 u20 u20 u20 u20'));
const tokens = (count: number) => ({candidatesTokenCount: count});
const fails =
  (error: unknown): Answer =>
  () =>
    Promise.reject(error);

describe('judging, second attempt, usage', () => {
  it('38: takes a text', async () => {
    const {fold, reports} = rig(99, 2, {answers: [summaryOf(10, tokens(1))]});
    await fold.transform(U5());
    expect(reports[0]).toMatchObject({attempts: 1, usage: tokens(1)});
  });

  it('39: asks once more after an answer without text', async () => {
    const second = summaryOf(10, tokens(2)).map((response) => ({...response, responseId: 'r2'}));
    const first = says({functionCall: {name: 'done'}}, tokens(1)).map((response) => ({...response, responseId: 'r1'}));
    const {fold, reports} = rig(99, 2, {answers: [first, second]});
    expect(await fold.transform(U5())).toHaveLength(3);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({attempts: 2, usage: tokens(3), outputTypes: ['text'], responseId: 'r2'});
  });

  it('40: two answers without text leave the list as it is', async () => {
    const {fold, reports} = rig(99, 2, {
      answers: [says({functionCall: {name: 'done'}}, tokens(1)), says({functionCall: {name: 'done'}}, tokens(2))],
    });
    const list = U5();
    expect(await fold.transform(list)).toBe(list);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({
      attempts: 2,
      usage: tokens(3),
      outputTypes: ['functionCall'],
      prefixHash: prefixHash(list.slice(0, 3)),
      error: expect.any(SummaryNoTextError),
    });
    for (const member of ['summary', 'output', 'pinned', 'first']) {
      expect(reports[0]).not.toHaveProperty(member);
    }
    expect(fold.last).toBeUndefined();
  });

  it.each<[string, Answer]>([
    ['white space', says({text: '  \n'})],
    ['thoughts only', says({text: 'Let me think', thought: true})],
    ['an empty content', [{content: {role: 'model', parts: []}}]],
    ['no content', [{}]],
    ['no response at all', []],
    ['usage only', [{usageMetadata: tokens(1)}]],
  ])('41: %s is no text', async (_, answer) => {
    const {fold, reports, calls} = rig(99, 2, {answers: [answer]});
    const list = U5();
    expect(await fold.transform(list)).toBe(list);
    expect(calls()).toBe(2);
    expect(reports[0]?.error?.code).toBe('no-text');
  });

  it('42: a text beside a function call is a summary', async () => {
    const both = [{content: {role: 'model', parts: [{functionCall: {name: 'done'}}, {text: ' Good.\n'}]}}];
    const {fold, reports} = rig(99, 2, {answers: [both]});
    const [summary] = await fold.transform(U5());
    expect(textOf(summary)).toBe('SUM:Good.');
    expect(reports[0]?.outputTypes).toEqual(['functionCall', 'text']);
  });

  it.each(['MAX_TOKENS', 'SAFETY'])('43: %s is incomplete, and the text appears nowhere', async (reason) => {
    const {fold, reports} = rig(99, 2, {answers: [says({text: 'The user wan'}, undefined, reason)]});
    const list = U5();
    expect(await fold.transform(list)).toBe(list);
    expect(reports[0]?.error).toBeInstanceOf(SummaryIncompleteError);
    expect(reports[0]?.error).toMatchObject({code: 'incomplete', reason, message: expect.stringContaining(reason)});
    expect(JSON.stringify(reports)).not.toContain('The user wan');
  });

  it('43: a cut answer without text is incomplete, not without text', async () => {
    const {fold, reports} = rig(99, 2, {answers: [[{finishReason: 'MAX_TOKENS' as never, errorCode: 'MAX_TOKENS'}]]});
    await fold.transform(U5());
    expect(reports[0]?.error?.code).toBe('incomplete');
  });

  it('44: a summary as large as its input is too large; one smaller is not', async () => {
    const {fold, reports} = rig(99, 2, {answers: [summaryOf(60)]});
    const list = U5();
    expect(await fold.transform(list)).toBe(list);
    expect(reports[0]?.error).toBeInstanceOf(SummaryTooLargeError);
    expect(reports[0]?.error).toMatchObject({summaryTokens: 60, foldedTokens: 60});
    expect(reports[0]?.error?.message).toMatch(/60.*60/);
    const smaller = rig(99, 2, {answers: [summaryOf(59)]});
    expect(weigh(await smaller.fold.transform(U5()))).toBe(103);
  });

  it('45: the second outcome counts', async () => {
    const {fold, reports} = rig(99, 2, {answers: [says({text: ' '}, tokens(1)), summaryOf(80, tokens(2))]});
    await fold.transform(U5());
    expect(reports[0]).toMatchObject({attempts: 2, usage: tokens(3), error: {code: 'too-large'}});
  });

  it('45: a hard error on the second attempt is a hard error', async () => {
    const {fold, reports} = rig(99, 2, {answers: [callsOnly, fails(new Error('down'))]});
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error'});
    expect(reports[0]).toMatchObject({attempts: 2, error: {code: 'error'}});
    expect(reports[0]).not.toHaveProperty('outputTypes');
  });

  it('46: a network error is thrown, reported once, not tried again', async () => {
    const cause = Object.assign(new Error('quota of key abc'), {status: 429});
    const {fold, reports, calls} = rig(99, 2, {answers: [fails(cause), summaryOf(10)]});
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error', reason: 'HTTP 429', cause});
    expect(calls()).toBe(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({attempts: 1, request: expect.anything(), error: {cause}});
    expect(reports[0]).not.toHaveProperty('usage');
    expect(reports[0]).not.toHaveProperty('prefixHash');
    expect(reports[0]?.error?.message).not.toContain('abc');
    await fold.transform(U5());
    expect(calls()).toBe(2);
  });

  it("46: under 'continue' it leaves the list as it is and backs off", async () => {
    const {fold, reports, calls} = rig(99, 2, {onError: 'continue', answers: [fails(new Error('down'))]});
    const list = contents('u20 u20 u20 u20 u20');
    expect(await fold.transform(list)).toBe(list);
    expect(reports[0]?.prefixHash).toBe(prefixHash(list.slice(0, 3)));
    await fold.transform(list);
    expect(calls()).toBe(1);
    list.push(...contents('u20'));
    await fold.transform(list);
    expect(calls()).toBe(1);
    list.push(...contents('u5'));
    await fold.transform(list);
    expect(calls()).toBe(2);
    expect(reports[1]?.split).toBe(5);
  });

  it('47: an error code without a finish reason is a hard error', async () => {
    const {fold, reports, calls} = rig(99, 2, {answers: [[{errorCode: 'BLOCKLIST', responseId: 'r1'}]]});
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error', reason: 'BLOCKLIST'});
    expect(calls()).toBe(1);
    expect(reports[0]?.responseId).toBe('r1');
  });

  it('47: free text in place of a code is not passed on', async () => {
    const {fold} = rig(99, 2, {answers: [[{errorCode: 'the prompt says: my secret'}]]});
    await expect(fold.transform(U5())).rejects.toMatchObject({reason: 'unknown code'});
  });

  it.each([
    ['the first', [tokens(4), undefined], tokens(4)],
    ['the second', [undefined, tokens(5)], tokens(5)],
    ['neither', [undefined, undefined], undefined],
    [
      'both, member by member',
      [
        {promptTokenCount: 1, cachedContentTokenCount: 2},
        {promptTokenCount: 10, thoughtsTokenCount: 3, toolUsePromptTokenCount: 4},
      ],
      {promptTokenCount: 11, cachedContentTokenCount: 2, thoughtsTokenCount: 3, toolUsePromptTokenCount: 4},
    ],
  ])('48: sums the usage when %s reported any', async (_, [first, second], sum) => {
    const {fold, reports} = rig(99, 2, {answers: [says({text: ' '}, first), summaryOf(10, second)]});
    await fold.transform(U5());
    expect(reports[0]?.usage).toEqual(sum);
  });

  it('judges a stream by its final responses: the text stands once, the last usage counts', async () => {
    const stream = [
      {partial: true, content: {role: 'model', parts: [{text: 'Good '}]}, usageMetadata: tokens(1)},
      {partial: true, content: {role: 'model', parts: [{text: 'sum'}]}, usageMetadata: tokens(2)},
      {partial: false, content: {role: 'model', parts: [{text: 'thinking', thought: true}, {text: 'Good sum'}]}},
    ];
    const {fold, reports} = rig(99, 2, {answers: [stream]});
    const [summary] = await fold.transform(U5());
    expect(textOf(summary)).toBe('SUM:Good sum');
    expect(reports[0]).toMatchObject({usage: tokens(2), outputTypes: ['text', 'thought']});
  });

  it('a stream that ends before its final response is incomplete', async () => {
    const {fold, reports} = rig(99, 2, {
      answers: [[{partial: true, content: {role: 'model', parts: [{text: 'Half'}]}}]],
    });
    await fold.transform(U5());
    expect(reports[0]?.error).toMatchObject({code: 'incomplete', reason: 'STREAM_ENDED'});
  });

  it('a stream that breaks is a hard error, its usage known', async () => {
    const model = new FakeModel();
    model.generateContentAsync = async function* () {
      yield {partial: true, usageMetadata: tokens(7)};
      throw new Error('reset');
    };
    const {fold, reports} = rig(99, 2, {summarizer: model.asLlm()});
    await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error'});
    expect(reports[0]).toMatchObject({usage: tokens(7), attempts: 1});
  });

  it('takes the interaction id where there is no response id', async () => {
    const answer = summaryOf(10).map((response) => ({...response, interactionId: 'i1'}));
    const {fold, reports} = rig(99, 2, {answers: [answer]});
    await fold.transform(U5());
    expect(reports[0]?.responseId).toBe('i1');
  });

  it('the summary is well formed', async () => {
    const {fold} = rig(99, 2, {answers: [says({text: 'ok \ud83d'})]});
    const [summary] = await fold.transform(U5());
    expect(textOf(summary)).toBe('SUM:ok \ufffd');
  });

  it.each(['estimate', 'filter', 'pin', 'summaryItem', 'editRequest'] as const)(
    'a callback that throws is a hard error that names it: %s',
    async (option) => {
      const cause = new Error('mine');
      const throws = (): never => {
        throw cause;
      };
      const {fold, reports, calls} = rig(99, 2, {[option]: throws});
      await expect(fold.transform(U5())).rejects.toMatchObject({code: 'error', reason: `${option} threw`, cause});
      expect(reports).toHaveLength(option === 'estimate' ? 0 : 1);
      expect(calls()).toBe(0);
      const going = rig(99, 2, {[option]: throws, onError: 'continue'});
      const list = U5();
      expect(await going.fold.transform(list)).toBe(list);
      expect(await going.fold.transform(list)).toBe(list);
      expect(going.reports.map((report) => report.attempts)).toEqual(option === 'estimate' ? [] : [0]);
    },
  );

  it('an estimator that throws after the first call ends the fold with one attempt', async () => {
    let weighed = 0;
    const {fold, reports} = rig(99, 2, {
      minFold: 0,
      estimate: (list) => {
        weighed += 1;
        if (weighed === 3) {
          throw new Error('mine');
        }
        return weigh(list);
      },
    });
    await expect(fold.transform(U5())).rejects.toMatchObject({reason: 'estimate threw'});
    expect(reports[0]).toMatchObject({attempts: 1, error: {code: 'error'}});
  });

  it('its errors are told apart by class, code and marker', () => {
    const error = new SummaryTooLargeError(7, 5);
    expect(error).toBeInstanceOf(FoldError);
    expect(FoldError.isInstance(error)).toBe(true);
    expect({name: error.name, code: error.code}).toEqual({name: 'SummaryTooLargeError', code: 'too-large'});
  });
});
