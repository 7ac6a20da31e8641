import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import type {Browser, BrowserContextOptions, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it, onTestFinished} from 'vitest';
import {liveReportHandler} from '../../src/report/handler.ts';
import {listen} from '../../src/report/listen.ts';
import {staticReport} from '../../src/report/make-report.ts';
import type {CutView, SessionView} from '../../src/report/view.ts';
import {hasChromium, launchChromium} from '../support/chromium.ts';
import {temporaryFolder} from '../support/temporary-folder.ts';
import {CALLS, fullView, START} from './full-view.ts';
import {HOSTILE} from './hostile.ts';

const artifacts = fileURLToPath(new URL('../../test-artifacts/report/', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/images/', import.meta.url));

const EMPTY: SessionView = {
  name: {appName: 'helpdesk', userId: 'ann', sessionId: 'new'},
  origin: 'recording',
  calls: [],
  cuts: [],
  failedFolds: [],
  backOffs: [],
  shares: [],
};

// In CI a browser must be there: without one the run would be green and nothing would have been looked at.
describe.skipIf(!hasChromium && process.env.CI !== 'true')(
  'the page in a browser (skipped where there is no Chromium)',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
      mkdirSync(artifacts, {recursive: true});
    });
    afterAll(() => browser.close());

    /** Opens a report from a file and notes all that a page should not do. */
    async function open(
      views: readonly SessionView[],
      options: BrowserContextOptions = {},
    ): Promise<{page: Page; offences: string[]}> {
      const path = join(temporaryFolder(), 'report.html');
      writeFileSync(path, staticReport(views, START));
      const context = await browser.newContext({viewport: {width: 1180, height: 900}, ...options});
      const page = await context.newPage();
      const offences: string[] = [];
      page.on('console', (message) => offences.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => offences.push(error.message));
      page.on('dialog', (dialog) => {
        offences.push('dialog');
        void dialog.dismiss();
      });
      const url = pathToFileURL(path).href;
      page.on('request', (request) => {
        if (request.url() !== url && !request.url().startsWith('data:')) {
          offences.push(`request: ${request.url()}`);
        }
      });
      await page.goto(url);
      return {page, offences};
    }

    /** Colours of a chart that are not its background: proof that something was drawn. */
    function inkOf(page: Page, chart: number): Promise<number> {
      return page
        .locator('canvas')
        .nth(chart)
        .evaluate((node) => {
          const canvas = node as unknown as {
            width: number;
            height: number;
            getContext(kind: '2d'): {
              getImageData(x: number, y: number, w: number, h: number): {data: Uint8ClampedArray};
            };
          };
          const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          let drawn = 0;
          for (let index = 3; index < data.length; index += 4) {
            drawn += (data[index] ?? 0) > 0 ? 1 : 0;
          }
          return drawn / (data.length / 4);
        });
    }

    it.each(['light', 'dark'] as const)(
      'draws every chart and table, calls nobody and complains of nothing, %s',
      async (colorScheme) => {
        const {page, offences} = await open([fullView()], {colorScheme});
        expect(await page.locator('h2').allTextContents()).toEqual([
          'Context over model calls',
          'Expected against reported',
          'Cache-stable share',
          'Policies side by side',
          'What was cut',
          'Folds that failed',
          'Where the tokens are',
        ]);
        expect(await page.locator('canvas').count()).toBe(4);
        for (const chart of [0, 1, 2, 3]) {
          expect(await inkOf(page, chart)).toBeGreaterThan(0.02);
        }
        await page.screenshot({path: join(artifacts, `${colorScheme}.png`), fullPage: true});
        // The pictures in docs/ are these, put there when they are asked for.
        if (process.env.UPDATE_SCREENSHOTS) {
          const clip = {x: 0, y: 0, width: 1180, height: 625};
          await page.screenshot({path: join(docs, `report-${colorScheme}.png`), clip});
        }
        expect(offences).toEqual([]);
      },
    );

    it('shows the values and the cuts of the call under the pointer', async () => {
      const view = fullView();
      const {page, offences} = await open([view]);
      const cut = view.cuts[1] as CutView;
      const plot = page.locator('.u-over').first();
      const box = await plot.boundingBox();
      if (box === null) {
        throw new Error('The chart has no box.');
      }
      await page.mouse.move(box.x + (box.width * (cut.call + 0.5)) / CALLS, box.y + box.height / 2);
      const tooltip = page.locator('.tooltip').first();
      await expect.poll(() => tooltip.isVisible()).toBe(true);
      const text = await tooltip.textContent();
      expect(text).toContain(`Call ${cut.call + 1}`);
      expect(text).toContain((view.calls[cut.call]?.reported ?? 0).toLocaleString('en'));
      expect(text).toContain(
        `folded 12 contents: ${cut.tokensBefore.toLocaleString('en')} → ${cut.tokensAfter.toLocaleString('en')}`,
      );
      await page.screenshot({path: join(artifacts, 'hover.png')});
      await page.mouse.move(2, 2);
      await expect.poll(() => tooltip.isVisible()).toBe(false);
      expect(offences).toEqual([]);
    });

    it('leaves what looks like markup a text', async () => {
      const view = fullView({appName: 'helpdesk', userId: HOSTILE.user, sessionId: HOSTILE.session});
      const tools = [{name: HOSTILE.tool, count: 4}];
      const cuts = view.cuts.map((cut) => ({...cut, tools, summary: HOSTILE.summary}));
      const shares = [{kind: 'tool' as const, name: HOSTILE.tool, tokens: 40_000, parts: 52}];
      const {page, offences} = await open([{...view, cuts, shares}, fullView()]);
      expect(await page.title()).toBe('adk-compaction report');
      expect(await page.locator('h1').textContent()).toBe(HOSTILE.session);
      expect(await page.locator('header .note').textContent()).toContain(HOSTILE.user);
      expect(await page.locator('code', {hasText: HOSTILE.tool}).count()).toBe(1);
      await page.locator('details summary').first().click();
      expect(await page.locator('.summary').first().textContent()).toBe(HOSTILE.summary);
      expect(await page.locator('b, img, iframe').count()).toBe(0);
      expect(offences).toEqual([]);
    });

    it('can be read on a phone: nothing but tables is wider than the screen', async () => {
      const {page, offences} = await open([fullView()], {viewport: {width: 390, height: 844}, isMobile: true});
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBe(390);
      expect(await inkOf(page, 0)).toBeGreaterThan(0.02);
      await page.screenshot({path: join(artifacts, 'phone.png'), fullPage: true});
      expect(offences).toEqual([]);
    });

    it('changes between sessions, and says what to do where there is nothing', async () => {
      const {page, offences} = await open([fullView(), EMPTY]);
      await page.locator('select').selectOption({index: 1});
      expect(await page.locator('h1').textContent()).toBe('new');
      expect(await page.locator('canvas').count()).toBe(0);
      const texts = await page.locator('.empty').allTextContents();
      expect(texts).toEqual([
        'No model call is recorded in this session yet.',
        expect.stringContaining('adk-compaction replay FILE --report report.html'),
        'The events of this session are not in the file.',
      ]);
      await page.screenshot({path: join(artifacts, 'empty.png'), fullPage: true});
      expect(offences).toEqual([]);
      const none = await open([]);
      expect(await none.page.locator('.empty').allTextContents()).toEqual(['There is no session in this file yet.']);
      expect(none.offences).toEqual([]);
    });

    it('of a live server shows what is new, and keeps a summary open', async () => {
      const view = fullView();
      let shown = 60;
      const server = await listen(
        liveReportHandler({
          version: () => String(shown),
          names: () => [view.name],
          view: async () => ({...view, calls: view.calls.slice(0, shown), cuts: view.cuts.slice(0, 2)}),
        }),
        0,
      );
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      const page = await (await browser.newContext()).newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const calls = page.locator('.figures dd').first();
      expect(await calls.textContent()).toBe('60');
      await page.locator('details summary').first().click();
      shown = 61;
      await expect.poll(() => calls.textContent(), {timeout: 10_000}).toBe('61');
      expect(await page.locator('details[open]').count()).toBe(1);
      expect(complaints).toEqual([]);
    });

    it('runs no script but its own', async () => {
      const path = join(temporaryFolder(), 'report.html');
      const html = staticReport([fullView()], START).replace(
        '</main>',
        '</main><script>document.title = "owned"</script>',
      );
      writeFileSync(path, html);
      const page = await (await browser.newContext()).newPage();
      await page.goto(pathToFileURL(path).href);
      expect(await page.locator('canvas').count()).toBe(4);
      expect(await page.title()).toBe('adk-compaction report');
    });
  },
);

describe('the page', () => {
  it('names no address, and its policy allows no connection', () => {
    const html = staticReport([fullView()], START);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain("connect-src 'none'");
    expect(html).not.toMatch(/(src|href)="(?!data:)/u);
  });

  it('is small, and carries the licence of what it draws with', () => {
    const html = staticReport([], START);
    expect(html.length).toBeLessThan(100_000);
    const licence = readFileSync(new URL('../../node_modules/uplot/LICENSE', import.meta.url), 'utf8');
    expect(html).toContain(licence.split('\n')[2]);
  });

  it('holds no text of a session that could end its element', () => {
    const name = {appName: HOSTILE.tool, userId: HOSTILE.user, sessionId: HOSTILE.session};
    const html = staticReport([fullView(name)], START);
    const data = /<script type="application\/json" id="view">(.*?)<\/script>/su.exec(html)?.[1] ?? '';
    expect(data).not.toContain('<');
    expect(JSON.parse(data)).toMatchObject({sessions: [name]});
  });
});
