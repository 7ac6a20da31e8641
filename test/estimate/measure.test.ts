import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type MeasureMemo, measureRequest} from '../../src/estimate/measure.ts';
import {tokensOf} from '../../src/estimate/prediction.ts';
import {modalityTokens} from '../../src/estimate/weight.ts';
import {canonicalJson, estimateRequest, predictTokens, prefixHash} from '../../src/index.ts';
import {histories} from '../property/histories.ts';
import {requestOf} from '../support/manager-harness.ts';

type Edit = (contents: Content[], place: number) => void;

/** What other plugins may do to the contents between two calls, in place or by replacing. */
const edits: Record<string, Edit> = {
  'change a text deep inside': (contents, place) => {
    const part = contents[place % contents.length]?.parts?.[0];
    if (part) {
      part.text = `${part.text ?? ''}!`;
    }
  },
  'add a member': (contents, place) => Object.assign(contents[place % contents.length] ?? {}, {note: place}),
  'remove a content': (contents, place) => contents.splice(place % contents.length, 1),
  'insert a content': (contents, place) =>
    contents.splice(place % contents.length, 0, {role: 'user', parts: [{text: 'new'}]}),
  'empty the parts': (contents, place) => Object.assign(contents[place % contents.length] ?? {}, {parts: []}),
  'put in something odd': (contents, place) =>
    Object.assign(contents[place % contents.length] ?? {}, {when: new Date(0), bytes: new Uint8Array(3)}),
  'swap two contents': (contents) => contents.push(...contents.splice(0, 1)),
  nothing: () => {},
};

function changeEveryTenth(content: Content, index: number): void {
  if (index % 10 === 5) {
    content.parts = [{text: 'changed'}];
  }
}

function revoked(): object {
  const {proxy, revoke} = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('measureRequest', () => {
  it('equals a full count and a full hash after any edit, and whatever was done to earlier requests since', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.nat(), fc.boolean()), {maxLength: 6});
    fc.assert(
      fc.property(histories, steps, (history, edited) => {
        let contents = structuredClone(history);
        let memo = measureRequest(requestOf(contents), contents).memo;
        for (const [name, place, mutatesEarlier] of edited) {
          const earlier = contents;
          contents = structuredClone(contents);
          if (contents.length > 0) {
            edits[name]?.(contents, place);
          }
          const measured = measureRequest(requestOf(contents), contents, memo);
          if (mutatesEarlier && earlier.length > 0) {
            edits['change a text deep inside']?.(earlier, place);
          }
          const full = estimateRequest(requestOf(contents), {media: 'modality'});
          expect(measured.size.weight.canonicalBytes).toBe(full.canonicalBytes);
          expect(modalityTokens(measured.size.weight)).toBe(full.tokens);
          for (const split of [0, 1, place % (contents.length + 1), contents.length, 2]) {
            expect(measured.prefixHash(split)).toBe(
              split > contents.length ? '' : prefixHash(contents.slice(0, split)),
            );
          }
          memo = measured.memo;
        }
      }),
      {numRuns: 300},
    );
  });

  it('recognises contents of the earlier request: the same object stands for them', () => {
    const contents: Content[] = [
      {role: 'user', parts: [{text: 'a'}]},
      {role: 'model', parts: [{text: 'b'}]},
    ];
    const first = measureRequest(requestOf(contents), contents);
    const next = structuredClone([...contents, {role: 'user', parts: [{text: 'c'}]}]);
    const second = measureRequest(requestOf(next), next, first.memo);
    expect(second.measured.slice(0, 2)).toEqual(first.measured);
    expect(second.measured[0]).toBe(first.measured[0]);
  });

  it.each<[string, number, (contents: Content[]) => unknown]>([
    ['some were left out in front', 60, (contents) => contents.splice(0, 40)],
    ['some were left out in the middle', 80, (contents) => contents.splice(30, 20)],
    ['one was put in front', 100, (contents) => contents.unshift({role: 'user', parts: [{text: 'new'}]})],
    ['ten were changed in place', 90, (contents) => contents.forEach(changeEveryTenth)],
    ['one in front was replaced by two', 99, (contents) => contents.splice(0, 1, {parts: [{}]}, {parts: []})],
  ])('recognises the others when %s', (_, recognised, edit) => {
    const contents = Array.from({length: 100}, (_item, index) => ({role: 'user', parts: [{text: `text ${index}`}]}));
    const {memo} = measureRequest(requestOf(contents), contents);
    const next: Content[] = structuredClone(contents);
    edit(next);
    const {measured} = measureRequest(requestOf(next), next, memo);
    expect(measured.filter((content) => memo.measured.includes(content)).length).toBe(recognised);
  });

  it('counts instruction and tools again when they change, and the model', () => {
    const contents: Content[] = [{role: 'user', parts: [{text: 'a'}]}];
    const configs = [{systemInstruction: 'short'}, {systemInstruction: 'somewhat longer'}, {}];
    let memo: MeasureMemo | undefined;
    for (const config of [...configs, ...configs]) {
      for (const model of ['one', 'another']) {
        const request = requestOf(contents, {config, model});
        const measured = measureRequest(request, contents, memo);
        expect(modalityTokens(measured.size.weight)).toBe(estimateRequest(request, {media: 'modality'}).tokens);
        expect(tokensOf(measured.size.prediction, model)).toBe(predictTokens(request));
        memo = measured.memo;
      }
    }
  });

  it.each<[string, object]>([
    ['a getter that throws', Object.defineProperty({}, 'topK', {enumerable: true, get: () => JSON.parse('')})],
    ['a proxy that throws', new Proxy({}, {ownKeys: () => JSON.parse('')})],
    ['a revoked proxy', revoked()],
    ['a toJSON that throws', {toJSON: () => JSON.parse('')}],
    [
      'a toJSON of its class',
      new (class {
        topK = 1;
        toJSON(): string {
          return 'x'.repeat(400);
        }
      })(),
    ],
  ])('measures a config with %s as it is counted', (_, config) => {
    const contents: Content[] = [{role: 'user', parts: [{text: 'a'}]}];
    const bare = requestOf(contents, {config});
    const measured = measureRequest(bare, contents);
    expect(modalityTokens(measured.size.weight)).toBe(estimateRequest(bare, {media: 'modality'}).tokens);
    expect(measureRequest(bare, contents, measured.memo).size).toEqual(measured.size);
  });

  it('measures, and recognises nothing of, a content that throws when it is read', () => {
    const hostile: Content = Object.defineProperty({role: 'user'}, 'parts', {
      enumerable: true,
      get: () => JSON.parse(''),
    });
    const contents = [hostile, {role: 'user', parts: [{text: 'a'}]}];
    const first = measureRequest(requestOf(contents), contents);
    const second = measureRequest(requestOf(contents), contents, first.memo);
    expect(second.size).toEqual(first.size);
    expect(first.measured.filter((content) => second.measured.includes(content))).toEqual([first.measured[1]]);
  });

  it('gives no hash for what cannot be serialised', () => {
    const cycle: Content & {self?: unknown} = {role: 'user', parts: []};
    cycle.self = cycle;
    const measured = measureRequest(requestOf([cycle]), [cycle]);
    expect(measured.prefixHash(1)).toBe('');
    expect(measured.prefixHash(0)).toBe(prefixHash([]));
    expect(canonicalJson([])).toBe('[]');
  });
});
