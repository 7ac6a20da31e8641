import type {Content} from '@google/genai';
import type {AppliedFold} from './applied-fold.ts';
import type {ContentRange} from './cut.ts';
import type {Fold} from './fold.ts';
import type {FoldError} from './fold-errors.ts';
import type {History} from './history.ts';

/** One model call for which a fold is due, as its host sees it. Figures in estimated tokens. */
export interface FoldRound extends History {
  readonly budget: number;
  /** Contents at the end that are not folded. */
  readonly keepLast: number;
  /** What would go out without a new fold. */
  readonly tokensBefore: number;
  readonly estimate: (contents: Content[]) => number;
  readonly signal?: AbortSignal | undefined;
  /** Fold whatever the back-off and `minFold` say. */
  readonly force?: boolean;
  /** Ranges that the split never falls inside of, such as dropped turns. */
  readonly whole?: readonly ContentRange[];
  /** Indices of contents to pin, besides those that the options pin. */
  readonly pins?: readonly number[];
  /** The summariser's window; the option of that name goes before it. Absent or 0: unlimited. */
  readonly summarizerContextTokens?: number | undefined;
  /**
   * What newly folded contents weigh as they would go out now. Once a fold is in use this must reach `minFold` too, so that
   * a kept end that is too large does not buy a summary on every call.
   */
  readonly weighAsSent?: (indices: readonly number[]) => number;
  /** Why the request is not better for the fold; nothing when it is. */
  readonly refuse?: (fold: AppliedFold) => FoldError | undefined;
  readonly store?: FoldStore;
}

/** Where folds are remembered for other processes. When it throws, it has warned, and the fold lives on in memory. */
export interface FoldStore {
  /** A readable fold of this prefix that was stored meanwhile. */
  find(split: number, prefixHash: string): Promise<AppliedFold | undefined>;
  /** Stores a made fold. Resolves to the one of the same prefix that was there already, which then stays. */
  saveFold(fold: AppliedFold, report: Fold): Promise<AppliedFold | undefined>;
  /** Stores a failed or aborted fold. Its report has a `prefixHash` when the back-off is to go by it. */
  saveFailure(report: Fold): Promise<void>;
  /** What was handed over for saving took effect: the fold is installed, the failure remembered, or the abort reported. */
  onSettled?(report: Fold): void;
}

/** Why a round folded nothing, silently. */
export type SkipReason =
  | 'nothing-new'
  | 'back-off'
  | 'nothing-to-send'
  | 'below-minimum'
  /** Asked for by an observer of a fold of the same prefix. */
  | 'in-observer'
  /** Another call folded the prefix, in a way that does not suit this one. */
  | 'not-usable';

/** How a round ended. Without `fold` the request goes out as it would have. */
export type FoldOutcome =
  | {readonly kind: 'skipped'; readonly reason: SkipReason; readonly fold?: undefined}
  | {readonly kind: 'failed'; readonly report: Fold; readonly fold?: undefined}
  | {readonly kind: 'made'; readonly report: Fold; readonly fold: AppliedFold}
  /** Another fold was there first and is used. */
  | {readonly kind: 'discarded'; readonly fold: AppliedFold};
