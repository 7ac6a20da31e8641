import {readFileSync} from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 8192;

/** How many transactions the log of a database holds: the last frame of each says how long the file is from then on. */
export function transactionsIn(path: string): number {
  const log = readFileSync(`${path}-wal`);
  let count = 0;
  for (let frame = HEADER_BYTES; frame < log.length; frame += FRAME_HEADER_BYTES + PAGE_BYTES) {
    count += log.readUInt32BE(frame + 4) > 0 ? 1 : 0;
  }
  return count;
}
