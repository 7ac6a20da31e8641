import {BaseLlm, type BaseLlmConnection, type LlmResponse} from '@google/adk';
import {FinishReason} from '@google/genai';

/** A summariser that costs nothing. */
export class ShortSummaries extends BaseLlm {
  constructor() {
    super({model: 'short-summaries'});
  }

  async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    yield {
      content: {role: 'model', parts: [{text: 'Many files were read. '.repeat(40)}]},
      finishReason: FinishReason.STOP,
    };
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('Not part of the benchmark.'));
  }
}
