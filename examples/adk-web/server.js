/** ADK's development server and its UI, on sessions that are still there after a restart. */
import {fileURLToPath} from 'node:url';
import {AdkApiServer} from '@google/adk-devtools';
import {store} from './store.js';

const server = new AdkApiServer({
  agentsDir: fileURLToPath(new URL('agents', import.meta.url)),
  // Left to itself, the server bundles each agent with everything it imports: a second ADK, a second store.
  agentFileLoadOptions: {compile: false, bundle: false},
  sessionService: store.sessions,
  serveDebugUI: true,
  host: '127.0.0.1',
  port: Number(process.env.PORT ?? 8000),
});

process.once('exit', () => store.close());
process.once('SIGTERM', () => process.exit()); // the server itself ends the process on SIGINT
await server.start();
