import {jsonStringByteLength} from '../json/byte-length.ts';
import {toJsonMember} from '../json/json-member.ts';
import {readMember} from '../json/read-member.ts';
import {Base64Bytes} from './base64-bytes.ts';
import {durationSeconds, pdfPages, pixelSize} from './media-size.ts';

// Rates, tile size and limits are those of Google's documentation (ai.google.dev/gemini-api/docs/tokens, /image-understanding,
// /video-understanding, /audio, /document-processing). The constants for unknown sizes are ours.

/** One small picture (both sides up to 384 pixels) or one tile of a larger one. */
const IMAGE_TILE_TOKENS = 258;
/** Pictures up to this many pixels on both sides are one tile. */
const SMALL_IMAGE_PIXELS = 384;
/** Side of the tiles a larger picture is cut into. */
const IMAGE_TILE_PIXELS = 768;
/** Larger pictures are scaled down to fit this side: no picture costs more than 4 by 4 tiles. */
const MAX_IMAGE_PIXELS = 3_072;
/** Audio, per second. */
const AUDIO_TOKENS_PER_SECOND = 32;
/** Video with its sound track, per second: one frame of 258 and what goes with it. */
const VIDEO_TOKENS_PER_SECOND = 263;
/** One page of a PDF. */
const PDF_PAGE_TOKENS = 258;
/** The most a PDF may have. */
const MAX_PDF_PAGES = 1_000;
/** The longest audio one prompt may hold, 9.5 hours; a header that claims more is not believed. */
const MAX_AUDIO_SECONDS = 34_200;
/** The longest video a window of a million tokens holds; a header that claims more is not believed. */
const MAX_VIDEO_SECONDS = 3_600;

/** A picture of unknown size counts four tiles (a screenshot is 2 to 6; Gemini 3 spends up to 1,120 on any picture). */
const UNKNOWN_IMAGE_TOKENS = 4 * IMAGE_TILE_TOKENS;
/** Audio or video of unknown length counts as one minute. */
const UNKNOWN_DURATION_SECONDS = 60;
/** A PDF whose pages cannot be counted counts as ten pages. */
const UNKNOWN_PDF_PAGES = 10;
/** Media named by URI, which nothing here fetches: one picture or page. */
const FILE_DATA_TOKENS = 258;

type Modality = 'image' | 'audio' | 'video' | 'pdf';

/** What one media payload takes out of the bytes and adds in tokens. */
export interface MediaCost {
  readonly bytes: number;
  readonly tokens: number;
}

const NO_MEDIA: MediaCost = {bytes: 0, tokens: 0};

/**
 * The cost of a `Blob` (`inlineData`): the bytes of its base64 in canonical JSON, and the tokens its pixels, seconds or pages
 * cost. Nothing when it is no picture, audio, video or PDF: such payloads stay bytes. Never throws.
 */
export function inlineDataCost(inlineData: unknown): MediaCost {
  const mimeType = mimeTypeOf(inlineData);
  const modality = modalityOf(mimeType);
  if (modality === undefined) {
    return NO_MEDIA;
  }
  const data = base64Of(readMember(inlineData, 'data'));
  return {bytes: jsonStringByteLength(data) - 2, tokens: payloadTokens(modality, new Base64Bytes(data), mimeType)};
}

/** The tokens of a `FileData`: a small constant for media, 0 for anything else. Never throws. */
export function fileDataTokens(fileData: unknown): number {
  return modalityOf(mimeTypeOf(fileData)) === undefined ? 0 : FILE_DATA_TOKENS;
}

function mimeTypeOf(blob: unknown): string {
  const mimeType = readMember(blob, 'mimeType');
  return typeof mimeType === 'string' ? mimeType.trim().toLowerCase() : '';
}

function modalityOf(mimeType: string): Modality | undefined {
  if (mimeType.startsWith('image/')) {
    return 'image';
  }
  if (mimeType.startsWith('audio/')) {
    return 'audio';
  }
  if (mimeType.startsWith('video/')) {
    return 'video';
  }
  return /^application\/pdf\b/.test(mimeType) ? 'pdf' : undefined;
}

/** The data as it stands in canonical JSON, bytes that are not yet base64 included. */
function base64Of(data: unknown): string {
  if (typeof data === 'string') {
    return data;
  }
  try {
    const member = toJsonMember(data, 'data');
    return typeof member === 'string' ? member : '';
  } catch {
    return '';
  }
}

function payloadTokens(modality: Modality, bytes: Base64Bytes, mimeType: string): number {
  switch (modality) {
    case 'image':
      return imageTokens(bytes);
    case 'audio':
      return secondsTokens(bytes, mimeType, AUDIO_TOKENS_PER_SECOND, MAX_AUDIO_SECONDS);
    case 'video':
      return secondsTokens(bytes, mimeType, VIDEO_TOKENS_PER_SECOND, MAX_VIDEO_SECONDS);
    case 'pdf':
      return PDF_PAGE_TOKENS * Math.min(Math.max(pdfPages(bytes) ?? UNKNOWN_PDF_PAGES, 1), MAX_PDF_PAGES);
  }
}

function imageTokens(bytes: Base64Bytes): number {
  const size = pixelSize(bytes);
  if (size === undefined) {
    return UNKNOWN_IMAGE_TOKENS;
  }
  const {width, height} = size;
  if (width <= SMALL_IMAGE_PIXELS && height <= SMALL_IMAGE_PIXELS) {
    return IMAGE_TILE_TOKENS;
  }
  const scale = Math.min(1, MAX_IMAGE_PIXELS / Math.max(width, height));
  const tiles = (pixels: number): number => Math.ceil((pixels * scale) / IMAGE_TILE_PIXELS);
  return IMAGE_TILE_TOKENS * tiles(width) * tiles(height);
}

function secondsTokens(bytes: Base64Bytes, mimeType: string, tokensPerSecond: number, maxSeconds: number): number {
  const seconds = durationSeconds(bytes, mimeType) ?? UNKNOWN_DURATION_SECONDS;
  return Math.ceil(tokensPerSecond * Math.min(Math.max(seconds, 1), maxSeconds));
}
