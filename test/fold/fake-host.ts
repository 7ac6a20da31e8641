import type {Content} from '@google/genai';
import {type AppliedFold, foldedContents} from '../../src/fold/applied-fold.ts';
import type {Fold} from '../../src/fold/fold.ts';
import {SummaryTooLargeError} from '../../src/fold/fold-errors.ts';
import {FoldMemory} from '../../src/fold/fold-memory.ts';
import {type FoldOptions, managedFoldSettings} from '../../src/fold/fold-options.ts';
import type {FoldOutcome, FoldRound, FoldStore} from '../../src/fold/fold-round.ts';
import {historyOf} from '../../src/fold/history.ts';
import {ScopeFolds} from '../../src/fold/scope-folds.ts';
import type {FailedFoldMemory} from '../../src/store/compaction-store.ts';
import {type Answer, FakeModel, summaryItem, weigh, withoutNotes} from './notation.ts';

/** What several processes share. */
export class SharedStore {
  readonly folds: AppliedFold[] = [];
  readonly failures: Fold[] = [];
  readonly writes: string[] = [];
  failedFold: FailedFoldMemory | undefined;
  isDown = false;

  find(split: number, prefixHash: string): AppliedFold | undefined {
    if (this.isDown) {
      throw new Error('store is down');
    }
    return this.folds.find((fold) => fold.split === split && fold.prefixHash === prefixHash);
  }

  saveFold(fold: AppliedFold): AppliedFold | undefined {
    const existing = this.find(fold.split, fold.prefixHash);
    if (!existing) {
      this.folds.push(structuredClone(fold));
      this.failedFold = undefined;
      this.writes.push('fold');
    }
    return existing;
  }

  saveFailure(report: Fold): void {
    if (this.isDown) {
      throw new Error('store is down');
    }
    this.failures.push(report);
    this.writes.push(`failure ${report.error?.code}`);
    if (report.prefixHash !== undefined) {
      this.failedFold = {split: report.split, prefixHash: report.prefixHash, tokensBefore: report.tokensBefore};
    }
  }
}

/** Stands for a manager: one process that serves one scope from a store. */
export class FakeHost {
  readonly model: FakeModel;
  readonly reports: Fold[] = [];
  readonly warnings: string[] = [];
  readonly memory = new FoldMemory();
  readonly folds: ScopeFolds;
  readonly #store: SharedStore;

  constructor(store = new SharedStore(), options: Partial<FoldOptions> & {answers?: Answer[]} = {}) {
    const {answers, ...others} = options;
    this.#store = store;
    this.model = new FakeModel(answers);
    const settings = managedFoldSettings({
      summarizer: this.model.asLlm(),
      summaryItem,
      filter: withoutNotes,
      material: 'contents',
      onFold: (report) => {
        this.reports.push(report);
      },
      ...others,
    });
    this.memory.restore(store.folds, store.failedFold);
    this.folds = new ScopeFolds(settings, this.memory);
  }

  get calls(): number {
    return this.model.requests.length;
  }

  /** Contents of the last summary request without the prompt. */
  get material(): Content[] {
    return this.model.requests.at(-1)?.contents.slice(0, -1) ?? [];
  }

  /** One model call that is over the trigger. */
  async send(
    contents: Content[],
    change: Partial<FoldRound> = {},
  ): Promise<{outcome: FoldOutcome; request: Content[]}> {
    const history = historyOf(contents, {protectLive: true, ...change});
    const inUse = this.folds.inUse(history);
    const view = inUse ? foldedContents(inUse, contents) : contents;
    const outcome = await this.folds.fold({
      ...history,
      budget: 99,
      keepLast: 2,
      tokensBefore: weigh(view),
      estimate: weigh,
      store: this.#port(),
      refuse: (fold) => {
        const tokens = weigh(foldedContents(fold, contents));
        return tokens < weigh(view) ? undefined : new SummaryTooLargeError(tokens, weigh(view));
      },
      ...change,
    });
    return {outcome, request: outcome.fold ? foldedContents(outcome.fold, contents) : view};
  }

  /** The request of a call that is not over the trigger. */
  reuse(contents: Content[]): Content[] {
    const inUse = this.folds.inUse(historyOf(contents, {protectLive: true}));
    return inUse ? foldedContents(inUse, contents) : contents;
  }

  #port(): FoldStore {
    return {
      find: async (split, prefixHash) => this.#warning('load', () => this.#store.find(split, prefixHash)),
      saveFold: async (fold) => this.#warning('save', () => this.#store.saveFold(fold)),
      saveFailure: async (report) => this.#warning('save', () => this.#store.saveFailure(report)),
    };
  }

  #warning<Answer>(operation: 'load' | 'save', ask: () => Answer): Answer {
    try {
      return ask();
    } catch (error) {
      this.warnings.push(`compaction.store.${operation}`);
      throw error;
    }
  }
}
