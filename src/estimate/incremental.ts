import type {MeasuredContent, MeasuredRequest} from './measure.ts';

/**
 * Something worked out from the contents of a request, first to last. A request that begins with all of the one before it is
 * worked out from where that one ended, any other afresh.
 */
export class Incremental<Value> {
  readonly #derive: (request: MeasuredRequest, start: number, earlier: Value | undefined) => Value;
  readonly #values = new WeakMap<readonly MeasuredContent[], {readonly value: Value}>();

  /** @param derive works out the value for all contents, from the one for those before `start` */
  constructor(derive: (request: MeasuredRequest, start: number, earlier: Value | undefined) => Value) {
    this.#derive = derive;
  }

  of(request: MeasuredRequest): Value {
    const known = this.#values.get(request.measured);
    if (known) {
      return known.value;
    }
    const {base} = request;
    const earlier = base && base.shared === base.measured.length ? this.#values.get(base.measured) : undefined;
    const value = this.#derive(request, earlier && base ? base.shared : 0, earlier?.value);
    this.#values.set(request.measured, {value});
    return value;
  }
}
