/**
 * How deep a value may nest. Deeper ones (JSON.parse makes them from a hostile tool answer; JSON.stringify overflows the
 * stack on them) have no JSON form here, so that figures never depend on how much stack is left.
 */
const MAX_JSON_DEPTH = 2_000;

/** The arrays and objects being walked, outermost first, with the key each was found under. */
export class Ancestors {
  readonly #values: object[] = [];
  readonly #keys: (string | number)[] = [];

  /** False when `value` closes a cycle or nests too deep: it is not entered then. */
  tryEnter(value: object, key: string | number): boolean {
    if (this.#values.length === MAX_JSON_DEPTH || this.#values.includes(value)) {
      return false;
    }
    this.#values.push(value);
    this.#keys.push(key);
    return true;
  }

  /** Throws a TypeError that names the path when `value` closes a cycle or nests too deep. */
  enter(value: object, key: string | number): void {
    if (this.tryEnter(value, key)) {
      return;
    }
    const reason = this.#values.includes(value)
      ? 'refers back to a value that contains it'
      : `is nested deeper than ${MAX_JSON_DEPTH} levels`;
    throw new TypeError(`${this.#path(key)} ${reason} and has no JSON form; leave it out.`);
  }

  leave(): void {
    this.#values.pop();
    this.#keys.pop();
  }

  get depth(): number {
    return this.#values.length;
  }

  /** Leaves everything entered since `depth`. */
  leaveTo(depth: number): void {
    this.#values.length = depth;
    this.#keys.length = depth;
  }

  /** Such as `content.parts[0].functionResponse.response.self`. */
  #path(key: string | number): string {
    let path = '';
    for (let depth = 1; depth <= this.#values.length; depth++) {
      const step = this.#keys[depth] ?? key;
      if (Array.isArray(this.#values[depth - 1])) {
        path += `[${step}]`;
      } else {
        path += path === '' ? String(step) : `.${step}`;
      }
    }
    return path.length <= 200 ? path : `${path.slice(0, 100)}…${path.slice(-99)}`.toWellFormed();
  }
}
