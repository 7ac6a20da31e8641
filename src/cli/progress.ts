import {Presets, SingleBar} from 'cli-progress';

/** A progress bar on stderr, where that is a terminal; elsewhere nothing. */
export interface Progress {
  advance(): void;
  stop(): void;
}

export function startProgress(what: string, total: number): Progress {
  if (!process.stderr.isTTY) {
    return {advance: () => {}, stop: () => {}};
  }
  const bar = new SingleBar(
    {format: `${what} {bar} {value} of {total}`, hideCursor: true, clearOnComplete: true, stream: process.stderr},
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return {advance: () => bar.increment(), stop: () => bar.stop()};
}
