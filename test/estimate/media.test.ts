import {describe, expect, it} from 'vitest';
import {fileDataTokens, inlineDataCost} from '../../src/estimate/media.ts';

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const be16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const be32 = (value: number): Buffer => Buffer.concat([be16(Math.floor(value / 65_536)), be16(value % 65_536)]);
const le16 = (value: number): Buffer => be16(value).reverse();
const le24 = (value: number): Buffer => be32(value).subarray(1).reverse();
const le32 = (value: number): Buffer => be32(value).reverse();
const zeros = (length: number): Buffer => Buffer.alloc(length);

function png(width: number, height: number, more = 0): Buffer {
  return Buffer.concat([
    ascii('\x89PNG\r\n\x1a\n'),
    be32(13),
    ascii('IHDR'),
    be32(width),
    be32(height),
    zeros(5 + more),
  ]);
}

function jpegSegment(marker: number, body: Buffer): Buffer {
  return Buffer.concat([be16(marker), be16(body.length + 2), body]);
}

/** With an EXIF segment of 60 KB that holds a thumbnail's frame header of its own. */
function jpeg(width: number, height: number, frame = 0xffc2): Buffer {
  const frameHeader = (w: number, h: number): Buffer => Buffer.concat([zeros(1), be16(h), be16(w), zeros(4)]);
  return Buffer.concat([
    be16(0xffd8),
    jpegSegment(0xffe1, Buffer.concat([jpegSegment(0xffc0, frameHeader(10, 10)), zeros(60_000)])),
    jpegSegment(0xffc4, zeros(30)),
    jpegSegment(frame, frameHeader(width, height)),
    zeros(100),
  ]);
}

function webp(kind: string, header: Buffer): Buffer {
  return Buffer.concat([ascii('RIFF'), zeros(4), ascii(`WEBP${kind}`), zeros(4), header, zeros(10)]);
}

function wav(seconds: number, byteRate: number): Buffer {
  const format = [ascii('RIFF'), zeros(4), ascii('WAVEfmt '), le32(16), zeros(8), le32(byteRate), zeros(4)];
  return Buffer.concat([...format, ascii('data'), le32(0xffffffff), zeros(seconds * byteRate)]);
}

/** MPEG-1 layer III, 128 kbit/s. */
function mp3(seconds: number, tag: Buffer = zeros(0)): Buffer {
  return Buffer.concat([tag, Buffer.from([0xff, 0xfb, 0x90, 0x00]), zeros(seconds * 16_000 - 4)]);
}

function id3(size: number): Buffer {
  return Buffer.concat([ascii('ID3'), zeros(3), Buffer.from([0, 0, size >> 7, size & 127]), zeros(size)]);
}

function flac(seconds: number): Buffer {
  const rate = 44_100;
  return Buffer.concat([
    ascii('fLaC'),
    zeros(14),
    be32(rate * 4_096).subarray(0, 3),
    zeros(1),
    be32(rate * seconds),
    zeros(20),
  ]);
}

function box(type: string, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  return Buffer.concat([be32(8 + body.length), ascii(type), body]);
}

function movieHeader(seconds: number, version: 0 | 1): Buffer {
  return version === 0
    ? box('mvhd', zeros(12), be32(600), be32(600 * seconds), zeros(80))
    : box('mvhd', Buffer.from([1]), zeros(19), be32(600), be32(0), be32(600 * seconds), zeros(80));
}

function mp4(seconds: number, version: 0 | 1 = 0): Buffer {
  const largeBox = Buffer.concat([be32(1), ascii('mdat'), be32(0), be32(16 + 5_000), zeros(5_000)]);
  return Buffer.concat([box('ftyp', ascii('isom')), largeBox, box('moov', movieHeader(seconds, version))]);
}

function pdf(text: string, filler = 0): Buffer {
  return Buffer.concat([ascii('%PDF-1.7\n'), zeros(filler), ascii(text), zeros(filler)]);
}

function tokens(mimeType: string, bytes: Buffer): number {
  return inlineDataCost({mimeType, data: bytes.toString('base64')}).tokens;
}

const TILE = 258;

describe('pictures', () => {
  it.each<[string, string, Buffer, number]>([
    ['a pixel', 'image/png', png(1, 1), TILE],
    ['384 pixels', 'image/png', png(384, 384), TILE],
    ['385 pixels, still one tile', 'image/png', png(385, 200), TILE],
    ['768 pixels, still one tile', 'image/png', png(768, 768), TILE],
    ['769 pixels', 'image/png', png(769, 768), 2 * TILE],
    ['a full HD screenshot', 'image/png', png(1_920, 1_080), 6 * TILE],
    ['scaled down to 3,072 pixels', 'image/png', png(30_720, 30_720), 16 * TILE],
    ['scaled down, one side short', 'image/png', png(30_720, 7_000), 4 * TILE],
    ['JPEG, progressive', 'image/jpeg', jpeg(1_600, 700), 3 * TILE],
    ['JPEG, baseline', 'image/jpeg', jpeg(700, 1_600, 0xffc0), 3 * TILE],
    ['GIF', 'image/gif', Buffer.concat([ascii('GIF89a'), le16(800), le16(600), zeros(9)]), 2 * TILE],
    ['WebP, extended', 'image/webp', webp('VP8X', Buffer.concat([zeros(4), le24(799), le24(599)])), 2 * TILE],
    ['WebP, lossless', 'image/webp', webp('VP8L', Buffer.concat([ascii('\x2f'), le32(799 + 599 * 16_384)])), 2 * TILE],
    ['WebP, lossy', 'image/webp', webp('VP8 ', Buffer.concat([zeros(6), le16(800), le16(600)])), 2 * TILE],
    ['a PNG that says it is a JPEG', 'image/jpeg', png(769, 768), 2 * TILE],
    ['a PNG without pixels: unknown', 'image/png', png(0, 0), 4 * TILE],
    ['a PNG cut off: unknown', 'image/png', png(1, 1).subarray(0, 20), 4 * TILE],
    ['a JPEG cut off: unknown', 'image/jpeg', jpeg(1, 1).subarray(0, 1_000), 4 * TILE],
    ['a JPEG of nothing but segments: unknown', 'image/jpeg', Buffer.from([0xff, 0xd8, 0xff, ...zeros(999)]), 4 * TILE],
    ['another kind: unknown', 'image/heic', zeros(100), 4 * TILE],
    ['no data: unknown', 'image/png', zeros(0), 4 * TILE],
  ])('%s', (_, mimeType, bytes, expected) => {
    expect(tokens(mimeType, bytes)).toBe(expected);
  });

  it('cost the same whatever their bytes', () => {
    expect(tokens('image/png', png(800, 600, 2_000_000))).toBe(tokens('image/png', png(800, 600)));
    expect(tokens('image/heic', zeros(2_000_000))).toBe(tokens('image/heic', zeros(10)));
  });
});

describe('sound and video', () => {
  it.each<[string, string, Buffer, number]>([
    ['WAV', 'audio/wav', wav(3, 16_000), 3 * 32],
    ['part of a second counts as one', 'audio/wav', wav(0.5, 16_000), 32],
    ['WAV, no samples: unknown', 'audio/wav', wav(0, 16_000), 60 * 32],
    ['WAV, no rate: unknown', 'audio/wav', wav(1, 0), 60 * 32],
    ['WAV of a lying rate: 9.5 hours', 'audio/wav', Buffer.concat([wav(1, 1), zeros(100_000)]), 34_200 * 32],
    ['MP3', 'audio/mpeg', mp3(10), 10 * 32],
    ['MP3 after a tag', 'audio/mp3', mp3(10, id3(4_000)), 10 * 32],
    ['FLAC', 'audio/flac', flac(7), 7 * 32],
    ['raw samples', 'audio/L16;codec=pcm;rate=24000', zeros(2 * 48_000), 2 * 32],
    ['M4A', 'audio/mp4', mp4(5), 5 * 32],
    ['OGG: unknown', 'audio/ogg', zeros(5_000), 60 * 32],
    ['MP4', 'video/mp4', mp4(5), 5 * 263],
    ['MP4, long header', 'video/quicktime', mp4(5, 1), 5 * 263],
    ['MP4 of a lying length: one hour', 'video/mp4', mp4(5_000_000), 3_600 * 263],
    ['MP4 cut off: unknown', 'video/mp4', mp4(5).subarray(0, 3_000), 60 * 263],
    ['WebM: unknown', 'video/webm', zeros(5_000), 60 * 263],
  ])('%s', (_, mimeType, bytes, expected) => {
    expect(tokens(mimeType, bytes)).toBe(expected);
  });
});

describe('documents', () => {
  it.each<[string, Buffer, number]>([
    ['a page tree', pdf('<</Type /Pages /Kids [3 0 R] /Count 12>>'), 12],
    [
      'the root of several page trees',
      pdf('<</Type/Pages/Count 3>> endobj <</Count 7/Type/Pages>> endobj <</Type/Outlines/Count 50>>'),
      7,
    ],
    ['a page tree behind 60 KB', pdf('<</Type /Pages /Count 5>>', 60_000), 5],
    [
      'a page tree before the last 60 KB of many',
      Buffer.concat([pdf('', 900_000), ascii('<</Type /Pages /Count 5>>'), zeros(60_000)]),
      5,
    ],
    ['a linearised file', pdf('1 0 obj <</Linearized 1/L 9/H [1 2]/O 3/E 4/N 42/T 5>>'), 42],
    ['pages out of sight: unknown', pdf('<</Type /ObjStm /Count 99>>'), 10],
    ['no page: at least one', pdf('<</Type/Pages/Count 0>>'), 1],
    ['more pages than may be sent', pdf('<</Type/Pages/Count 999999>>'), 1_000],
    ['not a PDF: unknown', ascii('<</Type/Pages/Count 3>>'), 10],
  ])('%s', (_, bytes, pages) => {
    expect(tokens('application/pdf', bytes)).toBe(pages * 258);
  });
});

describe('what is media', () => {
  it.each([
    'text/plain',
    'text/csv',
    'application/json',
    'application/octet-stream',
    'application/pdfx',
    '',
    'imagination',
  ])('%j is not: it stays bytes', (mimeType) => {
    expect(inlineDataCost({mimeType, data: 'AAAA'})).toEqual({bytes: 0, tokens: 0});
    expect(fileDataTokens({mimeType, fileUri: 'gs://b/x'})).toBe(0);
  });

  it.each(['IMAGE/PNG', ' image/png', 'Application/PDF', 'application/pdf; version=1.7', 'video/mp4', 'audio/wav'])(
    '%j is',
    (mimeType) => {
      expect(inlineDataCost({mimeType, data: 'AAAA'})).toMatchObject({
        bytes: 4,
        tokens: expect.toSatisfy((value) => value > 0),
      });
      expect(fileDataTokens({mimeType, fileUri: 'gs://b/x'})).toBe(258);
    },
  );

  it.each([undefined, null, 'x', {}, {mimeType: 5}, {data: 'AAAA'}])('%j costs nothing', (blob) => {
    expect(inlineDataCost(blob)).toEqual({bytes: 0, tokens: 0});
    expect(fileDataTokens(blob)).toBe(0);
  });

  it('takes the bytes of the data as they stand in JSON', () => {
    expect(inlineDataCost({mimeType: 'image/png', data: 'a\n"'}).bytes).toBe('a\\n\\"'.length);
    expect(inlineDataCost({mimeType: 'image/png', data: {not: 'text'}}).bytes).toBe(0);
  });
});
