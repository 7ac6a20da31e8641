import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {jsonByteLength} from '../json/byte-length.ts';
import {
  appendSnapshot,
  matchesAt,
  matchesSnapshot,
  matchingPrefix,
  type Snapshot,
  takeOverTexts,
  takeSnapshot,
} from '../json/snapshot.ts';
import {contentCost, partCost} from './content-cost.ts';
import {HashedPrefixes} from './hashed-prefixes.ts';
import {predictEnvelope} from './predict-envelope.ts';
import {type Prediction, sumPredictions} from './prediction.ts';
import type {EarlierRequest, RequestFacts} from './request-facts.ts';
import {addSizes, type Size, subtractSizes, sumSizes, ZERO_SIZE} from './size.ts';
import {contentWeight, countedEnvelope, partWeight, sumWeights, type Weight, weighEnvelope} from './weight.ts';

/**
 * What is known of one content, worked out once. The same object stands for an equal content in every later request, so it
 * serves as the key of whatever else is derived from the content. Flat, because a process keeps one for each content of each
 * live session.
 */
export class MeasuredContent implements Weight, Prediction {
  readonly canonicalBytes: number;
  readonly mediaBytes: number;
  readonly mediaTokens: number;
  readonly contents: number;
  readonly parts: number;
  readonly functions: number;
  readonly binaries: number;
  readonly toolDeclarations: number;
  readonly millitokens: number;
  readonly signatureCharacters: number;
  /** True for a content of plain objects, arrays and primitives: no `toJSON` or getter stands between it and its figures. */
  readonly isPlain: boolean;
  /** How many items of `MeasureMemo.snapshots` it takes. */
  readonly snapshotLength: number;

  /** @param snapshots takes the snapshot of the content */
  constructor(content: Content, snapshots: unknown[]) {
    const {weight, prediction} = contentSize(content);
    this.canonicalBytes = weight.canonicalBytes;
    this.mediaBytes = weight.mediaBytes;
    this.mediaTokens = weight.mediaTokens;
    this.contents = weight.contents;
    this.parts = weight.parts;
    this.functions = weight.functions;
    this.binaries = weight.binaries;
    this.toolDeclarations = weight.toolDeclarations;
    this.millitokens = prediction.millitokens;
    this.signatureCharacters = prediction.signatureCharacters;
    const {length} = snapshots;
    this.isPlain = appendSnapshot(snapshots, content);
    this.snapshotLength = snapshots.length - length;
  }

  get size(): Size {
    return {weight: this, prediction: this};
  }
}

/** A request, measured in one pass. Indices are indices into `contents`. */
export interface MeasuredRequest {
  readonly contents: readonly Content[];
  readonly measured: readonly MeasuredContent[];
  /** The whole request: system instruction, tools and contents. */
  readonly size: Size;
  /** The earlier request, and how many contents both begin with: what was worked out from those still holds. */
  readonly base: EarlierRequest | undefined;
  /** What was worked out from its contents; handed on in `memo`. */
  readonly facts: RequestFacts;
  /** What to hand to the scope's next measurement. Holds none of the contents. */
  readonly memo: MeasureMemo;
  /** The size of one content alone. Throws a RangeError when there is none at the index. */
  sizeOf(index: number): Size;
  /** What the contents from `start` up to, not including, `end` add to the request: their sizes and a separator for each. */
  sizeOfRange(start: number, end: number): Size;
  /** `prefixHash` of the first `split` contents; hashed once per content, also over several requests. */
  prefixHash(split: number): string;
}

/** What is remembered of a request, to recognise its contents in the next one. */
export interface MeasureMemo {
  readonly envelope: MeasuredEnvelope;
  readonly measured: readonly MeasuredContent[];
  /**
   * The snapshots of the contents, one behind the other, so that comparing reads on through memory. The next request appends
   * its own: what stands from `snapshotsEnd` on is not this request's.
   */
  readonly snapshots: unknown[];
  readonly snapshotsEnd: number;
  /** The sum over `measured`. */
  readonly contentsSize: Size;
  readonly hashes: HashedPrefixes;
  readonly facts: RequestFacts;
}

/** A request without its contents: system instruction, tools and the like. */
interface MeasuredEnvelope {
  readonly size: Size;
  readonly snapshot: Snapshot | undefined;
}

/**
 * Measures a request with these contents. Contents that an earlier request of the scope held, in this order, are recognised
 * by comparing them whole, and not measured again; where contents were put in or left out, the rest is still recognised.
 */
export function measureRequest(
  request: LlmRequest,
  contents: readonly Content[],
  earlier?: MeasureMemo,
): MeasuredRequest {
  const known = earlier?.measured ?? [];
  readAhead(contents);
  const prefix = matchingPrefix(earlier?.snapshots ?? [], known.length, contents);
  const shared = prefix.length;
  const snapshots = earlier ? snapshotsUpTo(prefix.end, earlier) : [];
  const added = measureContents(contents.slice(shared), new KnownContents(earlier, shared, prefix.end), snapshots);
  const measured = (shared === known.length ? known : known.slice(0, shared)).concat(added);
  const envelope = measureEnvelope(request, earlier?.envelope);
  const base = earlier && {shared, isWhole: shared === known.length, facts: earlier.facts};
  const facts: RequestFacts = new Map();
  const contentsSize = earlier ? sizeAfter(earlier, measured, shared) : sizeOfAll(measured);
  const hashes = earlier ? earlier.hashes.upTo(shared) : new HashedPrefixes();
  return {
    contents,
    measured,
    size: withCommas(addSizes(envelope.size, contentsSize), commasBetween(measured)),
    base,
    facts,
    memo: {envelope, measured, snapshots, snapshotsEnd: snapshots.length, contentsSize, hashes, facts},
    sizeOf: (index) => {
      const content = measured[index];
      if (!content) {
        throw new RangeError(`There is no content ${index} in a request of ${measured.length}.`);
      }
      return content.size;
    },
    sizeOfRange: (start, end) => {
      const range = measured.slice(start, end);
      return withCommas(sizeOfAll(range), range.length);
    },
    prefixHash: (split) => hashes.of(contents, split),
  };
}

/**
 * For a request whose texts are not those it was compared with, but equal ones, such as of a session that was loaded again: the
 * next comparison finds each of these by its address, and the former ones are nobody's any more.
 */
export function keepTextsOf({contents, measured, memo}: MeasuredRequest): void {
  let at = 0;
  for (let index = 0; index < contents.length; index += 1) {
    const {isPlain = false, snapshotLength = 0} = measured[index] ?? {};
    if (isPlain) {
      takeOverTexts(memo.snapshots, at, contents[index]);
    }
    at += snapshotLength;
  }
}

/** Kept, so that no compiler leaves the reads out as useless. */
let valuesSeen = 0;

/**
 * Reads a little of every content. ADK has just made them all, and most have left the processor's cache by now: in this loop
 * the processor waits for many at once, while comparing would wait for one after the other. A quarter of a call's own time.
 */
function readAhead(contents: readonly Content[]): void {
  try {
    for (let index = 0; index < contents.length; index += 1) {
      const part = contents[index]?.parts?.[0];
      const value = part?.functionResponse?.response ?? part?.functionCall?.args;
      valuesSeen = (valuesSeen + (typeof value === 'object' ? 1 : 0)) | 0;
    }
  } catch {
    // What throws when it is read is met again when it is compared.
  }
}

/** The earlier request's own list when all of it still holds and nobody has appended to it, else a copy. */
function snapshotsUpTo(end: number, {snapshots, snapshotsEnd}: MeasureMemo): unknown[] {
  return end === snapshotsEnd && snapshots.length === snapshotsEnd ? snapshots : snapshots.slice(0, end);
}

/** Where contents were put in, changed or left out, those that follow are looked for. */
function measureContents(contents: readonly Content[], known: KnownContents, snapshots: unknown[]): MeasuredContent[] {
  return contents.map((content) => known.find(content, snapshots) ?? new MeasuredContent(content, snapshots));
}

/** The sum over contents that begin as the earlier request's do. Sizes add up exactly, so it equals a sum over all. */
function sizeAfter(earlier: MeasureMemo, measured: readonly MeasuredContent[], shared: number): Size {
  const gone = sizeOfAll(earlier.measured.slice(shared));
  return addSizes(subtractSizes(earlier.contentsSize, gone), sizeOfAll(measured.slice(shared)));
}

function sizeOfAll(measured: readonly MeasuredContent[]): Size {
  return {weight: sumWeights(measured), prediction: sumPredictions(measured)};
}

/** The commas between contents are bytes too. */
function withCommas({weight, prediction}: Size, commas: number): Size {
  return {weight: {...weight, canonicalBytes: weight.canonicalBytes + commas}, prediction};
}

function commasBetween(contents: readonly unknown[]): number {
  return Math.max(contents.length - 1, 0);
}

/** How far ahead a content is looked for after contents that were not found: they were changed in place. */
const NEAR = 16;
/** How often in one request it is looked for in all that follows: contents were left out. Keeps measuring linear. */
const FAR_SEARCHES = 4;

/** The contents of an earlier request from one on, to be found in the order they had. */
class KnownContents {
  readonly #contents: readonly MeasuredContent[];
  readonly #snapshots: Snapshot;
  /** Where the snapshot of each content begins. */
  readonly #starts: readonly number[];
  #next = 0;
  #missed = 0;
  #farSearches = FAR_SEARCHES;

  constructor(earlier: MeasureMemo | undefined, start: number, at: number) {
    this.#contents = earlier?.measured.slice(start) ?? [];
    this.#snapshots = earlier?.snapshots ?? [];
    let next = at;
    this.#starts = this.#contents.map(({snapshotLength}) => {
      next += snapshotLength;
      return next - snapshotLength;
    });
  }

  /** Looks for a content, and appends the snapshot of the one found. */
  find(content: Content, snapshots: unknown[]): MeasuredContent | undefined {
    const near = this.#next + Math.min(this.#missed + 1, NEAR);
    const index = this.#search(content, this.#next, near) ?? this.#searchFar(content, near);
    if (index === undefined) {
      this.#missed += 1;
      return undefined;
    }
    this.#missed = 0;
    this.#next = index + 1;
    const found = this.#contents[index];
    const start = this.#starts[index] ?? 0;
    for (let at = start; at < start + (found?.snapshotLength ?? 0); at += 1) {
      snapshots.push(this.#snapshots[at]);
    }
    return found;
  }

  #searchFar(content: Content, start: number): number | undefined {
    if (this.#farSearches === 0) {
      return undefined;
    }
    this.#farSearches -= 1;
    return this.#search(content, start, this.#contents.length);
  }

  #search(content: Content, start: number, end: number): number | undefined {
    for (let index = start; index < Math.min(end, this.#contents.length); index += 1) {
      if (matchesAt(this.#snapshots, this.#starts[index] ?? 0, content)) {
        return index;
      }
    }
    return undefined;
  }
}

/** Instruction and declarations are the same in most calls, and long. */
function measureEnvelope(request: LlmRequest, earlier: MeasuredEnvelope | undefined): MeasuredEnvelope {
  const counted = countedEnvelope(request);
  if (earlier?.snapshot && matchesSnapshot(earlier.snapshot, counted)) {
    return earlier;
  }
  return {
    size: {weight: weighEnvelope(request), prediction: predictEnvelope(request)},
    snapshot: takeSnapshot(counted),
  };
}

/** The size of one content on its own. */
export function contentSize(content: Content): Size {
  const {bytes, millitokens, signatureCharacters} = contentCost(content);
  return {weight: contentWeight(content, bytes), prediction: {millitokens, signatureCharacters}};
}

/** The size of one part on its own, without the comma before it. */
export function partSize(part: Part): Size {
  const {bytes, millitokens, signatureCharacters} = partCost(part);
  return {weight: partWeight(part, bytes), prediction: {millitokens, signatureCharacters}};
}

const EMPTY_LIST: Size = {
  ...ZERO_SIZE,
  weight: {...ZERO_SIZE.weight, canonicalBytes: jsonByteLength({contents: []})},
};

/** The size of a request of nothing but contents of these sizes. */
export function listSize(contents: readonly Size[]): Size {
  return withCommas(addSizes(EMPTY_LIST, sumSizes(contents)), commasBetween(contents));
}
