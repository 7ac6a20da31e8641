import type {EstimateVector} from './estimate-vector.ts';

/** Pictures, sound, video, documents. */
export const MEDIA_VECTORS: readonly EstimateVector[] = [
  {
    name: 'media as bytes: a picture counts its base64',
    request: {
      contents: [
        {
          role: 'user',
          parts: [{inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAYAAAAGACAYAAAA='}}],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAYAAAAGACAYAAAA=","mimeType":"image/png"}}],"role":"user"}]}',
    figures: [130, 33, 1, 1, 0, 1, 0, 21, 54],
  },
  {
    name: 'media by modality: a picture of 384 pixels is one tile',
    request: {
      contents: [
        {
          role: 'user',
          parts: [{inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAYAAAAGACAYAAAA='}}],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAYAAAAGACAYAAAA=","mimeType":"image/png"}}],"role":"user"}]}',
    figures: [130, 281, 1, 1, 0, 1, 0, 21, 302],
  },
  {
    name: 'media by modality: a picture of 1,920 by 1,080 is three by two tiles',
    request: {
      contents: [
        {
          role: 'user',
          parts: [{inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4CAYAAAA='}}],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4CAYAAAA=","mimeType":"image/png"}}],"role":"user"}]}',
    figures: [130, 1571, 1, 1, 0, 1, 0, 21, 1592],
  },
  {
    name: 'media by modality: a picture nobody can measure is four tiles',
    request: {contents: [{role: 'user', parts: [{inlineData: {mimeType: 'image/heic', data: 'AAAA'}}]}]},
    media: 'modality',
    canonical: '{"contents":[{"parts":[{"inlineData":{"data":"AAAA","mimeType":"image/heic"}}],"role":"user"}]}',
    figures: [95, 1055, 1, 1, 0, 1, 0, 21, 1076],
  },
  {
    name: 'media by modality: two seconds of WAV',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              inlineData: {
                mimeType: 'audio/wav',
                data: 'UklGRjQAAABXQVZFZm10IBAAAAABAAEACAAAAAgAAAABAAgAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA',
              },
            },
          ],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"UklGRjQAAABXQVZFZm10IBAAAAABAAEACAAAAAgAAAABAAgAZGF0YRAAAAAAAAAAAAAAAAAAAAAAAAAA","mimeType":"audio/wav"}}],"role":"user"}]}',
    figures: [170, 87, 1, 1, 0, 1, 0, 21, 108],
  },
  {
    name: 'media by modality: ten seconds of MP4',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              inlineData: {
                mimeType: 'video/mp4',
                data: 'AAAADGZ0eXBpc29tAAAADWZyZWUAAAAAAAAAACxtb292AAAAJG12aGQAAAAAAAAAAAAAAAAAAAPoAAAnEAAAAAAAAAAA',
              },
            },
          ],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"AAAADGZ0eXBpc29tAAAADWZyZWUAAAAAAAAAACxtb292AAAAJG12aGQAAAAAAAAAAAAAAAAAAAPoAAAnEAAAAAAAAAAA","mimeType":"video/mp4"}}],"role":"user"}]}',
    figures: [182, 2653, 1, 1, 0, 1, 0, 21, 2674],
  },
  {
    name: 'media by modality: three pages of PDF',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              inlineData: {
                mimeType: 'application/pdf',
                data: 'JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvUGFnZXMvS2lkc1syIDAgUl0vQ291bnQgMz4+ZW5kb2Jq',
              },
            },
          ],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"inlineData":{"data":"JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvUGFnZXMvS2lkc1syIDAgUl0vQ291bnQgMz4+ZW5kb2Jq","mimeType":"application/pdf"}}],"role":"user"}]}',
    figures: [172, 798, 1, 1, 0, 1, 0, 21, 819],
  },
  {
    name: 'media by modality: other payloads stay bytes',
    request: {contents: [{role: 'user', parts: [{inlineData: {mimeType: 'text/csv', data: 'MSwy'}}]}]},
    media: 'modality',
    canonical: '{"contents":[{"parts":[{"inlineData":{"data":"MSwy","mimeType":"text/csv"}}],"role":"user"}]}',
    figures: [93, 24, 1, 1, 0, 1, 0, 21, 45],
  },
  {
    name: 'media by modality: a file named by URI is a small constant',
    request: {contents: [{role: 'user', parts: [{fileData: {fileUri: 'gs://b/x.pdf', mimeType: 'application/pdf'}}]}]},
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"fileData":{"fileUri":"gs://b/x.pdf","mimeType":"application/pdf"}}],"role":"user"}]}',
    figures: [109, 286, 1, 1, 0, 0, 0, 5, 291],
  },
  {
    name: 'media as bytes: inside a function response each is a binary',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'shot',
                response: {ok: true},
                parts: [
                  {inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAAA='}},
                  {inlineData: {mimeType: 'text/csv', data: 'MSwy'}},
                ],
              },
            },
          ],
        },
      ],
    },
    media: 'bytes',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"shot","parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAAA=","mimeType":"image/png"}},{"inlineData":{"data":"MSwy","mimeType":"text/csv"}}],"response":{"ok":true}}}],"role":"user"}]}',
    figures: [253, 64, 1, 1, 1, 2, 0, 45, 109],
  },
  {
    name: 'media by modality: inside a function response',
    request: {
      contents: [
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                name: 'shot',
                response: {ok: true},
                parts: [
                  {inlineData: {mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAAA='}},
                  {inlineData: {mimeType: 'text/csv', data: 'MSwy'}},
                ],
              },
            },
          ],
        },
      ],
    },
    media: 'modality',
    canonical:
      '{"contents":[{"parts":[{"functionResponse":{"name":"shot","parts":[{"inlineData":{"data":"iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAYAAAA=","mimeType":"image/png"}},{"inlineData":{"data":"MSwy","mimeType":"text/csv"}}],"response":{"ok":true}}}],"role":"user"}]}',
    figures: [253, 312, 1, 1, 1, 2, 0, 45, 357],
  },
];
