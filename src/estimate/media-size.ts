import type {Base64Bytes} from './base64-bytes.ts';

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a PNG, JPEG, GIF or WebP picture, from its header; `undefined` when it cannot be read. */
export function pixelSize(bytes: Base64Bytes): PixelSize | undefined {
  const size = readPixelSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function readPixelSize(bytes: Base64Bytes): PixelSize | undefined {
  const magic = bytes.latin1(0, 16);
  if (magic.startsWith('\x89PNG\r\n\x1a\n')) {
    return {width: bytes.uintBE(16, 4), height: bytes.uintBE(20, 4)};
  }
  if (magic.startsWith('GIF8')) {
    return {width: bytes.uintLE(6, 2), height: bytes.uintLE(8, 2)};
  }
  if (magic.startsWith('\xff\xd8\xff')) {
    return jpegSize(bytes);
  }
  if (!magic.startsWith('RIFF')) {
    return undefined;
  }
  switch (magic.slice(8)) {
    case 'WEBPVP8X':
      return {width: bytes.uintLE(24, 3) + 1, height: bytes.uintLE(27, 3) + 1};
    case 'WEBPVP8L': {
      const bits = bytes.uintLE(21, 4);
      return {width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1};
    }
    case 'WEBPVP8 ':
      return {width: bytes.uintLE(26, 2) & 0x3fff, height: bytes.uintLE(28, 2) & 0x3fff};
    default:
      return undefined;
  }
}

const MAX_JPEG_SEGMENTS = 200;

/** Steps from segment to segment, over EXIF and thumbnails, up to the frame header. */
function jpegSize(bytes: Base64Bytes): PixelSize | undefined {
  let offset = 2;
  for (let segment = 0; segment < MAX_JPEG_SEGMENTS; segment++) {
    const marker = bytes.uintBE(offset, 2);
    if (isFrameHeader(marker)) {
      return {width: bytes.uintBE(offset + 7, 2), height: bytes.uintBE(offset + 5, 2)};
    }
    const length = bytes.uintBE(offset + 2, 2);
    if (marker < 0xff00 || !(length >= 2)) {
      return undefined;
    }
    offset += 2 + length;
  }
  return undefined;
}

/** SOF0 to SOF15, without the Huffman (C4), JPEG extension (C8) and arithmetic (CC) tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;
}

/**
 * How long a recording plays, in seconds, from its header: WAV, FLAC, MP3 (by the bit rate of its first frame), the MP4
 * family (`mvhd`), and raw 16-bit mono samples whose MIME type names the rate (`audio/L16;rate=24000`).
 * `undefined` when it cannot be read.
 */
export function durationSeconds(bytes: Base64Bytes, mimeType: string): number | undefined {
  const seconds = readDuration(bytes, mimeType);
  return seconds !== undefined && seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
}

function readDuration(bytes: Base64Bytes, mimeType: string): number | undefined {
  const magic = bytes.latin1(0, 12);
  if (magic.startsWith('RIFF') && magic.endsWith('WAVE')) {
    return wavSeconds(bytes);
  }
  if (magic.startsWith('fLaC')) {
    return flacSeconds(bytes);
  }
  if (magic.slice(4, 8) === 'ftyp') {
    return mp4Seconds(bytes);
  }
  const rawRate = /^audio\/(?:pcm|l16)\b.*\brate=(\d+)/.exec(mimeType)?.[1];
  if (rawRate !== undefined) {
    return bytes.length / (2 * Number(rawRate));
  }
  return mimeType.startsWith('audio/') ? mp3Seconds(bytes) : undefined;
}

/** Bytes after the 44-byte header over the byte rate: right for PCM, and for streams that do not know their length. */
function wavSeconds(bytes: Base64Bytes): number | undefined {
  return bytes.latin1(12, 4) === 'fmt ' ? (bytes.length - 44) / bytes.uintLE(28, 4) : undefined;
}

/** STREAMINFO: 20 bits of sample rate at byte 18, the low 36 bits up to byte 26 are the number of samples. */
function flacSeconds(bytes: Base64Bytes): number {
  const rate = bytes.uintBE(18, 3) >>> 4;
  const samples = (bytes.uintBE(21, 1) & 0x0f) * 2 ** 32 + bytes.uintBE(22, 4);
  return samples / rate;
}

const MPEG1_LAYER3_KBITS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG2_LAYER3_KBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

function mp3Seconds(bytes: Base64Bytes): number | undefined {
  const start = bytes.latin1(0, 3) === 'ID3' ? 10 + syncSafeInteger(bytes.slice(6, 4)) : 0;
  const header = bytes.uintBE(start, 3);
  const isLayer3Frame = (header & 0xffe600) === 0xffe200;
  if (!isLayer3Frame) {
    return undefined;
  }
  const isMpeg1 = (header & 0x001800) === 0x001800;
  const kbits = (isMpeg1 ? MPEG1_LAYER3_KBITS : MPEG2_LAYER3_KBITS)[(header >>> 4) & 0x0f];
  return kbits === undefined ? undefined : (bytes.length - start) / (kbits * 125);
}

/** ID3 writes its size in 7 bits a byte. */
function syncSafeInteger(bytes: Buffer): number {
  return bytes.reduce((value, byte) => value * 128 + (byte & 0x7f), 0);
}

const MAX_MP4_BOXES = 100;

/** Steps over the top-level boxes to `moov`, then over its children to the movie header. */
function mp4Seconds(bytes: Base64Bytes): number | undefined {
  let offset = 0;
  for (let box = 0; box < MAX_MP4_BOXES; box++) {
    const type = bytes.latin1(offset + 4, 4);
    if (type === 'mvhd') {
      const isVersion1 = bytes.uintBE(offset + 8, 1) === 1;
      return isVersion1
        ? (bytes.uintBE(offset + 32, 4) * 2 ** 32 + bytes.uintBE(offset + 36, 4)) / bytes.uintBE(offset + 28, 4)
        : bytes.uintBE(offset + 24, 4) / bytes.uintBE(offset + 20, 4);
    }
    const size = mp4BoxSize(bytes, offset);
    if (!(size >= 8)) {
      return undefined;
    }
    offset += type === 'moov' ? 8 : size;
  }
  return undefined;
}

function mp4BoxSize(bytes: Base64Bytes, offset: number): number {
  const size = bytes.uintBE(offset, 4);
  return size === 1 ? bytes.uintBE(offset + 8, 4) * 2 ** 32 + bytes.uintBE(offset + 12, 4) : size;
}

const PDF_WINDOW_BYTES = 65_536;

/**
 * The pages of a PDF, from the page tree or the linearisation entry where one stands uncompressed in the first or last
 * 64 KiB; `undefined` when none does.
 */
export function pdfPages(bytes: Base64Bytes): number | undefined {
  const head = bytes.latin1(0, PDF_WINDOW_BYTES);
  if (!head.startsWith('%PDF-')) {
    return undefined;
  }
  const linearized = /\/Linearized\b[^>]*?\/N\s+(\d+)/.exec(head.slice(0, 1_024))?.[1];
  if (linearized !== undefined) {
    return Number(linearized);
  }
  const tail = bytes.latin1(Math.max(bytes.length - PDF_WINDOW_BYTES, 0), PDF_WINDOW_BYTES);
  const counts = [head, tail].flatMap(pageTreeCounts);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

/** The Count of each object of type Pages; the root of the tree has the largest. */
function pageTreeCounts(text: string): number[] {
  const pageTrees = text.split('endobj').filter((object) => /\/Type\s*\/Pages\b/.test(object));
  return pageTrees.map((object) => Number(/\/Count\s+(\d+)/.exec(object)?.[1])).filter(Number.isInteger);
}
