import type {MeasuredRequest} from './measure.ts';
import {RequestFact} from './request-facts.ts';

/**
 * Something worked out from the contents of a request, first to last. A request that begins with all of the one before it is
 * worked out from where that one ended, any other afresh.
 */
export class Incremental<Value> {
  readonly #derive: (request: MeasuredRequest, start: number, earlier: Value | undefined) => Value;
  readonly #fact = new RequestFact<{readonly value: Value}>();

  /** @param derive works out the value for all contents, from the one for those before `start` */
  constructor(derive: (request: MeasuredRequest, start: number, earlier: Value | undefined) => Value) {
    this.#derive = derive;
  }

  of(request: MeasuredRequest): Value {
    const known = this.#fact.of(request);
    if (known) {
      return known.value;
    }
    const earlier = this.#fact.ofStart(request);
    const value = this.#derive(request, earlier ? (request.base?.shared ?? 0) : 0, earlier?.value);
    this.#fact.keep(request, {value});
    return value;
  }
}
