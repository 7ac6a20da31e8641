import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {toNormalForm} from '../../src/json/normal-form.ts';
import {anyValue, awkwardText, plainJson} from './arbitraries.ts';
import {nested} from './hostile.ts';

/** What canonical JSON of a plain JSON value is, said another way. */
function reference(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(reference).join()}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${reference(member)}`).join()}}`;
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(shuffled);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

describe('canonicalJson', () => {
  it.each<[string, unknown, string]>([
    ['undefined on its own', undefined, 'null'],
    ['a function on its own', () => 1, 'null'],
    ['null', null, 'null'],
    ['an empty object', {}, '{}'],
    ['an object of nothing', {a: undefined}, '{}'],
    ['an empty list', [], '[]'],
    ['a sparse list', new Array(2), '[null,null]'],
    ['minus zero', -0, '0'],
    ['big and small numbers', [1e21, 1e-7, 0.1], '[1e+21,1e-7,0.1]'],
    ['a bigint', 12345678901234567890n, '"12345678901234567890"'],
    ['a null prototype', Object.assign(Object.create(null), {b: 1, a: 2}), '{"a":2,"b":1}'],
    [
      'a class instance',
      new (class A {
        b = 1;
        a = 2;
        #c = 3;
        get d() {
          return this.#c;
        }
      })(),
      '{"a":2,"b":1}',
    ],
    ['a symbol in an object', {[Symbol('s')]: 1, s: Symbol('s')}, '{}'],
    ['a boxed symbol', Object(Symbol('s')), '{}'],
    ['a boxed boolean that lies', Object.assign(Object(false), {valueOf: () => true}), 'false'],
    ['an error', Object.assign(new Error('x'), {code: 1}), '{"code":1}'],
    ['bytes in the middle of a buffer', new Uint8Array([9, 0, 1, 2, 9]).subarray(1, 4), '"AAEC"'],
    ['bytes with a toJSON', Object.assign(new Uint8Array([1]), {toJSON: () => 'no'}), '"AQ=="'],
    ['a toJSON that gives bytes', {toJSON: () => Buffer.from('hi')}, '"aGk="'],
    ['a toJSON that gives an object with another', {toJSON: () => ({toJSON: () => 1, a: 2})}, '{"a":2}'],
    ['a function with a toJSON', Object.assign(() => 1, {toJSON: () => 'f'}), '"f"'],
    ['a shared value, which is no cycle', ((shared) => [shared, {shared}])({a: 1}), '[{"a":1},{"shared":{"a":1}}]'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('writes keys in order of their UTF-16 code units', () => {
    expect(canonicalJson({b: 1, a: 2, B: 3, 9: 4, 10: 5, '\uffff': 6, '😀': 7, '': 8})).toBe(
      '{"":8,"10":5,"9":4,"B":3,"a":2,"b":1,"😀":7,"\uffff":6}',
    );
  });

  it('sorts an object with other keys than the one before it', () => {
    expect(
      canonicalJson([
        {b: 1, a: 2},
        {b: 1, c: 2},
        {c: 1, b: 2},
        {b: 1, a: 2},
      ]),
    ).toBe('[{"a":2,"b":1},{"b":1,"c":2},{"b":2,"c":1},{"a":2,"b":1}]');
  });

  it('is the text of a recursive sort for plain JSON', () => {
    fc.assert(
      fc.property(plainJson(), (value) => canonicalJson(value) === reference(value)),
      {numRuns: 500},
    );
  });

  it('does not depend on the order of keys', () => {
    fc.assert(fc.property(plainJson(), (value) => canonicalJson(shuffled(value)) === canonicalJson(value)));
  });

  it('writes strings as JSON.stringify does, well formed', () => {
    fc.assert(
      fc.property(awkwardText(), (text) => {
        expect(canonicalJson(text)).toBe(JSON.stringify(text));
        expect(canonicalJson(text).isWellFormed()).toBe(true);
      }),
    );
  });

  it('is the same for a value, its normal form and what is read back from its text', () => {
    fc.assert(
      fc.property(anyValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(toNormalForm(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
      {numRuns: 500},
    );
  });

  it('refuses a cycle and names the way to it', () => {
    const response: {self?: unknown} = {};
    response.self = response;
    expect(() => canonicalJson({parts: [{response}]})).toThrow(
      new TypeError(
        'parts[0].response.self refers back to a value that contains it and has no JSON form; leave it out.',
      ),
    );
  });

  it('takes 2,000 levels, and says so of one more', () => {
    expect(canonicalJson(nested(2_000, (inner) => ({a: inner})))).toHaveLength(12_001);
    expect(() => canonicalJson(nested(2_001, (inner) => ({a: inner})))).toThrow(/deeper than 2000 levels/);
  });

  it('throws what a getter throws', () => {
    const failure = new Error('no');
    const value = Object.defineProperty({}, 'bad', {
      enumerable: true,
      get: () => {
        throw failure;
      },
    });
    expect(() => canonicalJson(value)).toThrow(failure);
  });
});
