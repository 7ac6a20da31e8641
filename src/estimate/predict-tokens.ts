import type {LlmRequest} from '@google/adk';
import {readItems, readMember} from '../json/read-member.ts';
import {contentCost} from './content-cost.ts';
import {predictEnvelope} from './predict-envelope.ts';
import {sumPredictions, tokensOf} from './prediction.ts';

/**
 * Tokens the provider is predicted to report as `promptTokenCount` for this request, from features of its texts and its
 * structure, corrected by nothing that was reported. An integer of at least 0; the same request always gives the same
 * figure. Never throws.
 */
export function predictTokens(request: LlmRequest): number {
  const contents = readItems(readMember(request, 'contents')) ?? [];
  const model = readMember(request, 'model');
  return tokensOf(
    sumPredictions(contents.map(contentCost), predictEnvelope(request)),
    typeof model === 'string' ? model : undefined,
  );
}
