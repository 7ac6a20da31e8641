import type {Content} from '@google/genai';

/**
 * The user content that stands for a summary: the line `Summary of the conversation so far:`, a blank line, the trimmed
 * summary.
 */
export function summaryContent(summary: string): Content {
  return {role: 'user', parts: [{text: `Summary of the conversation so far:\n\n${summary.trim()}`}]};
}
