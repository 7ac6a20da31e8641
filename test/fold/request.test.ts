import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {DEFAULT_SUMMARY_PROMPT} from '../../src/fold/prompt.ts';
import {type Answer, callsOnly, contents, frozen, rig, summaryOf, textOf} from './notation.ts';

const U5 = (): Content[] => frozen(contents('u20 u20 u20 u20 u20'));
(error: unknown): Answer =>
  () =>
    Promise.reject(error);

describe('the request', () => {
  it('34: holds the record, the prompt and an output cap, and nothing else', async () => {
    const {fold, model} = rig(99, 2, {material: 'text', model: 'summary-model'});
    await fold.transform(U5());
    const [request] = model.requests;
    expect(request).toEqual({
      model: 'summary-model',
      contents: [
        {role: 'user', parts: [{text: expect.any(String)}]},
        {role: 'user', parts: [{text: DEFAULT_SUMMARY_PROMPT}]},
      ],
      config: {maxOutputTokens: 49},
      liveConnectConfig: {},
      toolsDict: {},
    });
  });

  it("34: asks the summariser's own model unless told otherwise", async () => {
    const {fold, model} = rig(99, 2);
    await fold.transform(U5());
    expect(model.requests[0]?.model).toBe('fake-summarizer');
  });

  it.each([
    [1, undefined],
    [2, 1],
    [1_000, 500],
    [16_383, 8_191],
    [16_384, 8_192],
    [100_000, 8_192],
  ])('35: caps the output of budget %i at %s', async (budget, maxOutputTokens) => {
    const {fold, model} = rig(budget, 1, {minFold: 0});
    await fold.transform(contents(`u${budget} u20`));
    expect(model.requests[0]?.config?.maxOutputTokens).toBe(maxOutputTokens);
    expect('maxOutputTokens' in (model.requests[0]?.config ?? {})).toBe(maxOutputTokens !== undefined);
  });

  it('36: editRequest has the last word, and the report shows it', async () => {
    const editRequest = (request: LlmRequest): void => {
      request.config = {...request.config, maxOutputTokens: 64};
    };
    const {fold, model, reports} = rig(99, 2, {editRequest});
    await fold.transform(U5());
    expect(model.requests[0]?.config).toEqual({maxOutputTokens: 64});
    expect(reports[0]?.request?.config).toEqual({maxOutputTokens: 64});
    const deleting = rig(99, 2, {editRequest: (request) => delete request.config?.maxOutputTokens});
    await deleting.fold.transform(U5());
    expect(deleting.model.requests[0]?.config).toEqual({});
  });

  it('36: runs once per attempt on a fresh request, and no edit leaks into the other one', async () => {
    const seen: number[] = [];
    const {fold, model, reports} = rig(99, 2, {
      answers: [callsOnly, summaryOf(10)],
      editRequest: (request) => {
        seen.push(request.contents.length);
        request.contents.push({role: 'user', parts: [{text: `edit ${seen.length}`}]});
      },
    });
    await fold.transform(U5());
    expect(seen).toEqual([4, 4]);
    expect(model.requests.map((request) => textOf(request.contents.at(-1)))).toEqual(['edit 1', 'edit 2']);
    expect(textOf(reports[0]?.request?.contents.at(-1))).toBe('edit 2');
  });

  it('37: thoughts are stripped from the request, not from the kept end and not from the weights', async () => {
    const {fold, material} = rig(50, 1);
    const list = frozen(contents('u20 t20 a20 u20'));
    await fold.transform(list);
    expect(material()).toEqual([list[0], list[2]]);

    const mixed = rig(50, 2, {minFold: 60});
    const [first, kept] = contents('a20+t20 a20+t20');
    const thoughtful = [first, ...contents('u20'), kept, ...contents('u20')] as Content[];
    const result = await mixed.fold.transform(thoughtful);
    expect(mixed.material()[0]?.parts).toEqual([first?.parts?.[0]]);
    expect(result[1]).toEqual(kept);
  });

  it('hands out copies: a model that writes into its request reaches neither the history nor the report', async () => {
    const vandal: Answer = (request) => {
      for (const content of request.contents) {
        content.parts = [{text: 'changed'}];
      }
      request.contents.push({role: 'user', parts: [{text: 'Continue.'}]});
      request.config = {...request.config, abortSignal: new AbortController().signal};
      return Promise.resolve(summaryOf(10));
    };
    const {fold, reports} = rig(99, 2, {answers: [vandal]});
    const list = contents('u20 c5#a r15#a u20 u20 u20');
    const before = structuredClone(list);
    await fold.transform(list);
    expect(list).toEqual(before);
    expect(reports[0]?.request?.contents.slice(0, -1)).toEqual(before.slice(0, 4));
    expect(reports[0]?.request?.config).toEqual({maxOutputTokens: 49});
  });

  it('keeps pairs and signatures whole, and writes a lonely half as text', async () => {
    const {fold, material} = rig(50, 1, {minFold: 0});
    const list = contents('u30 c10#a+c10#b r10#b r10#gone u20 u20');
    const call = list[1]?.parts?.[1];
    if (call) {
      call.thoughtSignature = 'c2lnQg==';
    }
    await fold.transform(list);
    expect(material()[1]?.parts).toEqual([{text: expect.stringMatching(/^call tool_a\(\{"text":/)}, call]);
    expect(material()[2]).toEqual(list[2]);
    expect(material()[3]?.parts).toEqual([{text: expect.stringMatching(/^answer tool_gone: \{"text":/)}]);
  });

  it('writes a pair as text when other words stand between its halves', async () => {
    const {fold, material} = rig(50, 1, {minFold: 0});
    await fold.transform(contents('u30 c10#a a10 r10#a u20'));
    expect(
      material()
        .flatMap((content) => content.parts ?? [])
        .every((part) => 'text' in part),
    ).toBe(true);
  });

  it('does not copy or change anything of the history', async () => {
    const {fold} = rig(50, 1, {material: 'text'});
    const list = frozen(contents('u30 c10#a+t5 r10#a n5 u20'));
    const result = await fold.transform(list);
    expect(result[1]).toBe(list[4]);
  });
});
