import type {Content} from '@google/genai';
import {prefixHash} from '../json/prefix-hash.ts';
import {type Pairs, pairUp} from '../request/pairs.ts';
import {arePairsInPlace} from '../request/pairs-in-place.ts';
import {liveUserIndex, turnStarts} from '../request/turns.ts';

/** A list of contents as it came in, whole and unfiltered, with what is worked out about it at most once. */
export interface History {
  readonly contents: readonly Content[];
  /** Index of the content that opened the live turn; -1 when there is none. */
  readonly liveUserIndex: number;
  /**
   * True when a model is about to be called with this list: its last content and its live user content then stay in the
   * request, whatever is folded.
   */
  readonly protectLive: boolean;
  readonly pairs: () => Pairs;
  /** `arePairsInPlace` of the contents. */
  readonly arePairsInPlace: () => boolean;
  /** Hash of the first `split` contents; `''` when they cannot be serialised, which equals nothing. */
  readonly prefixHash: (split: number) => string;
}

/** Describes `contents`; a host hands in what it already knows. */
export function historyOf(contents: readonly Content[], known: Partial<Omit<History, 'contents'>> = {}): History {
  let pairs: Pairs | undefined;
  const hashes = new Map<number, string>();
  return {
    contents,
    liveUserIndex: known.liveUserIndex ?? liveUserIndex(turnStarts(contents)),
    protectLive: known.protectLive ?? false,
    pairs:
      known.pairs ??
      (() => {
        pairs ??= pairUp(contents);
        return pairs;
      }),
    arePairsInPlace: known.arePairsInPlace ?? (() => arePairsInPlace(contents)),
    prefixHash:
      known.prefixHash ??
      ((split) => {
        const hash = hashes.get(split) ?? prefixHash(contents.slice(0, split));
        hashes.set(split, hash);
        return hash;
      }),
  };
}
