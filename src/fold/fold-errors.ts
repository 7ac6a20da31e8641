import {CompactionError} from '../errors.ts';
import {requireSync} from '../options.ts';
import type {FoldErrorClass} from '../store/records.ts';

/**
 * A fold that was attempted and gave nothing to use. `code` is its class: `no-text`, `incomplete`, `too-large` (the
 * unfolded errors, tried once more), `error` (anything else that went wrong) or `aborted` (the caller's signal did it).
 */
export class FoldError extends CompactionError {
  declare readonly code: FoldErrorClass;
  /** A finish reason, an error code or our own words; never a provider's or a message's text. */
  readonly reason: string | undefined;

  constructor(code: FoldErrorClass, message: string, options: {reason?: string; cause?: unknown} = {}) {
    super(code, message, 'cause' in options ? {cause: options.cause} : undefined);
    this.reason = options.reason;
  }
}

/** The summariser answered without text: thoughts only, a call only, white space, or nothing at all. */
export class SummaryNoTextError extends FoldError {
  constructor() {
    super(
      'no-text',
      'The summariser answered without text. Look at outputTypes of the report for what it sent instead.',
    );
  }
}

/** The summary was cut short; its text is never used. */
export class SummaryIncompleteError extends FoldError {
  /** @param reason the finish reason, or `STREAM_ENDED` for a stream without a final answer */
  constructor(reason: string) {
    super('incomplete', `The summary ended early (${reason}). For MAX_TOKENS, raise maxOutputTokens in editRequest.`, {
      reason,
    });
  }
}

/** The summary is not smaller than what it was to replace. */
export class SummaryTooLargeError extends FoldError {
  /** Estimated tokens of what was to take the place. */
  readonly summaryTokens: number;
  /** Estimated tokens of what was to be replaced. */
  readonly foldedTokens: number;

  constructor(summaryTokens: number, foldedTokens: number) {
    super(
      'too-large',
      `The summary weighs ${summaryTokens} tokens and the contents it replaces ${foldedTokens}. Ask for a shorter one in summaryPrompt.`,
    );
    this.summaryTokens = summaryTokens;
    this.foldedTokens = foldedTokens;
  }
}

/** True for the errors that say "the model answered, but not with a summary": these are tried once more. */
export function isUnfolded(error: FoldError): boolean {
  return error.code === 'no-text' || error.code === 'incomplete' || error.code === 'too-large';
}

/** The error itself, or a `FoldError` of class `error` around it. */
export function asFoldError(error: unknown): FoldError {
  return error instanceof FoldError
    ? error
    : new FoldError('error', 'The fold failed; the cause says why.', {reason: reasonOf(error), cause: error});
}

/** Runs an option's callback; what it throws, and a promise it gives, become a `FoldError` that names the option. */
export function callOption<Result>(option: string, callback: () => Result): Result {
  try {
    return requireSync(callback());
  } catch (cause) {
    throw new FoldError('error', `The option ${option} threw, so nothing was folded.`, {
      reason: `${option} threw`,
      cause,
    });
  }
}

/** A provider's code as it stands when it looks like one; free text is not passed on. */
export function codeOnly(code: string): string {
  return /^[\w.-]{1,64}$/.test(code) ? code : 'unknown code';
}

function reasonOf(error: unknown): string {
  const status = typeof error === 'object' && error !== null ? (error as {status?: unknown}).status : undefined;
  return typeof status === 'number' ? `HTTP ${status}` : 'threw';
}
