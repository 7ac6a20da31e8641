import {createHash, type Hash} from 'node:crypto';
import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {jsonByteLength} from '../json/byte-length.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {matchesSnapshot, type Snapshot, takeSnapshot} from '../json/snapshot.ts';
import {predictContent, predictEnvelope, totalPrediction} from './prediction.ts';
import {type Size, ZERO_SIZE} from './size.ts';
import {totalWeight, weighContent, weighEnvelope} from './weight.ts';

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
  /** The size of one content alone. Throws a RangeError when there is none at the index. */
  sizeOf(index: number): Size;
  /** `prefixHash` of the first `split` contents; hashed once per content, also over several requests. */
  prefixHash(split: number): string;
}

/**
 * Measures a request with these contents. Contents that an earlier request of the scope held at the same place are
 * recognised by comparing them whole, and not measured again.
 */
export function measureRequest(
  request: LlmRequest,
  contents: readonly Content[],
  earlier?: MeasuredRequest,
): MeasuredRequest {
  let stable = 0;
  const measured = contents.map((content, index) => {
    const known = earlier?.measured[index];
    if (known?.snapshot && matchesSnapshot(known.snapshot, content)) {
      stable += stable === index ? 1 : 0;
      return known;
    }
    return measureContent(content);
  });
  const size = {
    weight: totalWeight(
      weighEnvelope(request),
      measured.map((content) => content.size.weight),
    ),
    prediction: totalPrediction(
      predictEnvelope(request),
      measured.map((content) => content.size.prediction),
    ),
  };
  const hashes =
    earlier instanceof Measured ? earlier.hashes.continueWith(contents, stable) : new PrefixHashes(contents);
  return new Measured(contents, measured, size, hashes);
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

class Measured implements MeasuredRequest {
  readonly contents: readonly Content[];
  readonly measured: readonly MeasuredContent[];
  readonly size: Size;
  readonly hashes: PrefixHashes;

  constructor(contents: readonly Content[], measured: readonly MeasuredContent[], size: Size, hashes: PrefixHashes) {
    this.contents = contents;
    this.measured = measured;
    this.size = size;
    this.hashes = hashes;
  }

  sizeOf(index: number): Size {
    const measured = this.measured[index];
    if (!measured) {
      throw new RangeError(`There is no content ${index} in a request of ${this.measured.length}.`);
    }
    return measured.size;
  }

  prefixHash(split: number): string {
    return this.hashes.at(split);
  }
}

/** Hashes of prefixes of one list, the earlier ones carried over to a list that begins with the same contents. */
class PrefixHashes {
  readonly #contents: readonly Content[];
  readonly #known: Map<number, string>;
  /** The hash of the list up to the longest prefix asked for, not closed yet. */
  #open: {readonly length: number; readonly hash: Hash} | undefined;

  constructor(contents: readonly Content[], known = new Map<number, string>(), open?: {length: number; hash: Hash}) {
    this.#contents = contents;
    this.#known = known;
    this.#open = open;
  }

  continueWith(contents: readonly Content[], stable: number): PrefixHashes {
    const known = new Map([...this.#known].filter(([split]) => split <= stable));
    const open = this.#open && this.#open.length <= stable ? this.#open : undefined;
    return new PrefixHashes(contents, known, open);
  }

  at(split: number): string {
    const known = this.#known.get(split);
    if (known !== undefined) {
      return known;
    }
    const hash = this.#hash(split);
    this.#known.set(split, hash);
    return hash;
  }

  #hash(split: number): string {
    if (split > this.#contents.length) {
      return '';
    }
    const start = this.#open && this.#open.length <= split ? this.#open : undefined;
    const hash = start ? start.hash.copy() : createHash('sha256').update('[');
    try {
      for (let index = start?.length ?? 0; index < split; index += 1) {
        hash.update(`${index > 0 ? ',' : ''}${canonicalJson(this.#contents[index])}`);
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
