import {get, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {describe, expect, it, onTestFinished} from 'vitest';
import {type LiveSessions, liveReportHandler} from '../../src/report/handler.ts';
import {listen} from '../../src/report/listen.ts';
import type {SessionView} from '../../src/report/view.ts';
import type {SessionKey} from '../../src/session-key.ts';

const NAMES: SessionKey[] = [
  {appName: 'app', userId: 'ann', sessionId: 's1'},
  {appName: 'app', userId: 'bob', sessionId: 's1'},
];

/** Sessions that can be changed, with a count of how often a view was made. */
class FakeSessions implements LiveSessions {
  made = 0;
  calls = 1;
  #version = 0;

  change(): void {
    this.#version += 1;
  }

  version(): string {
    return String(this.#version);
  }

  names(): SessionKey[] {
    return NAMES;
  }

  async view(name: SessionKey): Promise<SessionView> {
    this.made += 1;
    const call = {time: 1, agent: 'a', model: 'm'};
    const calls = Array.from({length: this.calls}, () => call);
    return {name, origin: 'store', calls, cuts: [], failedFolds: [], backOffs: [], shares: []};
  }
}

function serve(sessions: LiveSessions): Promise<string> {
  return serveHandler(liveReportHandler(sessions));
}

async function serveHandler(handler: (request: Request) => Promise<Response>): Promise<string> {
  const server: Server = await listen(handler, 0);
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the live report', () => {
  it('gives the page, which may ask its own server and nobody else', async () => {
    const response = await fetch(`${await serve(new FakeSessions())}/`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain("connect-src 'self'");
  });

  it('gives the session that is asked for, and the first one otherwise', async () => {
    const url = await serve(new FakeSessions());
    const asked = await fetch(`${url}/view.json?app=app&user=bob&session=s1`);
    expect(await asked.json()).toMatchObject({isLive: true, sessions: NAMES, views: [{name: NAMES[1]}]});
    const unknown = await fetch(`${url}/view.json?app=app&user=nobody&session=s1`);
    expect(await unknown.json()).toMatchObject({views: [{name: NAMES[0]}]});
  });

  it('has nothing new to tell until something changed', async () => {
    const sessions = new FakeSessions();
    const url = `${await serve(sessions)}/view.json`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    const again = (): Promise<Response> => fetch(url, {headers: {'if-none-match': etag}});
    expect((await again()).status).toBe(304);
    expect(sessions.made).toBe(1);
    sessions.change();
    expect((await again()).status).toBe(304);
    sessions.change();
    sessions.calls = 2;
    const news = await again();
    expect(news.status).toBe(200);
    expect(((await news.json()) as {views: SessionView[]}).views[0]?.calls).toHaveLength(2);
  });

  it.each([
    ['another path', 'GET', '/etc/passwd', {}, 404],
    ['a method that writes', 'POST', '/', {}, 405],
    ['a name of some web site', 'GET', '/view.json', {host: 'evil.example'}, 403],
    ['a name that begins like this machine', 'GET', '/', {host: '127.0.0.1.evil.example'}, 403],
  ])('refuses %s', async (_, method, path, headers, status) => {
    const handler = liveReportHandler(new FakeSessions());
    const request = new Request(`http://127.0.0.1${path}`, {method, headers: {host: '127.0.0.1', ...headers}});
    expect((await handler(request)).status).toBe(status);
  });

  it('sees through its server the host that a request names, as a Request of its own', async () => {
    let seen: Request | undefined;
    const handler = liveReportHandler(new FakeSessions());
    const url = await serveHandler((request) => {
      seen = request;
      return handler(request);
    });
    const status = await new Promise((resolve) => {
      get(url, {headers: {host: 'evil.example', 'x-list': ['a', 'b']}}, (response) =>
        resolve(response.resume().statusCode),
      );
    });
    expect([status, seen?.headers.get('host'), seen?.headers.get('x-list')]).toEqual([403, 'evil.example', 'a, b']);
    expect(seen?.headers).toBeInstanceOf(Headers);
  });

  it('answers 500 with what went wrong, and goes on', async () => {
    let fails = true;
    const sessions = new FakeSessions();
    const view = sessions.view.bind(sessions);
    sessions.view = async (name) => {
      if (fails) {
        throw new Error('The file is gone.');
      }
      return await view(name);
    };
    const url = `${await serve(sessions)}/view.json`;
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([500, 'The file is gone.\n']);
    fails = false;
    expect((await fetch(url)).status).toBe(200);
  });
});
