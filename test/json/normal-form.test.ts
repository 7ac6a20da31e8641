import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {toNormalForm} from '../../src/json/normal-form.ts';
import {anyValue} from './arbitraries.ts';

describe('toNormalForm', () => {
  it('is what comes back from the text', () => {
    fc.assert(
      fc.property(anyValue(), (value) => {
        expect(toNormalForm(value)).toStrictEqual(JSON.parse(canonicalJson(value)));
      }),
      {numRuns: 500},
    );
  });

  it('is its own normal form', () => {
    fc.assert(
      fc.property(anyValue(), (value) => {
        const once = toNormalForm(value);
        expect(toNormalForm(once)).toStrictEqual(once);
      }),
    );
  });

  it('keeps the order of keys', () => {
    expect(JSON.stringify(toNormalForm({b: 1, u: undefined, a: {d: 1, c: 2}}))).toBe('{"b":1,"a":{"d":1,"c":2}}');
  });

  it('shares nothing with the value', () => {
    const value = {list: [{a: 1}]};
    const copy = toNormalForm(value) as typeof value;
    expect(copy).toEqual(value);
    expect(copy.list).not.toBe(value.list);
    expect(copy.list[0]).not.toBe(value.list[0]);
  });

  it('keeps own __proto__ keys and leaves the prototype alone', () => {
    const copy = toNormalForm(JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}');
    expect('polluted' in {}).toBe(false);
  });

  it('leaves the value itself untouched', () => {
    const value = Object.freeze({when: new Date(0), list: Object.freeze([undefined])});
    expect(toNormalForm(value)).toEqual({when: '1970-01-01T00:00:00.000Z', list: [null]});
    expect(value.when).toBeInstanceOf(Date);
  });

  it('names the way to a cycle', () => {
    const response: {self?: unknown} = {};
    response.self = response;
    const event = {id: 'e1', content: {role: 'user', parts: [{functionResponse: {name: 't', response}}]}};
    expect(() => toNormalForm(event)).toThrow(TypeError);
    expect(() => toNormalForm(event)).toThrow(/^content\.parts\[0\]\.functionResponse\.response\.self refers back/);
  });

  it('names the way to a cycle through a list at the top', () => {
    const list: unknown[] = [];
    list.push({list});
    expect(() => toNormalForm(list)).toThrow(/^\[0\]\.list refers back/);
  });
});
