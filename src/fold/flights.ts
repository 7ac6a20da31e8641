/** Work in progress and how many callers wait for it. */
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
    flight.callers += 1;
    try {
      return {result: await endedOrAborted(flight.ended, signal), isOwn: !shared};
    } catch (error) {
      if (signal?.aborted && flight.callers === 1) {
        this.#forget(key, flight);
        flight.controller.abort(signal.reason);
        await flight.ended;
      }
      throw error;
    } finally {
      flight.callers -= 1;
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

  /** An aborted flight takes no more callers. */
  #forget(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) {
      this.#flights.delete(key);
    }
  }
}

async function endedOrAborted<Result>(ended: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) {
    return ended;
  }
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) {
      onAbort();
    } else {
      signal.addEventListener('abort', onAbort, {once: true});
    }
  });
  try {
    return await Promise.race([aborted, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
