import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {jsonByteLength, jsonStringByteLength} from '../../src/json/byte-length.ts';
import {canonicalJson} from '../../src/json/canonical-json.ts';
import {anyValue, awkwardText, plainJson} from './arbitraries.ts';
import {HOSTILE, nested} from './hostile.ts';

describe('jsonByteLength', () => {
  it('is the UTF-8 length of canonical JSON', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue(), plainJson()), (value) => {
        expect(jsonByteLength(value)).toBe(Buffer.byteLength(canonicalJson(value)));
      }),
      {numRuns: 2_000},
    );
  });

  it.each(HOSTILE)('never throws: %s', (_, make) => {
    expect(Number.isSafeInteger(jsonByteLength(make()))).toBe(true);
  });

  it.each(HOSTILE)('measures everything around what has no form: %s', (_, make) => {
    const bytes = jsonByteLength({before: 1, hostile: make(), after: 'é'});
    expect(bytes).toBeGreaterThanOrEqual(Buffer.byteLength('{"before":1,"after":"é"}'));
    expect(jsonByteLength({hostile: make(), more: 'four'}) - jsonByteLength({hostile: make()})).toBeGreaterThanOrEqual(
      13,
    );
  });

  it('leaves out the member that closes a cycle, null in a list', () => {
    const value: {a: number; self?: unknown; list?: unknown[]} = {a: 1};
    value.self = value;
    value.list = [value, {up: value}];
    expect(jsonByteLength(value)).toBe('{"a":1,"list":[null,{}]}'.length);
  });

  it('counts a value that is shared but no cycle each time', () => {
    const shared = {a: 1};
    expect(jsonByteLength([shared, shared])).toBe('[{"a":1},{"a":1}]'.length);
  });

  it('counts the members beside one that throws', () => {
    const bad = Object.defineProperty({a: 1}, 'bad', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(
      jsonByteLength([
        bad,
        {
          toJSON: () => {
            throw new Error('no');
          },
        },
      ]),
    ).toBe('[{"a":1},null]'.length);
  });

  it('counts what follows more than 2,000 members that throw', () => {
    const [, make] = HOSTILE.find(([name]) => name === 'a proxy without keys') as (typeof HOSTILE)[number];
    const list = [...Array.from({length: 2_500}, make), {a: 1}];
    expect(jsonByteLength(list)).toBe(2 + 2_500 * 'null,'.length + '{"a":1}'.length);
  });

  it('counts what stands in 2,000 levels and leaves out what is deeper', () => {
    expect(jsonByteLength(nested(2_000, (inner) => [inner]))).toBe(4_001);
    expect(jsonByteLength(nested(2_001, (inner) => [inner]))).toBe(2 * 2_000 + 'null'.length);
  });
});

describe('jsonStringByteLength', () => {
  function expectLength(text: string): void {
    expect(jsonStringByteLength(text)).toBe(Buffer.byteLength(JSON.stringify(text)));
  }

  it('is right for every UTF-16 code unit, alone and in a long text', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const text = String.fromCharCode(unit);
      if (jsonStringByteLength(text) !== Buffer.byteLength(JSON.stringify(text))) {
        expectLength(text);
      }
      const long = text.repeat(unit < 0x80 ? 301 : 40);
      if (jsonStringByteLength(long) !== Buffer.byteLength(JSON.stringify(long))) {
        expectLength(long);
      }
    }
  });

  it('is right for any text, short or repeated to any length', () => {
    fc.assert(
      fc.property(awkwardText(), fc.integer({min: 1, max: 40}), (text, times) => {
        expectLength(text.repeat(times));
      }),
    );
  });

  it.each([32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 98_305])(
    'is right where a text of %i units is cut',
    (length) => {
      expectLength('x'.repeat(length));
      expectLength(`${'x'.repeat(length - 1)}🎉${'\n"é日'.repeat(9)}`);
      expectLength(`${'日'.repeat(length - 1)}\ud83d`);
    },
  );
});
