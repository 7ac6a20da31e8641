import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {jsonByteLength} from '../json/byte-length.ts';
import {isList, readItems, readMember, readNames} from '../json/read-member.ts';
import {
  BINARY_OVERHEAD_TOKENS,
  BYTES_PER_TOKEN,
  CONTENT_OVERHEAD_TOKENS,
  FUNCTION_OVERHEAD_TOKENS,
  PART_OVERHEAD_TOKENS,
  TOOL_DECLARATION_OVERHEAD_TOKENS,
} from './constants.ts';
import {fileDataTokens, inlineDataCost} from './media.ts';

/**
 * What a piece of a request adds to its estimate, in integers that add up: a request is the sum over its envelope and its
 * contents, and a change is a difference. Never measured twice, never rounded before the end.
 */
export interface Weight {
  /** UTF-8 length of the canonical JSON. */
  readonly canonicalBytes: number;
  /** The part of `canonicalBytes` that is the base64 of pictures, audio, video and PDF. */
  readonly mediaBytes: number;
  /** What the model is expected to spend on those media, in tokens. */
  readonly mediaTokens: number;
  readonly contents: number;
  readonly parts: number;
  /** Parts with a functionCall, functionResponse, toolCall or toolResponse. */
  readonly functions: number;
  /** Parts with inlineData or a thought signature, and each inlineData among a functionResponse's parts. */
  readonly binaries: number;
  /** Function declarations in `config.tools`. */
  readonly toolDeclarations: number;
}

/** Weighs nothing. */
export const ZERO_WEIGHT: Weight = {
  canonicalBytes: 0,
  mediaBytes: 0,
  mediaTokens: 0,
  contents: 0,
  parts: 0,
  functions: 0,
  binaries: 0,
  toolDeclarations: 0,
};

/** The weight of one content. Never throws; null and other odd values are a content without parts. */
export function weighContent(content: Content): Weight {
  return contentWeight(content, jsonByteLength(content));
}

/** The weight of one content of these canonical bytes. */
export function contentWeight(content: Content, canonicalBytes: number): Weight {
  return withBytes(countContent(readMember(content, 'parts')), canonicalBytes);
}

/** The weight of one part of these canonical bytes on its own, without the comma before it. */
export function partWeight(part: Part, canonicalBytes: number): Weight {
  return withBytes(countPart(part), canonicalBytes);
}

/**
 * The weight of a request without its contents: the canonical bytes of `{model, contents: [], config}`, the counts of the
 * system instruction and of the tool declarations. Never throws.
 */
export function weighEnvelope(request: LlmRequest): Weight {
  const canonicalBytes = jsonByteLength(countedEnvelope(request));
  const config = readMember(request, 'config');
  const counts = countSystemInstruction(readMember(config, 'systemInstruction'));
  return withBytes({...counts, toolDeclarations: countToolDeclarations(readMember(config, 'tools'))}, canonicalBytes);
}

/** What of a request is counted beside its contents. Never throws. */
export function countedEnvelope(request: LlmRequest): object {
  const contents = readMember(request, 'contents');
  return {
    model: readMember(request, 'model'),
    contents: isList(contents) ? [] : contents,
    config: withoutTransport(readMember(request, 'config')),
  };
}

/** The weight of a whole request: its envelope, its contents and the commas between them. */
export function totalWeight(envelope: Weight, contents: readonly Weight[]): Weight {
  const sum = sumWeights(contents, envelope);
  return {...sum, canonicalBytes: sum.canonicalBytes + Math.max(contents.length - 1, 0)};
}

/** `start` and all the others, figure by figure. */
export function sumWeights(weights: readonly Weight[], start = ZERO_WEIGHT): Weight {
  const sum = {...start};
  for (const weight of weights) {
    sum.canonicalBytes += weight.canonicalBytes;
    sum.mediaBytes += weight.mediaBytes;
    sum.mediaTokens += weight.mediaTokens;
    sum.contents += weight.contents;
    sum.parts += weight.parts;
    sum.functions += weight.functions;
    sum.binaries += weight.binaries;
    sum.toolDeclarations += weight.toolDeclarations;
  }
  return sum;
}

/** `left + right`, figure by figure. */
export function addWeights(left: Weight, right: Weight): Weight {
  return combine(left, right, 1);
}

/** `left - right`, figure by figure. */
export function subtractWeights(left: Weight, right: Weight): Weight {
  return combine(left, right, -1);
}

/** Tokens added for structure that the bytes do not show. */
export function overheadTokens(weight: Weight): number {
  return (
    CONTENT_OVERHEAD_TOKENS * weight.contents +
    PART_OVERHEAD_TOKENS * weight.parts +
    FUNCTION_OVERHEAD_TOKENS * weight.functions +
    BINARY_OVERHEAD_TOKENS * weight.binaries +
    TOOL_DECLARATION_OVERHEAD_TOKENS * weight.toolDeclarations
  );
}

/** `rawTokens` with `media: 'bytes'`: every canonical byte counts. */
export function byteRawTokens(weight: Weight): number {
  return Math.ceil(weight.canonicalBytes / BYTES_PER_TOKEN);
}

/** `rawTokens` with `media: 'modality'`: media count what the model spends on them instead of their bytes. */
export function modalityRawTokens(weight: Weight): number {
  return Math.ceil((weight.canonicalBytes - weight.mediaBytes) / BYTES_PER_TOKEN) + weight.mediaTokens;
}

/** `tokens` with `media: 'modality'`, overhead included: the figure decisions go by. */
export function modalityTokens(weight: Weight): number {
  return modalityRawTokens(weight) + overheadTokens(weight);
}

function combine(left: Weight, right: Weight, sign: 1 | -1): Weight {
  return {
    canonicalBytes: left.canonicalBytes + sign * right.canonicalBytes,
    mediaBytes: left.mediaBytes + sign * right.mediaBytes,
    mediaTokens: left.mediaTokens + sign * right.mediaTokens,
    contents: left.contents + sign * right.contents,
    parts: left.parts + sign * right.parts,
    functions: left.functions + sign * right.functions,
    binaries: left.binaries + sign * right.binaries,
    toolDeclarations: left.toolDeclarations + sign * right.toolDeclarations,
  };
}

/** A `toJSON` may hide media that were counted: never more media bytes than bytes. */
function withBytes(counts: Weight, canonicalBytes: number): Weight {
  return {...counts, canonicalBytes, mediaBytes: Math.min(counts.mediaBytes, canonicalBytes)};
}

function countContent(parts: unknown): Weight {
  return (readItems(parts) ?? []).map(countPart).reduce(addWeights, {...ZERO_WEIGHT, contents: 1});
}

function countPart(part: unknown): Weight {
  const functionResponse = readMember(part, 'functionResponse');
  const isFunction =
    functionResponse ||
    readMember(part, 'functionCall') ||
    readMember(part, 'toolCall') ||
    readMember(part, 'toolResponse');
  const media = countMedia(part);
  const binaries = readMember(part, 'thoughtSignature') ? 1 : media.binaries;
  return (readItems(readMember(functionResponse, 'parts')) ?? [])
    .map(countMedia)
    .reduce(addWeights, {...media, parts: 1, functions: isFunction ? 1 : 0, binaries});
}

/** The media directly in a part, or in a part of a function response. */
function countMedia(part: unknown): Weight {
  const inlineData = readMember(part, 'inlineData');
  const fileData = readMember(part, 'fileData');
  if (!inlineData && !fileData) {
    return ZERO_WEIGHT;
  }
  const {bytes, tokens} = inlineDataCost(inlineData);
  return {
    ...ZERO_WEIGHT,
    mediaBytes: bytes,
    mediaTokens: tokens + fileDataTokens(fileData),
    binaries: inlineData ? 1 : 0,
  };
}

/** A string, a part or a list of parts is one content with those parts; `''` and `[]` are none. */
function countSystemInstruction(instruction: unknown): Weight {
  if (instruction === undefined || instruction === null || instruction === '') {
    return ZERO_WEIGHT;
  }
  const list = readItems(instruction);
  if (list !== undefined) {
    return list.length === 0 ? ZERO_WEIGHT : countContent(list);
  }
  const parts = readMember(instruction, 'parts');
  const isContent = parts !== undefined || readMember(instruction, 'role') !== undefined;
  return countContent(isContent ? parts : [instruction]);
}

function countToolDeclarations(tools: unknown): number {
  let count = 0;
  for (const tool of readItems(tools) ?? []) {
    count += readItems(readMember(tool, 'functionDeclarations'))?.length ?? 0;
  }
  return count;
}

/** `abortSignal` and `httpOptions` are for the client; the model never sees them. */
function withoutTransport(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || isList(config)) {
    return config;
  }
  const names = readNames(config);
  if (isWrittenByMembers(config) && !names.some(isTransport)) {
    return config;
  }
  const sent: Record<string, unknown> = Object.create(null);
  for (const name of names) {
    if (!isTransport(name)) {
      sent[name] = readMember(config, name);
    }
  }
  return sent;
}

/** True for an object that stands in JSON as its own members and nothing else. */
function isWrittenByMembers(config: object): boolean {
  try {
    return Object.getPrototypeOf(config) === Object.prototype && !('toJSON' in config);
  } catch {
    return false;
  }
}

function isTransport(name: string): boolean {
  return name === 'abortSignal' || name === 'httpOptions';
}
