import {createHash, type Hash} from 'node:crypto';
import type {Content} from '@google/genai';
import {canonicalJson} from '../json/canonical-json.ts';

/** Hashes of prefixes of one list that only grows at its end. */
export class HashedPrefixes {
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
