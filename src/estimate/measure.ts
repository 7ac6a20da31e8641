import {createHash, type Hash} from 'node:crypto';
import type {LlmRequest} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {jsonByteLength} from '../json/byte-length.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {matchesSnapshot, matchingLength, type Snapshot, takeSnapshot} from '../json/snapshot.ts';
import {contentCost, partCost} from './content-cost.ts';
import {predictEnvelope} from './predict-envelope.ts';
import {type Prediction, sumPredictions, ZERO_PREDICTION} from './prediction.ts';
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
  readonly snapshot: Snapshot | undefined;

  constructor(content: Content) {
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
    this.snapshot = takeSnapshot(content);
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
  /** The earlier request, and how many contents both begin with: what was derived from those still holds. */
  readonly base: {readonly measured: readonly MeasuredContent[]; readonly shared: number} | undefined;
  /** What to hand to the scope's next measurement. Holds none of the contents. */
  readonly memo: MeasureMemo;
  /** The size of one content alone. Throws a RangeError when there is none at the index. */
  sizeOf(index: number): Size;
  /** `prefixHash` of the first `split` contents; hashed once per content, also over several requests. */
  prefixHash(split: number): string;
}

/** What is remembered of a request, to recognise its contents in the next one. */
export interface MeasureMemo {
  readonly envelope: MeasuredEnvelope;
  readonly measured: readonly MeasuredContent[];
  /** The sum over `measured`. */
  readonly contentsSize: Size;
  readonly hashes: HashedPrefixes;
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
  const shared = matchingLength(known, contents);
  const measured = [...known.slice(0, shared), ...measureContents(contents.slice(shared), known.slice(shared))];
  const envelope = measureEnvelope(request, earlier?.envelope);
  const base = earlier && {measured: earlier.measured, shared};
  const contentsSize = base ? sizeAfter(earlier, measured, base.shared) : sizeOfAll(measured);
  const hashes = base ? earlier.hashes.upTo(base.shared) : new HashedPrefixes();
  return {
    contents,
    measured,
    size: withSeparators(addSizes(envelope.size, contentsSize), measured.length),
    base,
    memo: {envelope, measured, contentsSize, hashes},
    sizeOf: (index) => {
      const content = measured[index];
      if (!content) {
        throw new RangeError(`There is no content ${index} in a request of ${measured.length}.`);
      }
      return content.size;
    },
    prefixHash: (split) => hashes.of(contents, split),
  };
}

/** Where contents were put in, changed or left out, those that follow are looked for. */
function measureContents(contents: readonly Content[], earlier: readonly MeasuredContent[]): MeasuredContent[] {
  const known = new KnownContents(earlier);
  return contents.map((content) => known.find(content) ?? new MeasuredContent(content));
}

/** The sum over contents that begin as the earlier request's do. Sizes add up exactly, so it equals a sum over all. */
function sizeAfter(earlier: MeasureMemo, measured: readonly MeasuredContent[], shared: number): Size {
  const gone = sizeOfAll(earlier.measured.slice(shared));
  return addSizes(subtractSizes(earlier.contentsSize, gone), sizeOfAll(measured.slice(shared)));
}

function sizeOfAll(measured: readonly MeasuredContent[]): Size {
  return {weight: sumWeights(measured), prediction: sumPredictions(ZERO_PREDICTION, measured)};
}

/** The commas between contents are bytes too. */
function withSeparators({weight, prediction}: Size, contents: number): Size {
  return {weight: {...weight, canonicalBytes: weight.canonicalBytes + Math.max(contents - 1, 0)}, prediction};
}

/** How far ahead a content is looked for after contents that were not found: they were changed in place. */
const NEAR = 16;
/** How often in one request it is looked for in all that follows: contents were left out. Keeps measuring linear. */
const FAR_SEARCHES = 4;

/** The contents of an earlier request, to be found in the order they had. */
class KnownContents {
  readonly #contents: readonly MeasuredContent[];
  #next = 0;
  #missed = 0;
  #farSearches = FAR_SEARCHES;

  constructor(contents: readonly MeasuredContent[]) {
    this.#contents = contents;
  }

  find(content: Content): MeasuredContent | undefined {
    const near = this.#next + Math.min(this.#missed + 1, NEAR);
    const found = this.#search(content, this.#next, near) ?? this.#searchFar(content, near);
    this.#missed = found ? 0 : this.#missed + 1;
    return found;
  }

  #searchFar(content: Content, start: number): MeasuredContent | undefined {
    if (this.#farSearches === 0) {
      return undefined;
    }
    this.#farSearches -= 1;
    return this.#search(content, start, this.#contents.length);
  }

  #search(content: Content, start: number, end: number): MeasuredContent | undefined {
    for (let index = start; index < Math.min(end, this.#contents.length); index += 1) {
      const known = this.#contents[index];
      if (known?.snapshot && matchesSnapshot(known.snapshot, content)) {
        this.#next = index + 1;
        return known;
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
  return withSeparators(addSizes(EMPTY_LIST, sumSizes(contents)), contents.length);
}

/** Hashes of prefixes of one list that only grows at its end. */
class HashedPrefixes {
  readonly #known = new Map<number, string>();
  /** The hash of the longest prefix asked for, its list not closed yet. */
  #open: {readonly length: number; readonly hash: Hash} | undefined;

  /** What stays right for a list that shares the first `length` contents with this one. */
  upTo(length: number): HashedPrefixes {
    const prefixes = new HashedPrefixes();
    for (const [split, hash] of this.#known) {
      if (split <= length) {
        prefixes.#known.set(split, hash);
      }
    }
    prefixes.#open = this.#open && this.#open.length <= length ? this.#open : undefined;
    return prefixes;
  }

  /** `prefixHash` of the first `split` contents of the list. */
  of(contents: readonly Content[], split: number): string {
    const known = this.#known.get(split);
    if (known !== undefined) {
      return known;
    }
    const hash = this.#hash(contents, split);
    this.#known.set(split, hash);
    return hash;
  }

  #hash(contents: readonly Content[], split: number): string {
    if (split > contents.length) {
      return '';
    }
    const start = this.#open && this.#open.length <= split ? this.#open : undefined;
    const hash = start ? start.hash.copy() : createHash('sha256').update('[');
    try {
      for (let index = start?.length ?? 0; index < split; index += 1) {
        hash.update(`${index > 0 ? ',' : ''}${canonicalJson(contents[index])}`);
      }
    } catch {
      // Documented: a list that cannot be serialised has no hash.
      return '';
    }
    if (!start || split > start.length) {
      this.#open = {length: split, hash: hash.copy()};
    }
    return hash.update(']').digest('hex');
  }
}
