import {createServer, type IncomingMessage, type Server} from 'node:http';

/** Serves a handler on 127.0.0.1 and resolves to the server once it listens. Rejects when the port is taken. */
export function listen(handler: (request: Request) => Promise<Response>, port: number): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const response = await handler(toRequest(incoming));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(incoming.method === 'HEAD' ? undefined : await response.text());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      outgoing.writeHead(500, {'content-type': 'text/plain; charset=utf-8'}).end(`${message}\n`);
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function toRequest({url = '/', method = 'GET', headers}: IncomingMessage): Request {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, 'http://127.0.0.1'), {method, headers: list});
}
