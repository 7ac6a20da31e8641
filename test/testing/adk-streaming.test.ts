import {FunctionTool, Gemini, InMemoryRunner, LlmAgent, LogLevel, StreamingMode, setLogLevel} from '@google/adk';
import {expect, it} from 'vitest';
import {call, model, together} from '../../src/testing/build-request.ts';
import {startGeminiServer} from '../../src/testing/gemini-server.ts';

setLogLevel(LogLevel.ERROR);

it('a streamed tool loop of the real ADK is accepted: a text and the call after it come back as two contents', async () => {
  const server = await startGeminiServer({
    script: [
      together(model('I look at both.'), call('read', {path: 'a'}), call('read', {path: 'b'})),
      call('read', {path: 'c'}),
      model('Done.'),
    ],
  });
  const agent = new LlmAgent({
    name: 'reader',
    model: new Gemini({model: 'gemini-2.5-flash', apiKey: 'none'}),
    tools: [new FunctionTool({name: 'read', description: 'Reads.', execute: () => ({text: 'content'})})],
    generateContentConfig: {httpOptions: {baseUrl: server.url}},
  });
  const runner = new InMemoryRunner({agent, appName: 'app'});
  const session = await runner.sessionService.createSession({appName: 'app', userId: 'u'});
  const texts: unknown[] = [];
  for await (const event of runner.runAsync({
    userId: 'u',
    sessionId: session.id,
    newMessage: {role: 'user', parts: [{text: 'read'}]},
    runConfig: {streamingMode: StreamingMode.SSE},
  })) {
    if (!event.partial) {
      texts.push(event.content?.parts?.[0]?.text);
    }
  }
  await server.close();

  expect(server.requests.map(({streamed, faults}) => [streamed, faults])).toEqual([
    [true, []],
    [true, []],
    [true, []],
  ]);
  expect(server.requests[1]?.contents.map(({role}) => role)).toEqual(['user', 'model', 'model', 'user']);
  expect(texts).toContain('Done.');
});
