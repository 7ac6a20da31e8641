import type {Decision} from '../store/compaction-store.ts';

/**
 * The sticky elisions and drops of one scope: of each identity, how many occurrences in a request are covered, oldest
 * first. Only ever raised, so merging is idempotent and order-free.
 */
export class Decisions {
  readonly #elisions = new Map<string, number>();
  readonly #drops = new Map<string, number>();
  readonly #totals = {elision: 0, drop: 0};
  #version = 0;

  add(decisions: Iterable<Decision>): void {
    for (const {kind, identity, occurrences} of decisions) {
      const table = this.#table(kind);
      const covered = table.get(identity) ?? 0;
      if (occurrences > covered) {
        table.set(identity, occurrences);
        this.#totals[kind] += occurrences - covered;
        this.#version += 1;
      }
    }
  }

  /** Another number whenever a decision was added. */
  get version(): number {
    return this.#version;
  }

  has(kind: Decision['kind']): boolean {
    return this.#table(kind).size > 0;
  }

  /** How many occurrences of the identity are covered. */
  occurrences(kind: Decision['kind'], identity: string): number {
    return this.#table(kind).get(identity) ?? 0;
  }

  /** All covered occurrences of a kind. */
  total(kind: Decision['kind']): number {
    return this.#totals[kind];
  }

  #table(kind: Decision['kind']): Map<string, number> {
    return kind === 'elision' ? this.#elisions : this.#drops;
  }
}
