import type {Content} from '@google/genai';
import type {AppliedFold} from '../fold/applied-fold.ts';
import type {ContentRange} from '../fold/cut.ts';
import type {Fold} from '../fold/fold.ts';
import {FoldError} from '../fold/fold-errors.ts';
import type {FoldSettings} from '../fold/fold-options.ts';
import type {FoldOutcome, FoldRound, FoldStore} from '../fold/fold-round.ts';
import {isInsideObserver} from '../fold/observers.ts';
import {ScopeFolds} from '../fold/scope-folds.ts';
import {completeTurns} from '../plan/turns.ts';
import type {View} from '../plan/view.ts';
import {answerOf, callOf, partsOf} from '../request/parts.ts';
import type {CompactionRecord, FailedFoldRecord} from '../store/records.ts';
import {brokenByNew, currentView, verified} from './compaction-run.ts';
import type {ScopeMemory} from './scope-memory.ts';
import type {ScopeState} from './scope-state.ts';
import type {Situation} from './situation.ts';

export interface FoldingOptions {
  readonly settings: FoldSettings;
  readonly keepRecentContents: number;
  /** The summariser's window in tokens; 0 when it is not known. */
  readonly summarizerContextTokens: number;
  readonly memory: ScopeMemory;
  /** Takes what took effect. */
  readonly tell: (state: ScopeState, record: CompactionRecord | FailedFoldRecord) => void;
  readonly clock: () => number;
}

/** The fold as a step of a model call: what the manager adds to a fold on its own. */
export class Folding {
  readonly #options: FoldingOptions;
  readonly #scopes = new WeakMap<ScopeState, ScopeFolds>();
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: FoldingOptions) {
    this.#options = options;
  }

  /**
   * The view with a new fold in place; `from` itself when nothing was folded. Throws a `FoldError` when an `onFold` observer
   * threw. `undefined` when the call was aborted meanwhile.
   */
  async step(situation: Situation, from: View, signal: AbortSignal | undefined): Promise<View | undefined> {
    if (this.#closing.signal.aborted) {
      return from;
    }
    const either = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    const folding = this.#foldsOf(situation.state).fold(this.#round(situation, from, either));
    this.#running.add(folding);
    try {
      return this.#conclude(situation, from, await folding);
    } catch (error) {
      if (either.aborted && !(error instanceof FoldError)) {
        return signal?.aborted ? undefined : verified(situation, currentView(situation));
      }
      throw error;
    } finally {
      this.#running.delete(folding);
    }
  }

  /** Aborts what is running and waits until it is recorded; nothing is folded any more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The compaction manager was closed.'));
    if (!isInsideObserver()) {
      await Promise.allSettled(this.#running);
    }
  }

  #foldsOf(state: ScopeState): ScopeFolds {
    let folds = this.#scopes.get(state);
    if (!folds) {
      folds = new ScopeFolds(this.#options.settings, state.foldMemory);
      this.#scopes.set(state, folds);
    }
    return folds;
  }

  #round(situation: Situation, view: View, signal: AbortSignal): FoldRound {
    const {settings, keepRecentContents, summarizerContextTokens} = this.#options;
    const tokensBefore = situation.figure(view.size);
    return {
      ...situation.history,
      budget: situation.triggerTokens,
      keepLast: Math.max(settings.keepLast ?? keepRecentContents, 1),
      tokensBefore,
      estimate: (contents) => situation.estimate(contents),
      signal,
      force: situation.isForced,
      whole: droppedRanges(view),
      pins: preservedContents(situation),
      summarizerContextTokens,
      weighAsSent: (indices) => situation.figure(view.sizeOf(indices)),
      refuse: (fold) => refusal(situation, fold, tokensBefore),
      store: this.#storeFor(situation),
    };
  }

  /** Records are written before a fold is used. A store that fails has been warned about by the memory. */
  #storeFor(situation: Situation): FoldStore {
    const {memory} = this.#options;
    const {state, basedOn} = situation;
    let record: CompactionRecord | FailedFoldRecord | undefined;
    return {
      find: async (split, prefixHash) => {
        await memory.refresh(state);
        return state.snapshot?.folds.find((fold) => fold.split === split && fold.prefixHash === prefixHash);
      },
      saveFold: async (fold, report) => {
        record = this.#foldRecord(situation, fold, report);
        return (await memory.save(state, {records: [record], decisions: [], basedOn})).existingFold;
      },
      saveFailure: async (report) => {
        const failure = this.#failureRecord(situation, report);
        record = failure;
        if (failure.prefixHash !== undefined) {
          state.lastFailure = failure;
        }
        await memory.save(state, {records: [failure], decisions: [], basedOn});
      },
      onSettled: () => {
        if (record) {
          this.#options.tell(state, record);
        }
      },
    };
  }

  #conclude(situation: Situation, from: View, outcome: FoldOutcome): View {
    const {warnings} = situation.state;
    switch (outcome.kind) {
      case 'skipped':
        if (outcome.reason === 'back-off') {
          warnings.raise(
            'compaction.fold.backoff',
            'The last fold failed a short while ago; no summary is asked for until the history has grown.',
          );
        }
        return from;
      case 'failed':
        warnings.raise(
          'compaction.fold.failed',
          `A fold failed (${outcome.report.error?.code}${reasonText(outcome.report)}); the request goes out unfolded.`,
          outcome.report.error,
        );
        return from;
      case 'made':
      case 'discarded':
        warnings.clear('compaction.fold.failed');
        warnings.clear('compaction.fold.backoff');
        return verified(situation, currentView(situation, outcome.fold));
    }
  }

  #foldRecord(situation: Situation, fold: AppliedFold, report: Fold): CompactionRecord {
    const {split, prefixHash, output} = fold;
    return {
      kind: 'fold',
      scope: situation.state.scope,
      time: this.#options.clock(),
      tokensBefore: report.tokensBefore,
      tokensAfter: situation.figure(currentView(situation, fold).size),
      covers: [],
      split,
      prefixHash,
      output,
      ...(report.summary && {summary: textOf(report.summary)}),
      pinned: fold.pinned.filter((pin) => typeof pin === 'number'),
      attempts: report.attempts,
      ...callData(report),
    };
  }

  #failureRecord(situation: Situation, report: Fold): FailedFoldRecord {
    return {
      kind: 'failed-fold',
      scope: situation.state.scope,
      time: this.#options.clock(),
      split: report.split,
      ...(report.prefixHash !== undefined && {prefixHash: report.prefixHash}),
      tokensBefore: report.tokensBefore,
      errorClass: report.error?.code ?? 'error',
      ...(report.error?.reason !== undefined && {reason: report.error.reason}),
      attempts: report.attempts,
      ...callData(report),
    };
  }
}

/** Why a summary is not used: the request would not shrink, or a promise would be broken. */
function refusal(situation: Situation, fold: AppliedFold, tokensBefore: number): FoldError | undefined {
  const view = currentView(situation, fold);
  const tokensAfter = situation.figure(view.size);
  if (tokensAfter >= tokensBefore) {
    return new FoldError(
      'too-large',
      `The request would not shrink: ${tokensAfter} tokens with the fold, ${tokensBefore} without.`,
      {reason: 'the request would not shrink'},
    );
  }
  const broken = brokenByNew(situation, 'fold', view);
  return broken.length === 0
    ? undefined
    : new FoldError('error', `The fold would break a promise: ${broken.join(', ')}.`, {reason: broken.join(', ')});
}

/** Turns dropped in the view: a split never falls inside one. */
function droppedRanges(view: View): ContentRange[] {
  return view.hasDrops ? completeTurns(view.request).filter((turn) => view.isDropped(turn.start)) : [];
}

/** Contents with a call or an answer of a preserved tool. */
function preservedContents({history, bounds}: Situation): number[] {
  const {preserveToolNames} = bounds;
  return preserveToolNames.size === 0
    ? []
    : history.contents.flatMap((content, index) =>
        partsOf(content).some((part) => preserveToolNames.has((callOf(part) ?? answerOf(part))?.name ?? ''))
          ? index
          : [],
      );
}

function callData(report: Fold): Pick<CompactionRecord, 'usage' | 'responseId' | 'outputTypes'> {
  const {usage, responseId, outputTypes} = report;
  return {
    ...(usage && {usage}),
    ...(responseId !== undefined && {responseId}),
    ...(outputTypes && {outputTypes}),
  };
}

function textOf(content: Content): string {
  return partsOf(content)
    .map((part) => part.text ?? '')
    .join('');
}

function reasonText(report: Fold): string {
  return report.error?.reason === undefined ? '' : `, ${report.error.reason}`;
}
