/** Work in progress and how many callers still want it. */
interface Flight<Result> {
  readonly controller: AbortController;
  readonly ended: Promise<Result>;
  callers: number;
}

/**
 * Single flight: callers with the same key share one piece of work and its outcome. The work is aborted only when all its
 * callers have left.
 */
export class Flights<Result> {
  readonly #flights = new Map<string, Flight<Result>>();

  /**
   * Joins the work under `key`, or starts it; `''` is never shared. A caller whose signal aborts leaves at once with the
   * signal's reason; the last one to leave aborts the work and waits until it has wound up.
   */
  async share(
    key: string,
    start: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<{readonly result: Result; readonly isOwn: boolean}> {
    const shared = this.#flights.get(key);
    const flight = shared ?? this.#launch(key, start);
    const isOwn = !shared;
    flight.callers += 1;
    if (!signal) {
      return {result: await flight.ended, isOwn};
    }
    let leave = (): void => {};
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        flight.callers -= 1;
        if (flight.callers > 0) {
          reject(signal.reason);
        } else {
          this.#forget(key, flight);
          flight.controller.abort(signal.reason);
        }
      };
    });
    signal.addEventListener('abort', leave, {once: true});
    if (signal.aborted) {
      leave();
    }
    try {
      const result = await Promise.race([flight.ended, left]);
      signal.throwIfAborted();
      return {result, isOwn};
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #launch(key: string, start: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const controller = new AbortController();
    const work = Promise.resolve(controller.signal).then(start);
    const flight: Flight<Result> = {
      controller,
      ended: work.finally(() => this.#forget(key, flight)),
      callers: 0,
    };
    if (key !== '') {
      this.#flights.set(key, flight);
    }
    return flight;
  }

  /** An aborted or ended flight takes no more callers. */
  #forget(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) {
      this.#flights.delete(key);
    }
  }
}
