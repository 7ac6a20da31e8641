import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Content, GenerationConfig, Tool} from '@google/genai';
import {byteTokenCounter} from './count-tokens.ts';
import {blockedResponse, errorBody, streamedResponses, type WireResponse, wholeResponse} from './gemini-responses.ts';
import {requestFaults} from './request-faults.ts';
import {type Script, scriptedReply} from './script.ts';

/** Options of `startGeminiServer`. */
export interface GeminiServerOptions {
  /** What the model answers. Not asked for requests that are refused. */
  readonly script: Script<GeminiRequest>;
  /** Requests that count more tokens are refused with the API's own sentence. Default 1,048,576. */
  readonly contextTokens?: number | undefined;
  /** The true token count of a request. Default `byteTokenCounter(4)`. */
  readonly countTokens?: ((body: GeminiRequestBody) => number) | undefined;
}

/** The members of a request body that matter here; the rest is kept too. */
export interface GeminiRequestBody {
  readonly contents: Content[];
  readonly systemInstruction?: Content;
  readonly tools?: readonly Tool[];
  readonly generationConfig?: GenerationConfig;
}

/** One request that came in. */
export interface GeminiRequest extends GeminiRequestBody {
  /** Model name from the path, without `models/`. */
  readonly model: string;
  readonly streamed: boolean;
  /** The body as received, byte for byte. */
  readonly text: string;
  /** By `countTokens`. */
  readonly promptTokens: number;
  /** Why it was refused, one sentence each; empty when it was accepted. */
  readonly faults: readonly string[];
}

/** A running server. */
export interface GeminiServer {
  /** Base URL for `httpOptions.baseUrl` or the variable `GOOGLE_GEMINI_BASE_URL`. */
  readonly url: string;
  /** Every request so far, refused ones too, in the order they came. */
  readonly requests: readonly GeminiRequest[];
  /** Stops listening and breaks what is still open, hanging calls included. */
  close(): Promise<void>;
}

/**
 * Starts a local stand-in for the Gemini API on 127.0.0.1 and a free port. It speaks `generateContent` and
 * `streamGenerateContent` as `@google/genai` calls them, refuses with HTTP 400 what the API would refuse
 * (`requestFaults`, the context window), reports usage, and answers by a script.
 *
 *     const server = await startGeminiServer({script: [model('Hello.')]});
 *     const client = new GoogleGenAI({apiKey: 'none', httpOptions: {baseUrl: server.url}});
 */
export async function startGeminiServer(options: GeminiServerOptions): Promise<GeminiServer> {
  const {script, contextTokens = 1_048_576, countTokens = byteTokenCounter(4)} = options;
  const requests: GeminiRequest[] = [];
  let accepted = 0;

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => sendError(outgoing, 500, String(error)));
  });

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = /^\/[^/]+\/(?:models\/)?([^:?]+):(generateContent|streamGenerateContent)(?:\?|$)/.exec(
      incoming.url ?? '',
    );
    const [, model, method] = call ?? [];
    if (incoming.method !== 'POST' || !model) {
      return sendError(outgoing, 404, `${incoming.method} ${incoming.url} is not known here.`);
    }
    const text = await readText(incoming);
    const body = parseBody(text);
    if (!body) {
      return sendError(outgoing, 400, 'Invalid JSON payload received.');
    }

    const promptTokens = countTokens(body);
    const faults = requestFaults(body.contents);
    if (promptTokens > contextTokens) {
      faults.push(
        `The input token count (${promptTokens}) exceeds the maximum number of tokens allowed (${contextTokens}).`,
      );
    }
    const request: GeminiRequest = {
      ...body,
      model,
      streamed: method === 'streamGenerateContent',
      text,
      promptTokens,
      faults,
    };
    requests.push(request);
    if (faults.length > 0) {
      return sendError(outgoing, 400, faults.join('\n'));
    }
    await answer(request, accepted++, outgoing);
  }

  async function answer(request: GeminiRequest, callIndex: number, outgoing: ServerResponse): Promise<void> {
    const reply = await scriptedReply(script, request, callIndex);
    switch (reply.kind) {
      case 'answer':
        return request.streamed
          ? sendStream(outgoing, streamedResponses(reply, request.promptTokens))
          : sendJson(outgoing, 200, wholeResponse(reply, request.promptTokens));
      case 'blocked': {
        const response = blockedResponse(reply.reason, request.promptTokens);
        return request.streamed ? sendStream(outgoing, [response]) : sendJson(outgoing, 200, response);
      }
      case 'error':
        return sendError(outgoing, reply.status, reply.message);
      case 'cut':
        return sendCut(outgoing, request, streamedResponses({...reply, kind: 'answer'}, request.promptTokens));
      case 'hang':
        return;
    }
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseBody(text: string): GeminiRequestBody | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) {
      return undefined;
    }
    return {...body, contents: 'contents' in body && Array.isArray(body.contents) ? body.contents : []};
  } catch {
    return undefined;
  }
}

function sendJson(outgoing: ServerResponse, status: number, body: object): void {
  outgoing.writeHead(status, {'content-type': 'application/json; charset=UTF-8'}).end(JSON.stringify(body));
}

function sendError(outgoing: ServerResponse, status: number, message?: string): void {
  sendJson(outgoing, status, errorBody(status, message));
}

function sendStream(outgoing: ServerResponse, responses: readonly WireResponse[]): void {
  outgoing.writeHead(200, {'content-type': 'text/event-stream'}).end(responses.map(serverSentEvent).join(''));
}

/** Sends the first half of the answer, then breaks the connection. */
function sendCut(outgoing: ServerResponse, request: GeminiRequest, responses: readonly WireResponse[]): void {
  const wire = request.streamed ? responses.map(serverSentEvent).join('') : JSON.stringify(responses[0]);
  outgoing.writeHead(200, {'content-type': request.streamed ? 'text/event-stream' : 'application/json'});
  outgoing.write(wire.slice(0, Math.ceil(wire.length / 2)), () => outgoing.destroy());
}

function serverSentEvent(response: WireResponse): string {
  return `data: ${JSON.stringify(response)}\r\n\r\n`;
}
