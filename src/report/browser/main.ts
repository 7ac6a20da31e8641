import type {ReportView, SessionView} from '../view.ts';
import {element} from './dom.ts';
import {time} from './format.ts';
import {sessionPage} from './session-page.ts';

const POLL_MS = 2000;

/** The page: which session is shown, and what is known of it. */
class Page {
  readonly #root: HTMLElement;
  #view: ReportView;
  #shown = 0;
  #etag = '';
  #removeCharts: () => void = () => {};

  constructor(root: HTMLElement, view: ReportView) {
    this.#root = root;
    this.#view = view;
    this.#draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
    if (view.isLive) {
      void this.#poll();
    }
  }

  #draw(): void {
    const open = new Set(
      [...this.#root.querySelectorAll('details[open]')].map((node) => node.getAttribute('data-key')),
    );
    this.#removeCharts();
    const {sessions, views, isLive} = this.#view;
    const session = isLive ? views[0] : views[this.#shown];
    const page = session && sessionPage(session);
    this.#root.replaceChildren(
      this.#header(sessions, session),
      page?.node ?? element('p', {class: 'empty'}, 'There is no session in this file yet.'),
    );
    for (const details of this.#root.querySelectorAll('details')) {
      details.open = open.has(details.getAttribute('data-key'));
    }
    this.#removeCharts = page?.start() ?? (() => {});
  }

  #header(sessions: ReportView['sessions'], session: SessionView | undefined): HTMLElement {
    const {generatedAt, isLive} = this.#view;
    const state = isLive ? element('span', {class: 'live'}, 'live') : element('span', {}, `made ${time(generatedAt)}`);
    return element(
      'header',
      {},
      element('p', {class: 'brand'}, element('span', {}, 'adk-compaction'), state),
      element('h1', {}, session?.name.sessionId ?? 'No session'),
      session && element('p', {class: 'note'}, `app ${session.name.appName}, user ${session.name.userId}`),
      sessions.length > 1 ? this.#choice(sessions) : undefined,
    );
  }

  #choice(sessions: ReportView['sessions']): HTMLElement {
    const select = element(
      'select',
      {'aria-label': 'Session'},
      sessions.map(({appName, userId, sessionId}, index) =>
        element('option', {value: String(index)}, `${sessionId} · ${userId} · ${appName}`),
      ),
    );
    select.value = String(this.#shown);
    select.addEventListener('change', () => {
      this.#shown = Number(select.value);
      this.#etag = '';
      if (this.#view.isLive) {
        void this.#refresh();
      } else {
        this.#draw();
      }
    });
    return select;
  }

  async #poll(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      await this.#refresh();
    }
  }

  async #refresh(): Promise<void> {
    const {sessions} = this.#view;
    const name = sessions[this.#shown];
    const query = name
      ? `?${new URLSearchParams({app: name.appName, user: name.userId, session: name.sessionId})}`
      : '';
    try {
      const response = await fetch(`view.json${query}`, {headers: {'if-none-match': this.#etag}});
      document.body.classList.remove('offline');
      if (response.status !== 200) {
        return;
      }
      this.#etag = response.headers.get('etag') ?? '';
      this.#view = (await response.json()) as ReportView;
      const key = JSON.stringify(name);
      this.#shown = Math.max(
        this.#view.sessions.findIndex((one) => JSON.stringify(one) === key),
        0,
      );
      this.#draw();
    } catch {
      // The server is gone; what was seen last stays, greyed, and the next poll may find it again.
      document.body.classList.add('offline');
    }
  }
}

const data = document.getElementById('view')?.textContent ?? '';
const root = document.getElementById('page');
if (root) {
  new Page(root, JSON.parse(data) as ReportView);
}
