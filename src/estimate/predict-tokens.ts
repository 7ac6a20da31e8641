import type {LlmRequest} from '@google/adk';
import {predictContent, predictEnvelope, predictedTokens, totalPrediction} from './prediction.ts';

/**
 * Tokens the provider will report as `promptTokenCount` for this request, predicted from features of its texts and not
 * corrected by anything reported. An integer of at least 0; the same request always gives the same figure. Never throws.
 */
export function predictTokens(request: LlmRequest): number {
  const contents = Array.isArray(request?.contents) ? request.contents : [];
  return predictedTokens(totalPrediction(predictEnvelope(request), contents.map(predictContent)), request?.model);
}
