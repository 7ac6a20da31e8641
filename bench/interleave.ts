/** One contender of a table. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

/** Milliseconds per run of one contender. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly worst: number;
}

/**
 * Runs the contenders in turns, each `rounds` times after a warm-up, so that all of them meet the same
 * machine. Short runs are repeated to last at least 5 ms.
 */
export function interleave(contenders: readonly Contender[], rounds: number): Timing[] {
  const prepared = contenders.map((contender) => ({
    ...contender,
    repeat: repeatsFor(contender),
    times: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const {run, repeat, times} of prepared) times.push(time(run, repeat));
  }
  return prepared.map(({name, times}) => {
    times.sort((left, right) => left - right);
    return {name, median: times[times.length >> 1] ?? Number.NaN, worst: times.at(-1) ?? Number.NaN};
  });
}

const WARM_UP_MS = 200;

function repeatsFor({run}: Contender): number {
  const end = performance.now() + WARM_UP_MS;
  let last = time(run, 1);
  while (performance.now() < end) last = time(run, 1);
  return Math.max(1, Math.ceil(5 / last));
}

function time(run: () => unknown, repeat: number): number {
  const start = performance.now();
  for (let count = 0; count < repeat; count++) run();
  return (performance.now() - start) / repeat;
}

/** Prints the timings, each with its ratio to the first. */
export function printTable(title: string, timings: readonly Timing[]): void {
  const limit = timings[0]?.median ?? Number.NaN;
  console.log(`\n${title}`);
  for (const {name, median, worst} of timings) {
    const ratio = (median / limit).toFixed(2).padStart(6);
    console.log(`  ${name.padEnd(34)} ${median.toFixed(3).padStart(10)} ms ${ratio} x   worst ${worst.toFixed(3)} ms`);
  }
}
