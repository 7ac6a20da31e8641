import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {estimateContents, estimateRequest} from '../../src/estimate/estimate-request.ts';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {toNormalForm} from '../../src/json/normal-form.ts';
import {prefixHash} from '../../src/json/prefix-hash.ts';

const user = (...parts: object[]): Content => ({role: 'user', parts: parts as Content['parts'] & object});

function answer(response: unknown): Content {
  return user({functionResponse: {name: 'read', response}});
}

function readBack(contents: Content[]): Content[] {
  return JSON.parse(JSON.stringify(toNormalForm(contents)));
}

describe('pictures counted as text (case 11)', () => {
  const picture = (characters: number): object => ({inlineData: {mimeType: 'image/png', data: 'A'.repeat(characters)}});
  const question = (characters: number): Content[] => [user({text: 'what is this?'}, picture(characters))];

  it('a 4 MB picture in a new session is no million tokens, and not free', () => {
    const tokens = estimateContents(question(4_000_000));
    expect(tokens).toBeGreaterThanOrEqual(258);
    expect(tokens).toBeLessThan(0.8 * 32_000);
  });

  it('a reported 1,300 tokens for it keeps the factor away from its limits of 0.5 and 2', () => {
    const observed = 1_300 / estimateContents(question(4_000_000));
    expect(0.7 + 0.3 * observed).toBeGreaterThan(0.9);
    expect(0.7 + 0.3 * observed).toBeLessThan(1.2);
  });

  it('twice the bytes is not twice the tokens', () => {
    expect(estimateContents(question(8_000_000))).toBe(estimateContents(question(4_000_000)));
  });

  it('45 pictures inside tool answers are seen, as media and not as text', () => {
    const shot = user({functionResponse: {name: 'shot', response: {ok: true}, parts: [picture(200_000)]}});
    const tokens = estimateContents(Array.from({length: 45}, () => shot));
    expect(tokens).toBeGreaterThan(45 * 258);
    expect(tokens).toBeLessThan(45 * 5_000);
  });

  it('an answer without its picture weighs less by the picture', () => {
    const withPicture = user({functionResponse: {name: 'shot', response: {ok: true}, parts: [picture(200_000)]}});
    const without = user({functionResponse: {name: 'shot', response: {ok: true}}});
    expect(estimateContents([withPicture]) - estimateContents([without])).toBeGreaterThanOrEqual(258);
  });

  it('a file named by URI counts a small constant', () => {
    const file = (mimeType: string): Content => user({fileData: {fileUri: 'gs://b/x.pdf', mimeType}});
    expect(estimateContents([file('application/pdf')]) - estimateContents([file('text/plain')])).toBeGreaterThan(250);
    expect(estimateContents([file('application/pdf')])).toBeLessThan(400);
  });
});

describe('half an emoji, NUL and U+2028 (case 13)', () => {
  it.each([
    ['half an emoji', 'bad \ud83d tail'],
    ['NUL', 'W\u0000s\u0000l\u0000'],
    ['a line separator', 'a\u2028b'],
    ['an emoji', `${'x'.repeat(99)}${'🎉'.repeat(50)}`],
    ['an emoji cut in two', `${'x'.repeat(99)}${'🎉'.repeat(50)}`.slice(0, 100)],
  ])('%s is the same live and read back, and its text is well formed', (_, output) => {
    const contents = [answer({output})];
    expect(readBack(contents)).toEqual(contents);
    expect(prefixHash(readBack(contents))).toBe(prefixHash(contents));
    expect(estimateContents(readBack(contents))).toBe(estimateContents(contents));
    expect(canonicalJson(contents).isWellFormed()).toBe(true);
    const bytes = Buffer.from(canonicalJson(contents));
    expect(JSON.parse(bytes.toString())).toEqual(contents);
    expect(estimateRequest({contents} as LlmRequest).canonicalBytes).toBe('{"contents":}'.length + bytes.length);
  });
});

describe('tool answers that are not JSON (case 14)', () => {
  const notJson = (): Record<string, unknown> => ({
    n: 10n,
    when: new Date(0),
    u: undefined,
    nan: Number.NaN,
    inf: Number.NEGATIVE_INFINITY,
    f() {},
    m: new Map([[1, 2]]),
    buf: new Uint8Array(3),
  });

  it('have the same identity and estimate live and read back', () => {
    const contents = [answer(notJson())];
    expect(readBack(contents)).toEqual([
      answer({n: '10', when: '1970-01-01T00:00:00.000Z', nan: null, inf: null, m: {}, buf: 'AAAA'}),
    ]);
    expect(prefixHash(contents)).not.toBe('');
    expect(prefixHash(readBack(contents))).toBe(prefixHash(contents));
    expect(estimateContents(readBack(contents))).toBe(estimateContents(contents));
  });

  it('with a cycle are estimated without the member that closes it, have no identity and no normal form', () => {
    const response = notJson();
    const before = estimateContents([answer(response)]);
    response.self = response;
    expect(estimateContents([answer(response)])).toBe(before);
    expect(prefixHash([answer(response)])).toBe('');
    expect(() => toNormalForm({content: answer(response)})).toThrow(
      /content\.parts\[0\]\.functionResponse\.response\.self/,
    );
  });

  it('that differ only in their bytes have different identities', () => {
    const [one, other] = [1, 2].map((byte) => prefixHash([answer({bytes: new Uint8Array([byte])})]));
    expect(one).not.toBe(other);
  });
});
