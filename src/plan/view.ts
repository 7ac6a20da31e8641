import type {Content, Part} from '@google/genai';
import type {MeasuredRequest} from '../estimate/measure.ts';
import {addSizes, SEPARATOR, type Size, subtractSizes, sumSizes, ZERO_SIZE} from '../estimate/size.ts';
import {partsOf} from '../request/parts.ts';
import {elidePart, withParts} from './elide-part.ts';
import {Elisions} from './elisions.ts';
import type {PlacedAnswer} from './placed-answers.ts';

/** A fold as it applies to one request. */
export interface FoldInUse {
  /** The same for the same fold in every request. */
  readonly identity: object;
  /** Index of the first content that is not folded. */
  readonly split: number;
  readonly output: readonly Content[];
  readonly outputSize: Size;
  /** Indices of the folded contents that stand beside the summary, in order. */
  readonly pinned: readonly number[];
}

/** What of a request was folded and dropped. */
export interface Cut {
  readonly fold: object | undefined;
  /** Where each dropped turn starts. */
  readonly drops: readonly number[];
}

/** True for cuts that leave the same of two requests, one of which goes on from the other. */
export function isSameCut(one: Cut, other: Cut): boolean {
  return (
    one.fold === other.fold &&
    one.drops.length === other.drops.length &&
    one.drops.every((start, index) => start === other.drops[index])
  );
}

/** What goes out, and where each content comes from: an index into the request, or -1 for a summary. */
export interface Rendered {
  /** A list of its own; the contents in it are the request's, but for those that something stands for. */
  readonly contents: Content[];
  readonly sources: readonly number[];
}

/**
 * A request as some decisions leave it. Holds decisions and sizes only; the request itself is never touched. A change
 * costs as much as it covers, never as much as the history.
 */
export class View {
  readonly request: MeasuredRequest;
  #size: Size;
  #fold: FoldInUse | undefined;
  readonly #dropped = new Set<number>();
  readonly #drops: number[] = [];
  #elisions = Elisions.none;
  /** Elided since, and not among `#elisions` yet: one by one they would cost a list each. */
  #added: PlacedAnswer[] = [];
  #rendered: Rendered | undefined;

  constructor(request: MeasuredRequest) {
    this.request = request;
    this.#size = request.size;
  }

  /** The size of the whole request as it would go out. */
  get size(): Size {
    return this.#size;
  }

  get elisions(): Elisions {
    if (this.#added.length > 0) {
      this.#elisions = this.#elisions.with(this.#added);
      this.#added = [];
    }
    return this.#elisions;
  }

  /** True when more is changed than what stands in place of answer bodies. */
  get hasFoldOrDrops(): boolean {
    return this.#fold !== undefined || this.#dropped.size > 0;
  }

  /** True when the request would go out as it came. */
  get isUntouched(): boolean {
    return !this.hasFoldOrDrops && this.elisions.count === 0;
  }

  get cut(): Cut {
    return {fold: this.#fold?.identity, drops: [...this.#drops]};
  }

  copy(): View {
    const copy = new View(this.request);
    copy.#size = this.#size;
    copy.#fold = this.#fold;
    for (const index of this.#dropped) {
      copy.#dropped.add(index);
    }
    copy.#drops.push(...this.#drops);
    copy.#elisions = this.elisions;
    return copy;
  }

  get hasDrops(): boolean {
    return this.#dropped.size > 0;
  }

  isDropped(content: number): boolean {
    return this.#dropped.has(content);
  }

  /** What these contents add to the request now. */
  sizeOf(contents: readonly number[]): Size {
    return contents
      .filter((content) => !this.#dropped.has(content))
      .reduce((size, content) => addSizes(size, this.#sizeInPlace(content)), ZERO_SIZE);
  }

  /** True when the content stands in the request at its own place. */
  isKept(content: number): boolean {
    return content >= (this.#fold?.split ?? 0) && !this.#dropped.has(content);
  }

  /** True when the content stands in the request at all: at its own place, or beside the summary. */
  isShown(content: number): boolean {
    return this.isKept(content) || (this.#fold?.pinned.includes(content) ?? false);
  }

  isElided(answer: PlacedAnswer): boolean {
    return this.elisions.has(answer);
  }

  /** Elides these answers beside none: the first elisions of a view. */
  useElisions(elisions: Elisions): void {
    this.#elisions = elisions;
    this.#rendered = undefined;
    this.#size = subtractSizes(this.#size, elisions.saved);
  }

  elide(answer: PlacedAnswer): void {
    this.#added.push(answer);
    this.#rendered = undefined;
    this.#size = subtractSizes(this.#size, answer.saved);
  }

  drop(start: number, end: number): void {
    this.#rendered = undefined;
    this.#drops.push(start);
    this.#size = subtractSizes(this.#size, this.#sizeOfKept(start, end));
    for (let index = start; index < end; index += 1) {
      if (this.isKept(index)) {
        this.#dropped.add(index);
      }
    }
  }

  /** Puts a fold in place of everything before its split. The first change made to a view. */
  useFold(fold: FoldInUse): void {
    let size = subtractSizes(this.#size, this.request.sizeOfRange(0, fold.split));
    for (const index of fold.pinned) {
      size = addSizes(size, this.#sizeInPlace(index));
    }
    this.#size = addSizes(size, fold.outputSize);
    this.#fold = fold;
    this.#rendered = undefined;
  }

  /** What goes out. Made once, until the view changes; who takes the list to change it must not render again. */
  render(): Rendered {
    this.#rendered ??= this.#render();
    return this.#rendered;
  }

  #render(): Rendered {
    if (!this.hasFoldOrDrops) {
      const contents = this.#elideAll();
      return {
        contents,
        // Only verification asks, and most calls need none.
        get sources() {
          return firstIndices(contents.length);
        },
      };
    }
    const contents: Content[] = [...(this.#fold?.output ?? [])];
    const sources = contents.map(() => -1);
    const place = (index: number): void => {
      const content = this.request.contents[index];
      if (content) {
        contents.push(this.#elide(content, index));
        sources.push(index);
      }
    };
    this.#fold?.pinned.forEach(place);
    for (let index = this.#fold?.split ?? 0; index < this.request.contents.length; index += 1) {
      if (!this.#dropped.has(index)) {
        place(index);
      }
    }
    return {contents, sources};
  }

  #elideAll(): Content[] {
    const contents = this.request.contents.slice();
    for (const index of this.elisions.contents) {
      contents[index] = this.#elide(contents[index] as Content, index);
    }
    return contents;
  }

  #elide(content: Content, index: number): Content {
    const answers = this.elisions.of(index);
    if (!answers) {
      return content;
    }
    const parts = partsOf(content).slice();
    for (const {part} of answers) {
      parts[part] = elidePart(parts[part] as Part);
    }
    return withParts(content, parts);
  }

  /** What those of a range that are kept add to the request now. */
  #sizeOfKept(start: number, end: number): Size {
    if (this.elisions.count === 0 && this.isKept(start) && this.isKept(end - 1)) {
      return this.request.sizeOfRange(start, end);
    }
    let size = ZERO_SIZE;
    for (let index = start; index < end; index += 1) {
      size = this.isKept(index) ? addSizes(size, this.#sizeInPlace(index)) : size;
    }
    return size;
  }

  /** What the content adds to the request now, its separator included. */
  #sizeInPlace(index: number): Size {
    const whole = addSizes(this.request.sizeOf(index), SEPARATOR);
    const answers = this.elisions.of(index);
    return answers ? subtractSizes(whole, sumSizes(answers.map(({saved}) => saved))) : whole;
  }
}

/** 0, 1, 2 and so on, as far as was ever asked for. */
const INDICES: number[] = [];

function firstIndices(count: number): number[] {
  while (INDICES.length < count) {
    INDICES.push(INDICES.length);
  }
  return INDICES.slice(0, count);
}
