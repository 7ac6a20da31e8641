import {cpuMilliseconds, median} from './stopwatch.ts';

/** One contender of a table. */
export interface Contender {
  readonly name: string;
  run(): unknown;
}

/** CPU milliseconds per run of one contender. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly worst: number;
}

/**
 * Runs the contenders in turns, each `rounds` times after a warm-up, so that all of them meet the same
 * machine. Short runs are repeated to last at least 5 ms. What a run returns may be a promise.
 */
export async function interleave(contenders: readonly Contender[], rounds: number): Promise<Timing[]> {
  const prepared: (Contender & {repeat: number; times: number[]})[] = [];
  for (const contender of contenders) {
    prepared.push({...contender, repeat: await repeatsFor(contender), times: []});
  }
  for (let round = 0; round < rounds; round++) {
    for (const {run, repeat, times} of prepared) {
      times.push(await time(run, repeat));
    }
  }
  return prepared.map(({name, times}) => ({name, median: median(times), worst: Math.max(...times)}));
}

const WARM_UP_MS = 300;
const SHORTEST_MS = 5;

async function repeatsFor({run}: Contender): Promise<number> {
  const end = cpuMilliseconds() + WARM_UP_MS;
  let last = await time(run, 1);
  while (cpuMilliseconds() < end) {
    last = await time(run, 1);
  }
  return Math.max(1, Math.ceil(SHORTEST_MS / last));
}

async function time(run: () => unknown, repeat: number): Promise<number> {
  const start = cpuMilliseconds();
  for (let count = 0; count < repeat; count++) {
    const result = run();
    if (result instanceof Promise) {
      await result;
    }
  }
  return (cpuMilliseconds() - start) / repeat;
}

/** Median of the second-named contender over that of the first-named. */
export function ratio(timings: readonly Timing[], name: string, to: string): number {
  const of = (wanted: string): number => timings.find((timing) => timing.name === wanted)?.median ?? Number.NaN;
  return of(name) / of(to);
}

/** Prints the timings, each with its ratio to the first. */
export function printTable(title: string, timings: readonly Timing[]): void {
  const first = timings[0]?.median ?? Number.NaN;
  console.log(`\n${title}; CPU time`);
  for (const {name, median: middle, worst} of timings) {
    const share = (middle / first).toFixed(3).padStart(8);
    console.log(`  ${name.padEnd(44)} ${middle.toFixed(3).padStart(10)} ms ${share} x   worst ${worst.toFixed(3)} ms`);
  }
}
