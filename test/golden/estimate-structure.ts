import type {EstimateVector} from './estimate-vector.ts';

/** Contents, parts, system instructions, tools. */
export const STRUCTURE_VECTORS: readonly EstimateVector[] = [
  {
    name: 'the golden request',
    request: {
      model: 'fixture-model',
      contents: [
        {
          role: 'user',
          parts: [
            {text: '<&>'},
            {functionCall: {id: 'call-1', name: 'read', args: {z: 2, a: 1}}},
            {inlineData: {mimeType: 'application/octet-stream', data: 'AAEC'}},
          ],
        },
      ],
      config: {
        systemInstruction: {role: 'user', parts: [{text: 'system'}]},
        tools: [{functionDeclarations: [{name: 'read'}]}],
      },
    },
    media: 'bytes',
    canonical:
      '{"config":{"systemInstruction":{"parts":[{"text":"system"}],"role":"user"},"tools":[{"functionDeclarations":[{"name":"read"}]}]},"contents":[{"parts":[{"text":"<&>"},{"functionCall":{"args":{"a":1,"z":2},"id":"call-1","name":"read"}},{"inlineData":{"data":"AAEC","mimeType":"application/octet-stream"}}],"role":"user"}],"model":"fixture-model"}',
    figures: [344, 86, 2, 4, 1, 1, 1, 48, 134],
  },
  {
    name: 'no contents',
    request: {contents: []},
    media: 'bytes',
    canonical: '{"contents":[]}',
    figures: [15, 4, 0, 0, 0, 0, 0, 0, 4],
  },
  {
    name: 'a model and an empty config',
    request: {model: 'm', contents: [], config: {}},
    media: 'bytes',
    canonical: '{"config":{},"contents":[],"model":"m"}',
    figures: [39, 10, 0, 0, 0, 0, 0, 0, 10],
  },
  {
    name: 'several contents, one comma between two',
    request: {
      contents: [
        {role: 'user', parts: [{text: 'a'}]},
        {role: 'model', parts: [{text: 'b'}, {text: 'c'}]},
        {role: 'user', parts: [{text: 'd'}]},
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"text":"a"}],"role":"user"},{"parts":[{"text":"b"},{"text":"c"}],"role":"model"},{"parts":[{"text":"d"}],"role":"user"}]}',
    figures: [145, 37, 3, 4, 0, 0, 0, 16, 53],
  },
  {
    name: 'system instruction: a string',
    request: {contents: [], config: {systemInstruction: 'be brief'}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":"be brief"},"contents":[]}',
    figures: [57, 15, 1, 1, 0, 0, 0, 5, 20],
  },
  {
    name: 'system instruction: an empty string is none',
    request: {contents: [], config: {systemInstruction: ''}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":""},"contents":[]}',
    figures: [49, 13, 0, 0, 0, 0, 0, 0, 13],
  },
  {
    name: 'system instruction: a part',
    request: {contents: [], config: {systemInstruction: {text: 'be brief'}}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":{"text":"be brief"}},"contents":[]}',
    figures: [66, 17, 1, 1, 0, 0, 0, 5, 22],
  },
  {
    name: 'system instruction: a list of parts and strings',
    request: {contents: [], config: {systemInstruction: [{text: 'a'}, 'b', {text: 'c'}]}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":[{"text":"a"},"b",{"text":"c"}]},"contents":[]}',
    figures: [78, 20, 1, 3, 0, 0, 0, 7, 27],
  },
  {
    name: 'system instruction: an empty list is none',
    request: {contents: [], config: {systemInstruction: []}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":[]},"contents":[]}',
    figures: [49, 13, 0, 0, 0, 0, 0, 0, 13],
  },
  {
    name: 'system instruction: a content without parts',
    request: {contents: [], config: {systemInstruction: {role: 'system', parts: []}}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":{"parts":[],"role":"system"}},"contents":[]}',
    figures: [75, 19, 1, 0, 0, 0, 0, 4, 23],
  },
  {
    name: 'system instruction: a content that is only a role',
    request: {contents: [], config: {systemInstruction: {role: 'system'}}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":{"role":"system"}},"contents":[]}',
    figures: [64, 16, 1, 0, 0, 0, 0, 4, 20],
  },
  {
    name: 'system instruction: a content with a signed part',
    request: {contents: [], config: {systemInstruction: {parts: [{text: 'a', thoughtSignature: 'c2ln'}]}}},
    media: 'bytes',
    canonical: '{"config":{"systemInstruction":{"parts":[{"text":"a","thoughtSignature":"c2ln"}]}},"contents":[]}',
    figures: [97, 25, 1, 1, 0, 1, 0, 21, 46],
  },
  {
    name: 'declarations of all tools count, built-in tools do not',
    request: {
      contents: [],
      config: {
        tools: [
          {functionDeclarations: [{name: 'a'}, {name: 'b'}]},
          {googleSearch: {}},
          {functionDeclarations: [{name: 'c'}]},
          {functionDeclarations: []},
        ],
      },
    },
    media: 'bytes',
    canonical:
      '{"config":{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]},{"googleSearch":{}},{"functionDeclarations":[{"name":"c"}]},{"functionDeclarations":[]}]},"contents":[]}',
    figures: [177, 45, 0, 0, 0, 0, 3, 36, 81],
  },
  {
    name: 'a part with data and a signature is one binary',
    request: {
      contents: [
        {
          role: 'model',
          parts: [
            {text: 'a', thoughtSignature: 'c2ln'},
            {functionCall: {name: 't'}, thoughtSignature: 'c2ln'},
            {inlineData: {mimeType: 'text/csv', data: 'MSwy'}, thoughtSignature: 'c2ln'},
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"text":"a","thoughtSignature":"c2ln"},{"functionCall":{"name":"t"},"thoughtSignature":"c2ln"},{"inlineData":{"data":"MSwy","mimeType":"text/csv"},"thoughtSignature":"c2ln"}],"role":"model"}]}',
    figures: [215, 54, 1, 3, 1, 3, 0, 63, 117],
  },
  {
    name: 'server tool calls and responses are functions',
    request: {
      contents: [
        {
          role: 'model',
          parts: [
            {toolCall: {id: '1', toolType: 'GOOGLE_SEARCH_WEB', args: {q: 'x'}}},
            {toolResponse: {id: '1', toolType: 'GOOGLE_SEARCH_WEB', response: {r: 1}}},
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"toolCall":{"args":{"q":"x"},"id":"1","toolType":"GOOGLE_SEARCH_WEB"}},{"toolResponse":{"id":"1","response":{"r":1},"toolType":"GOOGLE_SEARCH_WEB"}}],"role":"model"}]}',
    figures: [191, 48, 1, 2, 2, 0, 0, 22, 70],
  },
  {
    name: 'missing contents and parts',
    request: {
      contents: [
        null,
        {role: 'user'},
        {role: 'user', parts: []},
        {role: 'user', parts: undefined},
        {role: 'user', parts: [null, undefined]},
        'text',
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[null,{"role":"user"},{"parts":[],"role":"user"},{"role":"user"},{"parts":[null,null],"role":"user"},"text"]}',
    figures: [121, 31, 6, 2, 0, 0, 0, 26, 57],
  },
  {
    name: 'members set to undefined count nothing',
    request: {
      contents: [
        {role: 'user', parts: [{text: 'a', inlineData: undefined, functionCall: undefined, thoughtSignature: ''}]},
      ],
    },
    media: 'bytes',
    canonical: '{"contents":[{"parts":[{"text":"a","thoughtSignature":""}],"role":"user"}]}',
    figures: [75, 19, 1, 1, 0, 0, 0, 5, 24],
  },
  {
    name: 'what the model never sees',
    request: {
      contents: [],
      config: {temperature: 0, abortSignal: new AbortController().signal, httpOptions: {timeout: 1000}},
      toolsDict: {a: {}},
      liveConnectConfig: {x: 1},
      allowedTools: ['a'],
      previousInteractionId: 'i',
    },
    media: 'bytes',
    canonical: '{"config":{"temperature":0},"contents":[]}',
    figures: [42, 11, 0, 0, 0, 0, 0, 0, 11],
  },
];
