/**
 * The least a model's endpoint does, in a process of its own: takes the request in and asks for one more file, until it was
 * asked `calls` times. Prints its address. `node bench/gemini-endpoint.mjs <calls>`
 */
import {createServer} from 'node:http';

const BYTES_PER_TOKEN = 4;
const calls = Number(process.argv[2]);
let done = 0;

createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    done += 1;
    const part = done === calls ? {text: 'Done.'} : {functionCall: {name: 'read', args: {path: `src/file-${done}.ts`}}};
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        candidates: [{content: {role: 'model', parts: [part]}, finishReason: 'STOP'}],
        usageMetadata: {promptTokenCount: Math.ceil(bytes / BYTES_PER_TOKEN)},
      }),
    );
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
