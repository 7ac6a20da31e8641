import type {Content} from '@google/genai';
import type {Pairs} from '../request/pairs.ts';
import {isThought, partsOf} from '../request/parts.ts';
import {type AppliedFold, pinnedContents} from './applied-fold.ts';
import type {History} from './history.ts';

/** What is to be folded. */
export interface FoldInput {
  /** The summary in use, as it stands; empty at the first fold. */
  readonly summary: readonly Content[];
  /** The summary in use, its pinned contents, and the newly folded contents that the filter leaves in. */
  readonly contents: readonly Content[];
}

type Filter = (contents: Content[]) => Content[];

/** Indices of the contents that this fold covers and the fold in use does not. */
export function newlyFolded(history: History, base: number, split: number): number[] {
  const indices = Array.from({length: split - base}, (_, offset) => base + offset);
  return history.protectLive ? indices.filter((index) => index !== history.liveUserIndex) : indices;
}

/** Gathers what a fold up to `split` replaces. The live user content is no part of it when it is protected. */
export function foldInput(history: History, inUse: AppliedFold | undefined, split: number, filter: Filter): FoldInput {
  const {contents, liveUserIndex, protectLive} = history;
  const fresh = newlyFolded(history, inUse?.split ?? 0, split).map((index) => contents[index]) as Content[];
  if (!inUse) {
    return {summary: [], contents: filter(fresh)};
  }
  const readPins = inUse.pinned.filter((pin) => !(protectLive && pin === liveUserIndex));
  return {
    summary: inUse.output,
    contents: [...inUse.output, ...pinnedContents({...inUse, pinned: readPins}, contents), ...filter(fresh)],
  };
}

/** False when there is nothing in it but thoughts: nothing of that could be sent. */
export function isSendable(input: FoldInput): boolean {
  return input.contents.some((content) => partsOf(content).some((part) => !isThought(part)));
}

export interface PinRules {
  readonly filter: Filter;
  readonly pin?: ((content: Content) => boolean) | undefined;
  /** Indices that the host pins, whatever the filter says. */
  readonly pins?: readonly number[] | undefined;
}

/**
 * Indices of the contents before `split` that stay beside the summary. The predicate is asked about the whole prefix, also
 * about what an earlier fold covers; a pinned content brings the other halves of its pairs along.
 */
export function choosePins(history: History, split: number, {filter, pin, pins = []}: PinRules): number[] {
  const {contents, liveUserIndex, protectLive} = history;
  const pinned = new Set(pins.filter((index) => index < split));
  if (protectLive && liveUserIndex >= 0 && liveUserIndex < split) {
    pinned.add(liveUserIndex);
  }
  if (pin) {
    const prefix = contents.slice(0, split);
    let from = 0;
    for (const content of filter([...prefix])) {
      const place = prefix.indexOf(content, from);
      if (place >= 0) {
        from = place + 1;
        if (pin(content)) {
          pinned.add(place);
        }
      }
    }
  }
  addPairs(pinned, split, history.pairs());
  return [...pinned].sort((one, other) => one - other);
}

function addPairs(pinned: Set<number>, split: number, {calls}: Pairs): void {
  const pairs = calls
    .filter((call) => call.answers.length > 0 && call.content < split)
    .map((call) => [call.content, ...call.answers.map((answer) => answer.content)]);
  for (let size = -1; size !== pinned.size; ) {
    size = pinned.size;
    for (const places of pairs) {
      if (places.some((place) => pinned.has(place))) {
        for (const place of places) {
          pinned.add(place);
        }
      }
    }
  }
}
