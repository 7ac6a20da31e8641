/**
 * A compaction endpoint in place of a summariser: a service that is sent the beginning of a conversation and answers with
 * the contents that stand for it. A `Compactor` is the one class that such a service takes.
 *
 * Each argument is one message of the user; `/compact` folds at the next one, however much room is left.
 */
import {Gemini, LlmAgent, Runner} from '@google/adk';
import type {Content} from '@google/genai';
import {CompactionPlugin, type Compactor, type CompactResponse} from '../src/index.ts';
import {openSqliteStore} from '../src/sqlite.ts';

/** Speaks to an endpoint that takes `{model?, contents}` as JSON and answers `{contents, summary?, usage?, responseId?}`. */
class HttpCompactor implements Compactor {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Whatever this throws is a failed fold: recorded, not asked for again for a while, and the agent's call goes out all the
   * same. The signal covers the turn's abort and `fold.timeoutMs`.
   */
  async compact(
    request: {model?: string; contents: Content[]},
    {signal}: {signal?: AbortSignal},
  ): Promise<CompactResponse> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify(request),
      signal: signal ?? null,
    });
    if (!response.ok) {
      throw new EndpointError(response.status);
    }
    const body = (await response.json()) as Partial<CompactResponse>;
    // An answer without contents is a failed fold too, so there is nothing more to check here.
    return {...body, contents: body.contents ?? []};
  }
}

/** The record of a failed fold names the `status` of what was thrown, and nothing else of it. */
class EndpointError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The compaction endpoint answered with status ${status}.`);
    this.status = status;
  }
}

const store = openSqliteStore(process.env.DATABASE ?? 'agent.db');
const plugin = new CompactionPlugin({
  policy: {contextTokens: 200_000},
  store: store.compaction,
  fold: {
    summarizer: new HttpCompactor(process.env.COMPACTION_URL ?? 'http://127.0.0.1:8080/compact'),
    keepLast: 4,
  },
  onRecord: (record) => console.log(record.kind === 'failed-fold' ? `no fold: ${record.reason}` : record.kind),
});
const agent = new LlmAgent({name: 'helper', model: new Gemini({model: 'gemini-2.5-flash'})});
const runner = new Runner({appName: 'helpdesk', agent, sessionService: store.sessions, plugins: [plugin]});
const key = {appName: 'helpdesk', userId: 'ann', sessionId: 'one'};

await store.sessions.getOrCreateSession(key);
for (const text of process.argv.slice(2)) {
  if (text === '/compact') {
    plugin.manager.compactNow(key);
    continue;
  }
  for await (const event of runner.runAsync({...key, newMessage: {role: 'user', parts: [{text}]}})) {
    console.log(event.content?.parts?.[0]?.text ?? event.errorMessage);
  }
}
await plugin.manager.close();
store.close();
