import {existsSync} from 'node:fs';
import {type Browser, chromium} from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Whether there is a Chromium to start: Debian's, or the one that `CHROMIUM_PATH` names. */
export const hasChromium: boolean = existsSync(executablePath);

/** Starts a headless Chromium that calls nobody of its own accord. Each has a profile of its own. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
