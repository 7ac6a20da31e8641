import {execFile} from 'node:child_process';
import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {Page} from 'playwright-core';
import {describe, expect, it, onTestFinished} from 'vitest';
import {model, user} from '../../src/testing/build-request.ts';
import {startGeminiServer} from '../../src/testing/gemini-server.ts';
import {hasChromium, launchChromium} from '../support/chromium.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {EXAMPLE_FOLDER, WebServer} from './web-server.ts';

const isInstalled = existsSync(join(EXAMPLE_FOLDER, 'node_modules'));
const isCi = Boolean(process.env.CI);
const PATIENCE = {timeout: 30_000};
const SCREENSHOTS = join(import.meta.dirname, '../../test-artifacts/adk-web');

describe.skipIf(!isInstalled && !isCi)('the adk web example (npm ci --prefix examples/adk-web)', () => {
  it('shares one ADK with the server: its service and its plugins are of the classes that the server knows', async () => {
    const program = `
      import {createRequire} from 'node:module';
      import {BasePlugin, BaseSessionService} from '@google/adk';
      import {app} from './agents/helpdesk/app.js';
      import {store} from './store.js';
      const {resolve} = createRequire(process.cwd() + '/server.js');
      const owners = ['@google/adk-devtools', 'adk-compaction'].map((name) => createRequire(resolve(name)));
      console.log(JSON.stringify({
        copies: new Set([resolve, ...owners.map((owner) => owner.resolve)].map((find) => find('@google/adk'))).size,
        service: store.sessions instanceof BaseSessionService,
        plugins: app.plugins.map((plugin) => plugin instanceof BasePlugin),
      }));
    `;
    expect(await runInExample(program, ':memory:')).toEqual({copies: 1, service: true, plugins: [true]});
  });

  it.skipIf(!hasChromium && !isCi)(
    'keeps a conversation in the browser over a restart of the server',
    {timeout: 120_000},
    async () => {
      const script = [model('At nine.'), model('At six.'), model('On Sundays.')];
      const gemini = await startGeminiServer({script});
      onTestFinished(() => gemini.close());
      const database = join(temporaryFolder(), 'agent.db');
      const first = await startWebServer({database, modelUrl: gemini.url});
      const page = await openPage(first.url);

      await page.goto(`${first.url}/dev-ui/?app=helpdesk`);
      await say(page, 'When does the library open?', 'At nine.');
      await say(page, 'And close?', 'At six.');
      await screenshot(page, 'before-restart');
      const {searchParams} = new URL(page.url());
      const key = {
        appName: 'helpdesk',
        userId: searchParams.get('userId') ?? '',
        sessionId: searchParams.get('session') ?? '',
      };

      expect(await first.stop()).toBe(0);
      const second = await startWebServer({database, modelUrl: gemini.url, port: first.port});
      await page.reload();
      await expect
        .poll(() => bubbles(page), PATIENCE)
        .toEqual(['When does the library open?', 'At nine.', 'And close?', 'At six.']);
      await screenshot(page, 'after-restart');

      await say(page, 'When is it closed?', 'On Sundays.');
      expect(gemini.requests[2]?.contents).toEqual([
        user('When does the library open?'),
        model('At nine.'),
        user('And close?'),
        model('At six.'),
        user('When is it closed?'),
      ]);

      expect(await second.stop()).toBe(0);
      const stored = `
        import {store} from './store.js';
        const key = ${JSON.stringify(key)};
        const {events} = await store.sessions.getSession(key);
        const calibrations = await store.compaction.calibrations(key);
        console.log(JSON.stringify({events: events.length, calibrations: calibrations.length}));
      `;
      expect(await runInExample(stored, database)).toEqual({events: 6, calibrations: 3}); // the plugin saw every call
      expect(first.output + second.output).not.toMatch(/error/i);
    },
  );
});

/** Runs a program in the example's folder, with its packages, and gives back the JSON it printed. */
async function runInExample(program: string, database: string): Promise<unknown> {
  const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: EXAMPLE_FOLDER,
    env: {...process.env, DATABASE: database, GOOGLE_GENAI_API_KEY: 'local'},
  });
  return JSON.parse(stdout);
}

async function startWebServer(options: Parameters<typeof WebServer.start>[0]): Promise<WebServer> {
  const server = await WebServer.start(options);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** A page that reaches the server at `origin` only. The test fails when one of the server's answers or a script does. */
async function openPage(origin: string): Promise<Page> {
  const browser = await launchChromium();
  const page = await browser.newPage({viewport: {width: 1280, height: 800}});
  await page.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  );
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // What a script complains of; what could not be loaded is a response below. Traces are lost with the server that kept them.
    const isOfScript = message.type() === 'error' && message.location().url.endsWith('.js');
    if (isOfScript && !message.text().includes('getTrace')) {
      faults.push(message.text());
    }
  });
  page.on('response', (response) => {
    const {pathname} = new URL(response.url());
    // What this UI asks under /dev, for evaluations and for the visual builder, this server does not have.
    if (response.status() >= 400 && !pathname.startsWith('/dev/')) {
      faults.push(`${response.status()} ${pathname}`);
    }
  });
  onTestFinished(async () => {
    await browser.close();
    expect(faults).toEqual([]);
  });
  return page;
}

async function say(page: Page, message: string, answer: string): Promise<void> {
  const box = page.getByPlaceholder('Type a message...');
  await box.fill(message);
  await box.press('Enter');
  await expect.poll(async () => (await bubbles(page)).slice(-2), PATIENCE).toEqual([message, answer]);
}

/** The conversation as it stands on the page, questions and answers in turn. */
async function bubbles(page: Page): Promise<string[]> {
  return (await page.locator('app-content-bubble').allInnerTexts()).map((text) => text.trim());
}

async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, {recursive: true});
  await page.screenshot({path: join(SCREENSHOTS, `${name}.png`)});
}
