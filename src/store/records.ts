import type {Content, GenerateContentResponseUsageMetadata} from '@google/genai';
import type {Scope} from '../session-key.ts';

/** Token counts of one or several model calls, summed member by member. */
export type Usage = Pick<
  GenerateContentResponseUsageMetadata,
  | 'promptTokenCount'
  | 'candidatesTokenCount'
  | 'totalTokenCount'
  | 'cachedContentTokenCount'
  | 'thoughtsTokenCount'
  | 'toolUsePromptTokenCount'
>;

/** One answer that was elided, or one turn that was dropped. */
export interface CoveredItem {
  /** `sha256:<hex>` of what was covered. */
  readonly identity: string;
  /** Name of the tool whose answer was elided. */
  readonly toolName?: string;
  /** Index of the answer's content, or of the turn's first, in the request as it came in, orphans repaired. */
  readonly index: number;
}

/** What one compaction did. All token figures are the deciding figure, uncalibrated. */
export interface CompactionRecord {
  readonly kind: 'elision' | 'fold' | 'drop';
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly covers: readonly CoveredItem[];
  /** Folds: index of the first content the fold keeps. */
  readonly split?: number;
  /** Folds: hash of the contents before the split. */
  readonly prefixHash?: string;
  /** Folds: the contents that stand for the prefix. */
  readonly output?: readonly Content[];
  /** Folds: the text of the content that stands for the prefix. */
  readonly summary?: string;
  /** Folds: indices into the prefix of the contents kept beside the summary. */
  readonly pinned?: readonly number[];
  readonly usage?: Usage;
  readonly responseId?: string;
  readonly outputTypes?: readonly string[];
  readonly attempts?: number;
  /** Set in observe mode: nothing was changed or stored. */
  readonly observed?: true;
}

export type FoldErrorClass = 'no-text' | 'incomplete' | 'too-large' | 'error' | 'aborted';

/** A fold that was attempted and gave no usable summary. */
export interface FailedFoldRecord {
  readonly kind: 'failed-fold';
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly split: number;
  /** Present when the back-off goes by this failure. */
  readonly prefixHash?: string;
  readonly tokensBefore: number;
  readonly errorClass: FoldErrorClass;
  /** A finish reason, a code or our own words; never a provider's or a message's text. */
  readonly reason?: string;
  readonly attempts: number;
  readonly usage?: Usage;
  readonly responseId?: string;
  readonly outputTypes?: readonly string[];
}

/** The class of a failure, with its reason where there is one. */
export function failureReason({errorClass, reason}: FailedFoldRecord): string {
  return reason ? `${errorClass}: ${reason}` : errorClass;
}

/** One sampled model call: what was expected and what the provider reported. Figures in tokens, of the request as sent. */
export interface CalibrationRecord {
  readonly scope: Scope;
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** `estimateRequest(..., {media: 'modality'}).tokens`. */
  readonly estimate: number;
  /** `predictTokens`. */
  readonly prediction: number;
  /** The calibrated figure that decided. */
  readonly expected: number;
  /** The reported `promptTokenCount`. */
  readonly reported: number;
}
