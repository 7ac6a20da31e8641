import {createHash, type Hash} from 'node:crypto';
import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {jsonByteLength} from '../json/byte-length.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {matchesSnapshot, type Snapshot, takeSnapshot} from '../json/snapshot.ts';
import {predictContent, predictEnvelope, totalPrediction} from './prediction.ts';
import {type Size, ZERO_SIZE} from './size.ts';
import {countedEnvelope, totalWeight, weighContent, weighEnvelope} from './weight.ts';

/**
 * What is known of one content, worked out once. The same object stands for an equal content in every later request, so it
 * serves as the key of whatever else is derived from the content.
 */
export interface MeasuredContent {
  readonly size: Size;
  readonly snapshot: Snapshot | undefined;
}

/** A request, measured in one pass. Indices are indices into `contents`. */
export interface MeasuredRequest {
  readonly contents: readonly Content[];
  readonly measured: readonly MeasuredContent[];
  /** The whole request: system instruction, tools and contents. */
  readonly size: Size;
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
  const known = new KnownContents(earlier?.measured ?? []);
  const measured = contents.map((content) => known.find(content) ?? measureContent(content));
  const envelope = measureEnvelope(request, earlier?.envelope);
  const hashes = earlier?.hashes.upTo(sharedLength(measured, earlier.measured)) ?? new HashedPrefixes();
  return {
    contents,
    measured,
    size: {
      weight: totalWeight(
        envelope.size.weight,
        measured.map((content) => content.size.weight),
      ),
      prediction: totalPrediction(
        envelope.size.prediction,
        measured.map((content) => content.size.prediction),
      ),
    },
    memo: {envelope, measured, hashes},
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

function sharedLength(one: readonly MeasuredContent[], other: readonly MeasuredContent[]): number {
  const first = one.findIndex((content, index) => content !== other[index]);
  return first === -1 ? one.length : first;
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

function measureContent(content: Content): MeasuredContent {
  return {size: contentSize(content), snapshot: takeSnapshot(content)};
}

/** The size of one content on its own. */
export function contentSize(content: Content): Size {
  return {weight: weighContent(content), prediction: predictContent(content)};
}

const EMPTY_LIST: Size = {
  ...ZERO_SIZE,
  weight: {...ZERO_SIZE.weight, canonicalBytes: jsonByteLength({contents: []})},
};

/** The size of a request of nothing but contents of these sizes. */
export function listSize(contents: readonly Size[]): Size {
  return {
    weight: totalWeight(
      EMPTY_LIST.weight,
      contents.map((content) => content.weight),
    ),
    prediction: totalPrediction(
      EMPTY_LIST.prediction,
      contents.map((content) => content.prediction),
    ),
  };
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
