import {addSizes, type Size, sumSizes, ZERO_SIZE} from '../estimate/size.ts';
import type {PlacedAnswer} from './placed-answers.ts';

/** Answers elided in one request, by content. Never changed, so views and calls share it. */
export class Elisions {
  static readonly none = new Elisions([], 0, ZERO_SIZE);

  readonly count: number;
  /** What the request loses by all of them. */
  readonly saved: Size;
  readonly #byContent: readonly (readonly PlacedAnswer[] | undefined)[];

  private constructor(byContent: readonly (readonly PlacedAnswer[] | undefined)[], count: number, saved: Size) {
    this.#byContent = byContent;
    this.count = count;
    this.saved = saved;
  }

  /** The elided answers of a content. */
  of(content: number): readonly PlacedAnswer[] | undefined {
    return this.#byContent[content];
  }

  /** Indices of the contents with elided answers, in order. */
  *contents(): Generator<number> {
    for (let index = 0; index < this.#byContent.length; index += 1) {
      if (this.#byContent[index] !== undefined) {
        yield index;
      }
    }
  }

  has(answer: PlacedAnswer): boolean {
    return this.#byContent[answer.content]?.some(({part}) => part === answer.part) ?? false;
  }

  /** Those of these that a test holds for. */
  where(test: (answer: PlacedAnswer) => boolean): Elisions {
    return Elisions.none.with(this.#byContent.flatMap((answers) => answers?.filter(test) ?? []));
  }

  /** These and others. */
  with(answers: readonly PlacedAnswer[]): Elisions {
    if (answers.length === 0) {
      return this;
    }
    const byContent = this.#byContent.slice();
    for (const answer of answers) {
      byContent[answer.content] = [...(byContent[answer.content] ?? []), answer];
    }
    const saved = addSizes(this.saved, sumSizes(answers.map((answer) => answer.saved)));
    return new Elisions(byContent, this.count + answers.length, saved);
  }
}
