import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {DEFAULT_SUMMARY_MAX_OUTPUT_TOKENS} from './defaults.ts';
import {callOption, FoldError} from './fold-errors.ts';
import type {FoldInput} from './fold-input.ts';
import type {FoldSettings} from './fold-options.ts';
import {recordContents} from './record-contents.ts';
import {recordText} from './record-text.ts';

export interface SummaryRequestLimits {
  /** Budget in tokens; the summary may have half of it. */
  readonly budget: number;
  /** The summariser's window in tokens; absent or 0: unlimited. */
  readonly summarizerContextTokens?: number | undefined;
  readonly estimate: (contents: Content[]) => number;
}

/**
 * A fresh request for a summary: the record and the prompt, an output cap, and nothing else. Neither tools nor a system
 * instruction: that is how a host tells a summary call from an agent's call. `editRequest` has the last word.
 *
 * Throws a `FoldError` when the record cannot be brought under the summariser's window.
 */
export function summaryRequest(
  input: FoldInput,
  model: string | undefined,
  settings: FoldSettings,
  limits: SummaryRequestLimits,
): LlmRequest {
  const maxOutputTokens = Math.min(Math.floor(limits.budget / 2), DEFAULT_SUMMARY_MAX_OUTPUT_TOKENS);
  const prompt: Content = {role: 'user', parts: [{text: settings.summaryPrompt}]};
  const inputLimit = limits.summarizerContextTokens
    ? Math.floor(0.9 * limits.summarizerContextTokens) - maxOutputTokens
    : Number.POSITIVE_INFINITY;
  const excess = (material: readonly Content[]): number =>
    inputLimit === Number.POSITIVE_INFINITY ? 0 : limits.estimate([...material, prompt]) - inputLimit;

  const request: LlmRequest = {
    ...(model === undefined ? {} : {model}),
    contents: [...material(input, settings, excess, inputLimit), prompt],
    config: maxOutputTokens > 0 ? {maxOutputTokens} : {},
    liveConnectConfig: {},
    toolsDict: {},
  };
  callOption('editRequest', () => settings.editRequest?.(request));
  return request;
}

function material(
  input: FoldInput,
  settings: FoldSettings,
  excess: (material: readonly Content[]) => number,
  inputLimit: number,
): Content[] {
  const contents = settings.material === 'contents' ? recordContents(input.contents) : undefined;
  if (contents && excess(contents) <= 0) {
    return contents;
  }
  const inOneContent = (text: string): Content[] => [{role: 'user', parts: [{text}]}];
  const text = recordText(input, {
    maxBodyChars: settings.maxBodyChars,
    excess: (record) => excess(inOneContent(record)),
  });
  if (text === undefined) {
    throw new FoldError(
      'error',
      `The record cannot be brought under ${inputLimit} tokens, what the summariser's window leaves for it. Use a summariser with a larger window.`,
      {reason: 'record does not fit'},
    );
  }
  return inOneContent(text);
}
