import type {Content} from '@google/genai';
import {isThought, partsOf} from '../request/parts.ts';
import type {SummaryResponse} from './call-log.ts';
import {codeOnly, FoldError, SummaryIncompleteError, SummaryNoTextError, SummaryTooLargeError} from './fold-errors.ts';

/**
 * The summary in the answer to one call, judged once the call has ended: trimmed and well formed. Partial responses of a
 * stream are never used, and neither is the text of an answer that was cut.
 *
 * Throws `FoldError` for an error code, `SummaryIncompleteError` for a cut answer, `SummaryNoTextError` for one without text.
 */
export function summaryText(responses: readonly SummaryResponse[]): string {
  const final = responses.filter((response) => !response.partial);
  if (responses.length > 0 && final.length === 0) {
    throw new SummaryIncompleteError('STREAM_ENDED');
  }
  for (const {errorCode, finishReason} of final) {
    if (errorCode && !finishReason) {
      throw new FoldError('error', `The summariser answered with the error code ${codeOnly(errorCode)}.`, {
        reason: codeOnly(errorCode),
      });
    }
  }
  for (const {finishReason} of final) {
    if (finishReason && finishReason !== 'STOP' && finishReason !== 'FINISH_REASON_UNSPECIFIED') {
      throw new SummaryIncompleteError(codeOnly(finishReason));
    }
  }
  const text = final
    .flatMap(({content}) => partsOf(content))
    .filter((part) => !isThought(part))
    .map((part) => part.text ?? '')
    .join('')
    .trim();
  if (text === '') {
    throw new SummaryNoTextError();
  }
  return text.toWellFormed();
}

/** Throws `SummaryTooLargeError` unless the summary, its wrapper apart, weighs less than what it replaces. */
export function checkSummarySize(
  summary: Content,
  emptySummary: Content,
  foldedTokens: number,
  estimate: (contents: Content[]) => number,
): void {
  const summaryTokens = estimate([summary]) - estimate([emptySummary]);
  if (summaryTokens >= foldedTokens) {
    throw new SummaryTooLargeError(summaryTokens, foldedTokens);
  }
}
