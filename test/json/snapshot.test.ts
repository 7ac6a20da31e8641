import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {matchesSnapshot, takeOverTexts, takeSnapshot} from '../../src/json/snapshot.ts';

const json = fc.jsonValue();
const matches = (before: unknown, after: unknown): boolean => {
  const snapshot = takeSnapshot(before);
  return snapshot !== undefined && matchesSnapshot(snapshot, after);
};

class Dated {
  toJSON(): string {
    return 'today';
  }
}

describe('a snapshot', () => {
  it('recognises an equal value', () => {
    fc.assert(fc.property(json, (value) => matches(value, structuredClone(value))));
  });

  it('recognises no other value', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        if (matches(one, other)) {
          expect(JSON.stringify(other)).toBe(JSON.stringify(one));
        }
      }),
    );
  });

  it('is not changed by what happens to the value afterwards', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (value) => {
        const copy = structuredClone(value);
        const snapshot = takeSnapshot(value) ?? [];
        Object.assign(value, {added: 1});
        expect(matchesSnapshot(snapshot, value)).toBe('added' in copy && copy.added === 1);
        expect(matchesSnapshot(snapshot, {...copy})).toBe(true);
      }),
    );
  });

  it.each<[string, unknown, unknown]>([
    ['a changed leaf deep inside', {a: [{b: 'x'}]}, {a: [{b: 'y'}]}],
    ['a missing member', {a: 1, b: 2}, {a: 1}],
    ['a member more', {a: 1}, {a: 1, b: 2}],
    ['undefined in place of nothing', {a: 1}, {a: 1, b: undefined}],
    ['an array for an object', {a: []}, {a: {}}],
    ['a longer array', [1], [1, 2]],
    ['an array split otherwise', [[1], [2]], [[1, 2]]],
    ['a number for a length', [[]], [0]],
    ['keys that read the same when joined', {'a\u0000b': 1}, {a: 1, b: 1}],
    ['NaN for a number', {a: 1}, {a: Number.NaN}],
    ['a Date', {a: {}}, {a: new Date(0)}],
    ['a boxed number', {a: {}}, {a: Object(1)}],
    ['a boxed boolean', {a: {}}, {a: Object(true)}],
    ['a boxed text', {a: {0: 'x', 1: 'y'}}, {a: Object('xy')}],
    ['a boxed number with a member', {a: {b: 1}}, {a: Object.assign(Object(5), {b: 1})}],
    ['inherited members', {a: {b: 1}}, {a: Object.create({b: 1})}],
    ['an empty boxed text', {a: {}}, {a: Object('')}],
    ['an object whose class has a toJSON', {a: {b: 1}}, {a: Object.assign(new Dated(), {b: 1})}],
    ['an array with a toJSON of its own', {a: [1]}, {a: Object.assign([1], {toJSON: () => 2})}],
    ['an object that hides a toJSON', {a: {b: 1}}, {a: Object.defineProperty({b: 1}, 'toJSON', {value: () => 2})}],
  ])('does not recognise %s', (_, before, after) => {
    expect(matches(before, after)).toBe(false);
    expect(matches(after, before)).toBe(false);
  });

  it.each<[string, unknown]>([
    ['a function', {toJSON: () => 1}],
    ['a symbol', {a: Symbol('a')}],
    ['a Date', {a: new Date()}],
    ['a Map', {a: new Map()}],
    ['bytes', {a: new Uint8Array(2)}],
    ['a class instance', {a: new (class Box {})()}],
    [
      'a cycle',
      (() => {
        const a: {self?: unknown} = {};
        a.self = a;
        return a;
      })(),
    ],
  ])('is not taken of %s', (_, value) => {
    expect(takeSnapshot(value)).toBeUndefined();
  });

  it('recognises an array of a kind of its own, for which the same JSON is written', () => {
    class Rows extends Array<unknown> {}
    fc.assert(
      fc.property(fc.array(json, {minLength: 2}), (rows) => {
        expect(matches({rows}, {rows: Rows.from(rows)})).toBe(true);
        expect(JSON.stringify(Rows.from(rows))).toBe(JSON.stringify(rows));
      }),
    );
  });

  it('recognises nothing while all objects inherit a member', () => {
    const prototype = Object.prototype as {inherited?: number};
    const snapshot = takeSnapshot({own: 1, inherited: 2}) ?? [];
    try {
      prototype.inherited = 2;
      expect(matchesSnapshot(snapshot, {own: 1})).toBe(false);
    } finally {
      delete prototype.inherited;
    }
  });

  it('does not recognise, and does not throw for, what throws when it is read', () => {
    const hostile = Object.defineProperty({}, 'a', {enumerable: true, get: () => JSON.parse('')});
    expect(matches({a: 1}, hostile)).toBe(false);
  });

  it('takes over the texts of an equal value, and nothing of another', () => {
    const value = {a: 'one', b: [{c: 'two', d: 3}, 'three', null], e: {}};
    const snapshot = takeSnapshot(value) ?? [];
    const written: unknown[] = [];
    const list = new Proxy([...snapshot], {
      set: (items, name, text) => {
        written.push(text);
        return Reflect.set(items, name, text);
      },
    });
    takeOverTexts(list, 0, structuredClone(value));
    expect(written).toEqual(['one', 'two', 'three']);
    takeOverTexts(list, 0, {z: 'one', b: [{c: 'other', d: 'two'}, {}, 'three'], f: 'more'});
    expect([...list]).toEqual(snapshot);
    takeOverTexts(list, 0, Object.defineProperty({}, 'a', {enumerable: true, get: () => JSON.parse('')}));
    expect(matchesSnapshot(list, value)).toBe(true);
  });

  it('recognises NaN and undefined', () => {
    expect(matches({a: Number.NaN, b: undefined}, {a: Number.NaN, b: undefined})).toBe(true);
  });
});
