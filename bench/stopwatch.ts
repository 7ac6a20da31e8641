import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage now, so that what is measured next pays for its own alone. */
export const collectGarbage = runInNewContext('gc') as () => void;

/**
 * CPU milliseconds this process has used, those of the collector's and the compiler's threads included. Unlike the time on
 * the wall it does not depend on what else the machine is doing.
 */
export function cpuMilliseconds(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The value in the middle; NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that `share` of the others lie below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
