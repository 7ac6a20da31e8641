import {createHash} from 'node:crypto';
import {type SessionKey, sessionKeyText} from '../session-key.ts';
import {reportPage} from './page.ts';
import type {ReportView, SessionView} from './view.ts';

/** Where a live page takes its sessions from. */
export interface LiveSessions {
  /** Changes whenever anything that a page shows may have changed. */
  version(): string;
  /** The one last active first. */
  names(): readonly SessionKey[];
  view(name: SessionKey): Promise<SessionView>;
}

const LOCAL_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/u;
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/**
 * Answers the requests of a live page: `/` is the page, `/view.json` the data of one session, `304` when there is nothing
 * new. Refuses every host name but this machine's own, so that no web site can reach it through one.
 */
export function liveReportHandler(sessions: LiveSessions): (request: Request) => Promise<Response> {
  let known:
    | {readonly version: string; readonly query: string; readonly body: string; readonly etag: string}
    | undefined;

  const viewOf = async (query: URLSearchParams): Promise<ReportView> => {
    const names = sessions.names();
    const asked = {
      appName: query.get('app') ?? '',
      userId: query.get('user') ?? '',
      sessionId: query.get('session') ?? '',
    };
    const name = names.find((one) => sessionKeyText(one) === sessionKeyText(asked)) ?? names[0];
    const views = name === undefined ? [] : [await sessions.view(name)];
    return {generatedAt: Date.now(), isLive: true, sessions: names, views};
  };

  const answerView = async (request: Request, query: URLSearchParams): Promise<Response> => {
    const version = sessions.version();
    const text = query.toString();
    if (known?.version !== version || known.query !== text) {
      const view = await viewOf(query);
      const body = JSON.stringify(view);
      const etag = `"${createHash('sha256')
        .update(JSON.stringify({...view, generatedAt: 0}))
        .digest('hex')}"`;
      known = {version, query: text, body, etag};
    }
    const headers = {...HEADERS, etag: known.etag, 'content-type': 'application/json'};
    return request.headers.get('if-none-match') === known.etag
      ? new Response(null, {status: 304, headers})
      : new Response(known.body, {headers});
  };

  return async (request) => {
    const {pathname, searchParams} = new URL(request.url);
    if (!LOCAL_HOST.test(request.headers.get('host') ?? '')) {
      return refuse(403, 'This page answers on 127.0.0.1 only.');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, 'This page can only be read.');
    }
    switch (pathname) {
      case '/':
        return new Response(reportPage(await viewOf(searchParams)), {
          headers: {...HEADERS, 'content-type': 'text/html; charset=utf-8'},
        });
      case '/view.json':
        return answerView(request, searchParams);
      default:
        return refuse(404, 'There is nothing here; the page is at /.');
    }
  };
}

function refuse(status: number, message: string): Response {
  return new Response(`${message}\n`, {status, headers: {...HEADERS, 'content-type': 'text/plain; charset=utf-8'}});
}
