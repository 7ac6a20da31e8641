import type {BaseLlm, LlmRequest, LlmResponse} from '@google/adk';
import {predictTokens} from '../estimate/predict-tokens.ts';

const SHARE_OF_MATERIAL = 0.1;
const SUMMARY_TOKENS = {fewest: 200, most: 1500};
const SENTENCE = 'This sentence stands for what a summary would say about the work that was done here. ';

/**
 * Stands for the model that writes summaries, and calls none: its answer is a text of a tenth of what it is given, from 200
 * to 1,500 tokens, with usage to match.
 */
export function dryRunSummarizer(): BaseLlm {
  const model = {
    model: 'dry-run',
    async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
      const promptTokenCount = predictTokens(request);
      const wanted = Math.min(
        Math.max(Math.round(SHARE_OF_MATERIAL * promptTokenCount), SUMMARY_TOKENS.fewest),
        SUMMARY_TOKENS.most,
        request.config?.maxOutputTokens ?? SUMMARY_TOKENS.most,
      );
      const text = SENTENCE.repeat(Math.ceil(wanted / sentenceTokens())).trimEnd();
      yield {
        content: {role: 'model', parts: [{text}]},
        finishReason: 'STOP' as NonNullable<LlmResponse['finishReason']>,
        usageMetadata: {
          promptTokenCount,
          candidatesTokenCount: wanted,
          totalTokenCount: promptTokenCount + wanted,
        },
      };
    },
  };
  // The fold asks nothing else of a model.
  return model as unknown as BaseLlm;
}

function sentenceTokens(): number {
  const tokens = (text: string): number =>
    predictTokens({contents: [{role: 'user', parts: [{text}]}], toolsDict: {}, liveConnectConfig: {}});
  return tokens(SENTENCE.repeat(2)) - tokens(SENTENCE);
}
