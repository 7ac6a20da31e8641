import {appendFileSync} from 'node:fs';

/** A promise of the documentation, and what was measured. */
export interface Limit {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  readonly bound: 'at most' | 'at least';
  /** Such as `x`, `ms` or `%`. */
  readonly unit: string;
}

/** Prints a limit with what was measured, and hands it to `bench/run.mjs` for the table at the end. */
export function report(limit: Limit): void {
  console.log(`  ${isHeld(limit) ? 'pass' : 'MISS'}  ${limit.name}: ${figure(limit)} (${bound(limit)})`);
  const {BENCH_LIMITS: path} = process.env;
  if (path !== undefined) {
    appendFileSync(path, `${JSON.stringify(limit)}\n`);
  }
}

export function isHeld({measured, limit, bound: side}: Limit): boolean {
  return side === 'at most' ? measured <= limit : measured >= limit;
}

function figure({measured, unit}: Limit): string {
  return `${measured.toPrecision(3)} ${unit}`;
}

function bound({limit, bound: side, unit}: Limit): string {
  return `${side} ${limit} ${unit}`;
}
