import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import type {Usage} from '../store/records.ts';
import type {FoldError} from './fold-errors.ts';

/** The report of one fold that was attempted: made, failed or aborted. */
export interface Fold {
  /** Index of the first content that is kept. All indices are indices into the list as it came in. */
  readonly split: number;
  /** Made folds: the content at `split`; absent when nothing is kept. */
  readonly first?: Content;
  /** Made folds: what stands for the first `split` contents, without the pinned ones. */
  readonly output?: Content[];
  /** Made folds: the summary content. Absent when a `Compactor` gave none. */
  readonly summary?: Content;
  /** Made folds: the pinned contents, which follow `output`. The request is `output`, `pinned`, then the list from `split`. */
  readonly pinned?: Content[];
  /** Estimated tokens of what would go out without this fold. */
  readonly tokensBefore: number;
  /** Summed over the summary calls. Absent when none reported any. */
  readonly usage?: Usage;
  /** Of the last summary call. */
  readonly responseId?: string;
  /** Kinds of parts in the last answer, in order of appearance, each once; absent when no answer came. */
  readonly outputTypes?: string[];
  /** Summary calls made: 0, 1 or 2. */
  readonly attempts: number;
  /** The request of the last attempt as `editRequest` left it. Absent before the first one, and with a `Compactor`. */
  readonly request?: LlmRequest;
  /** Hash of the first `split` contents. There whenever the fold, made or failed, is remembered. */
  readonly prefixHash?: string;
  /** Failed folds: why. */
  readonly error?: FoldError;
}

/**
 * Learns of every fold that was attempted and not discarded, before its call resolves. Awaited; what it throws fails the
 * call, and the fold is then neither used nor remembered.
 */
export type FoldObserver = (fold: Fold) => void | Promise<void>;

/** A made fold as a later process needs it: the four members of its report. */
export interface AppliedFoldMemory {
  readonly split: number;
  readonly prefixHash: string;
  readonly output: Content[];
  readonly pinned: Content[];
}
