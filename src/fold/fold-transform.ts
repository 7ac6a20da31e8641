import type {Content} from '@google/genai';
import {z} from 'zod';
import {estimateContents} from '../estimate/estimate-request.ts';
import {callback, count, parseOptions} from '../options.ts';
import type {FailedFoldMemory} from '../store/compaction-store.ts';
import {foldedContents} from './applied-fold.ts';
import {DEFAULT_BUDGET, DEFAULT_KEEP_LAST, REMEMBERED_FOLDS} from './defaults.ts';
import type {AppliedFoldMemory} from './fold.ts';
import {callOption} from './fold-errors.ts';
import {FoldMemory} from './fold-memory.ts';
import {type FoldOptions, type FoldSettings, foldOptionsShape, foldSettings} from './fold-options.ts';
import {historyOf} from './history.ts';
import {ScopeFolds} from './scope-folds.ts';

/** Options of a fold on its own. */
export interface FoldTransformOptions extends FoldOptions {
  /** Estimated tokens above which the list is folded, 0 or more. Default 100,000 (`DEFAULT_BUDGET`). */
  readonly budget?: number | undefined;
  /** Tokens of a list of contents. Default `estimateContents`. */
  readonly estimate?: ((contents: Content[]) => number) | undefined;
  /** The failed fold of an earlier process that the back-off goes by. Goes together with `appliedFolds`. */
  readonly failedFold?: FailedFoldMemory | undefined;
  /** Made folds of earlier processes; the last 8 are kept. */
  readonly appliedFolds?: readonly AppliedFoldMemory[] | undefined;
}

const transformOptions = z.strictObject({
  ...foldOptionsShape,
  budget: count.default(DEFAULT_BUDGET),
  estimate: callback<(contents: Content[]) => number>().default(() => estimateContents),
  failedFold: z.object({split: z.number(), prefixHash: z.string(), tokensBefore: z.number()}).optional(),
  appliedFolds: z
    .array(
      z.object({
        split: z.number(),
        prefixHash: z.string(),
        output: z.array(z.custom<Content>()),
        pinned: z.array(z.custom<Content>()),
      }),
    )
    .optional(),
});

/**
 * The fold on its own, for any host: keeps a list of contents within a budget by putting a summary, written by a model, in
 * place of its beginning. What it folded is remembered in memory, so the same beginning is never summarised twice.
 *
 *     const fold = new FoldTransform({summarizer: new Gemini({model: 'gemini-2.5-flash'}), budget: 50_000});
 *     request.contents = await fold.transform(request.contents, {signal});
 *
 * Serves one agent's view of one session, or several conversations side by side: a fold is used for a list that begins with
 * exactly what it covers, and for no other.
 */
export class FoldTransform {
  readonly #settings: FoldSettings;
  readonly #budget: number;
  readonly #estimate: (contents: Content[]) => number;
  readonly #folds: ScopeFolds;

  /** Throws `InvalidOptionsError` that names the field. */
  constructor(options: FoldTransformOptions) {
    const parsed = parseOptions(transformOptions, options, '', Object.keys(transformOptions.shape));
    this.#settings = foldSettings(parsed);
    this.#budget = parsed.budget;
    this.#estimate = parsed.estimate;
    const memory = new FoldMemory(REMEMBERED_FOLDS);
    memory.restore(parsed.appliedFolds ?? [], parsed.failedFold);
    this.#folds = new ScopeFolds(this.#settings, memory);
  }

  /** The summary content installed last, the very object of its report; absent before the first fold made here. */
  get last(): Content | undefined {
    return this.#folds.last;
  }

  /**
   * The list to send: `contents` itself when no fold applies, else a new list. Neither the list nor its contents are
   * changed. A result may still be over budget; at most one fold is made per call.
   *
   * Throws the signal's reason on an abort while a fold is due, `FoldError` when an observer throws, and under
   * `onError: 'throw'` when the summariser, an option's callback or the network fails.
   */
  async transform(contents: Content[], {signal}: {signal?: AbortSignal | undefined} = {}): Promise<Content[]> {
    const history = historyOf([...contents]);
    const inUse = this.#folds.inUse(history);
    const view = inUse ? foldedContents(inUse, history.contents) : contents;
    const tokensBefore = this.#weigh(view);
    if (tokensBefore === undefined || !(tokensBefore > this.#budget)) {
      return view;
    }
    const {fold} = await this.#folds.fold({
      ...history,
      budget: this.#budget,
      keepLast: this.#settings.keepLast ?? DEFAULT_KEEP_LAST,
      tokensBefore,
      estimate: this.#estimate,
      signal,
    });
    return fold ? foldedContents(fold, history.contents) : view;
  }

  /** Nothing when the estimate fails and that must not fail the call. */
  #weigh(view: Content[]): number | undefined {
    try {
      return callOption('estimate', () => this.#estimate(view));
    } catch (error) {
      if (this.#settings.onError === 'continue') {
        return undefined;
      }
      throw error;
    }
  }
}
