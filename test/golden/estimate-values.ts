import type {EstimateVector} from './estimate-vector.ts';

function cyclic(): unknown {
  const value: {a: number; self?: unknown; list?: unknown[]} = {a: 1};
  value.self = value;
  value.list = [value, 2];
  return value;
}

/** Values that JSON escapes, changes or does not know. */
export const VALUES_VECTORS: readonly EstimateVector[] = [
  {
    name: 'quotes, backslashes and control characters are escaped, a slash and DEL are not',
    request: {contents: [{role: 'user', parts: [{text: 'a"b\\c/\n\t\r\b\f\u0000\u0001\u000b\u001f\u007f'}]}]},
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"text":"a\\"b\\\\c/\\n\\t\\r\\b\\f\\u0000\\u0001\\u000b\\u001f\u007f"}],"role":"user"}]}',
    figures: [95, 24, 1, 1, 0, 0, 0, 5, 29],
  },
  {
    name: 'line separators stay three bytes',
    request: {contents: [{role: 'user', parts: [{text: 'a\u2028b\u2029'}]}]},
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"text":"a\u2028b\u2029"}],"role":"user"}]}',
    figures: [60, 15, 1, 1, 0, 0, 0, 5, 20],
  },
  {
    name: 'scripts of one to three bytes',
    request: {contents: [{role: 'user', parts: [{text: 'é Привет 日本'}]}]},
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"text":"é Привет 日本"}],"role":"user"}]}',
    figures: [74, 19, 1, 1, 0, 0, 0, 5, 24],
  },
  {
    name: 'an emoji is four bytes, half an emoji an escape',
    request: {contents: [{role: 'user', parts: [{text: '🎉 \ud83d \udf89'}]}]},
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"text":"🎉 \\ud83d \\udf89"}],"role":"user"}]}',
    figures: [70, 18, 1, 1, 0, 0, 0, 5, 23],
  },
  {
    name: 'keys are sorted by code unit, numbers among them',
    request: {
      contents: [
        {role: 'user', parts: [{functionCall: {name: 't', args: {b: 1, 9: 2, 10: 3, B: 4, '\uffff': 5, '😀': 6}}}]},
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionCall":{"args":{"10":3,"9":2,"B":4,"b":1,"😀":6,"\uffff":5},"name":"t"}}],"role":"user"}]}',
    figures: [121, 31, 1, 1, 1, 0, 0, 13, 44],
  },
  {
    name: 'bigint, Date, NaN, infinities, undefined, functions',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {
                  n: 10n,
                  when: new Date(0),
                  u: undefined,
                  nan: Number.NaN,
                  inf: Number.NEGATIVE_INFINITY,
                  f() {},
                  z: -0,
                },
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"inf":null,"n":"10","nan":null,"when":"1970-01-01T00:00:00.000Z","z":0}}}],"role":"user"}]}',
    figures: [158, 40, 1, 1, 1, 0, 0, 13, 53],
  },
  {
    name: 'an invalid date is null',
    request: {
      contents: [{role: 'user', parts: [{functionResponse: {name: 't', response: {when: new Date(Number.NaN)}}}]}],
    },
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"when":null}}}],"role":"user"}]}',
    figures: [99, 25, 1, 1, 1, 0, 0, 13, 38],
  },
  {
    name: 'maps and sets are empty objects',
    request: {
      contents: [
        {role: 'user', parts: [{functionResponse: {name: 't', response: {m: new Map([[1, 2]]), s: new Set([1])}}}]},
      ],
    },
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"m":{},"s":{}}}}],"role":"user"}]}',
    figures: [101, 26, 1, 1, 1, 0, 0, 13, 39],
  },
  {
    name: 'bytes are base64',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {
                  array: new Uint8Array(3),
                  buffer: Buffer.from('hi'),
                  empty: new Uint8Array(),
                  raw: new Uint8Array([0, 1, 2]).buffer,
                  view: new DataView(new Uint8Array([255]).buffer),
                },
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"array":"AAAA","buffer":"aGk=","empty":"","raw":"AAEC","view":"/w=="}}}],"role":"user"}]}',
    figures: [156, 39, 1, 1, 1, 0, 0, 13, 52],
  },
  {
    name: 'undefined is null in a list and left out of an object',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {list: [undefined, () => 1, Symbol('s'), 1], gone: undefined, [Symbol('k')]: 1},
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"list":[null,null,null,1]}}}],"role":"user"}]}',
    figures: [113, 29, 1, 1, 1, 0, 0, 13, 42],
  },
  {
    name: 'boxed primitives',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {b: Object(false), i: Object(7n), n: Object(1.5), s: Object('x')},
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"b":false,"i":"7","n":1.5,"s":"x"}}}],"role":"user"}]}',
    figures: [121, 31, 1, 1, 1, 0, 0, 13, 44],
  },
  {
    name: 'own __proto__ and toJSON',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {
                  made: {toJSON: (key: string) => `made from ${key}`},
                  parsed: JSON.parse('{"__proto__":{"a":1}}'),
                },
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"made":"made from made","parsed":{"__proto__":{"a":1}}}}}],"role":"user"}]}',
    figures: [142, 36, 1, 1, 1, 0, 0, 13, 49],
  },
  {
    name: 'a cycle is left out',
    request: {contents: [{role: 'user', parts: [{functionResponse: {name: 't', response: cyclic()}}]}]},
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"a":1,"list":[null,2]}}}],"role":"user"}]}',
    figures: [109, 28, 1, 1, 1, 0, 0, 13, 41],
  },
  {
    name: 'a getter that throws is left out',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 't',
                response: {
                  a: 1,
                  get bad(): never {
                    throw new Error('no');
                  },
                },
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"functionResponse":{"name":"t","response":{"a":1}}}],"role":"user"}]}',
    figures: [93, 24, 1, 1, 1, 0, 0, 13, 37],
  },
];
