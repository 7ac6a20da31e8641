import type {Content} from '@google/genai';
import {toNormalForm} from '../json/normal-form.ts';
import {type AppliedFold, isUsable, pinnedContents} from './applied-fold.ts';
import {isBackedOff} from './back-off.ts';
import {CallLog} from './call-log.ts';
import {chooseSplit} from './cut.ts';
import {Flights} from './flights.ts';
import type {Fold} from './fold.ts';
import {asFoldError, callOption, FoldError, isUnfolded} from './fold-errors.ts';
import {choosePins, type FoldInput, foldInput, isSendable, newlyFolded} from './fold-input.ts';
import type {FoldMemory} from './fold-memory.ts';
import type {FoldSettings} from './fold-options.ts';
import type {FoldOutcome, FoldRound, FoldStore, SkipReason} from './fold-round.ts';
import type {History} from './history.ts';
import {isReporting, notify} from './observers.ts';
import {type Summary, summarise} from './summarise.ts';

/** What a round sets out to fold. */
interface Draft {
  readonly split: number;
  readonly prefixHash: string;
  /** A callback that threw is reported like a summariser that did. */
  readonly input: WeighedInput | FoldError;
}

interface WeighedInput extends FoldInput {
  readonly tokens: number;
}

/**
 * The folds of one scope: which one a list of contents uses, and how a new one is made. Deciding and installing never wait,
 * and nothing is locked while a summariser, an observer or a store is asked.
 */
export class ScopeFolds {
  readonly #settings: FoldSettings;
  readonly #memory: FoldMemory;
  readonly #flights = new Flights<FoldOutcome>();
  readonly #minimums = new Map<number, number>();

  constructor(settings: FoldSettings, memory: FoldMemory) {
    this.#settings = settings;
    this.#memory = memory;
  }

  /** The summary content installed last; memories of an earlier process do not restore it. */
  get last(): Content | undefined {
    return this.#memory.last;
  }

  /** The fold that stands for the beginning of this list. */
  inUse(history: History): AppliedFold | undefined {
    return this.#memory.inUse(history);
  }

  /**
   * Folds if there is something to fold and it is worth it. Whether a fold is due at all is for the host to say.
   *
   * Throws the signal's reason on an abort, a `FoldError` for an observer that threw, and under `onError: 'throw'` one for
   * every hard error.
   */
  async fold(round: FoldRound): Promise<FoldOutcome> {
    const inUse = this.inUse(round);
    const split = chooseSplit(round, round.keepLast, round.whole);
    if (split <= (inUse?.split ?? 0)) {
      return skipped('nothing-new');
    }
    const {failed} = this.#memory;
    if (this.#settings.backOff && !round.force && failed && isBackedOff(failed, {...round, split}, round)) {
      return skipped('back-off');
    }
    const input = this.#weighInput(round, inUse, split);
    if (typeof input === 'string') {
      return skipped(input);
    }
    const draft: Draft = {split, prefixHash: round.prefixHash(split), input};
    if (isReporting(this, draft.prefixHash)) {
      return skipped('in-observer');
    }
    const {result, isOwn} = await this.#flights.share(
      draft.prefixHash,
      (signal) => this.#fly(round, draft, signal),
      round.signal,
    );
    return isOwn || !result.fold ? result : suited(result, round);
  }

  /** What to fold, or why that is not worth it. */
  #weighInput(round: FoldRound, inUse: AppliedFold | undefined, split: number): WeighedInput | SkipReason | FoldError {
    try {
      const input = foldInput(round, inUse, split, this.#settings.filter);
      if (!isSendable(input)) {
        return 'nothing-to-send';
      }
      const tokens = callOption('estimate', () => round.estimate([...input.contents]));
      if (!round.force) {
        const minimum = this.#minimum(round);
        const asSent = inUse && round.weighAsSent?.(newlyFolded(round, inUse.split, split));
        if (tokens < minimum || (asSent !== undefined && asSent < minimum)) {
          return 'below-minimum';
        }
      }
      return {...input, tokens};
    } catch (error) {
      return asFoldError(error);
    }
  }

  /** The default follows the estimator, the summary item and the budget that are really used. */
  #minimum({budget, estimate}: FoldRound): number {
    const {minFold, summarizer, summaryItem} = this.#settings;
    if (minFold !== undefined || summarizer.kind === 'endpoint') {
      return minFold ?? 0;
    }
    const known = this.#minimums.get(budget);
    if (known !== undefined) {
      return known;
    }
    const emptySummary = summaryItem('');
    const wrapperTokens = callOption('estimate', () => estimate([emptySummary]));
    const minimum = Math.max(2 * wrapperTokens, Math.floor(budget / 8));
    this.#minimums.set(budget, minimum);
    return minimum;
  }

  async #fly(round: FoldRound, draft: Draft, signal: AbortSignal): Promise<FoldOutcome> {
    const log = new CallLog();
    let made: {summary: Summary; fold: AppliedFold};
    try {
      made = await this.#make(round, draft, log, signal);
    } catch (error) {
      return await this.#fail(round, draft, log, asFoldError(error));
    }
    return await this.#install(round, made.fold, made.summary, log);
  }

  async #make(
    round: FoldRound,
    {split, prefixHash, input}: Draft,
    log: CallLog,
    signal: AbortSignal,
  ): Promise<{summary: Summary; fold: AppliedFold}> {
    if (input instanceof FoldError) {
      throw input;
    }
    const {filter, pin, summarizerContextTokens = round.summarizerContextTokens} = this.#settings;
    const pinned = choosePins(round, split, {filter, pin, pins: round.pins});
    const estimate = (contents: Content[]): number => callOption('estimate', () => round.estimate(contents));
    const summary = await summarise(
      {input, inputTokens: input.tokens, budget: round.budget, summarizerContextTokens, estimate, signal},
      this.#settings,
      log,
    );
    const fold = {split, prefixHash, output: summary.output, pinned};
    const refusal = round.refuse?.(fold);
    if (refusal) {
      throw refusal;
    }
    return {summary, fold};
  }

  async #install(round: FoldRound, fold: AppliedFold, {output, summary}: Summary, log: CallLog): Promise<FoldOutcome> {
    const {split, prefixHash} = fold;
    const overtaking =
      this.#longerFold(round, split) ?? (await this.#takeStored(round, fold)) ?? this.#longerFold(round, split);
    if (overtaking) {
      return suited({kind: 'discarded', fold: overtaking}, round);
    }
    const first = round.contents[split];
    const report: Fold = {
      split,
      ...(first && {first}),
      output,
      ...(summary && {summary}),
      pinned: pinnedContents(fold, round.contents),
      tokensBefore: round.tokensBefore,
      ...log.data(),
      ...(prefixHash !== '' && {prefixHash}),
    };
    await notify(this.#settings.observers, ownReport(report), {owner: this, prefixHash});
    const saved = prefixHash === '' ? undefined : await askStore(round, (store) => store.saveFold(fold, report));
    if (saved?.answer) {
      this.#memory.install(saved.answer, true);
      return suited({kind: 'discarded', fold: saved.answer}, round);
    }
    this.#memory.install(fold, saved !== undefined, summary);
    round.store?.onSettled?.(report);
    return {kind: 'made', report, fold};
  }

  /** A fold as long or longer that was installed while this one was being made. */
  #longerFold(round: FoldRound, split: number): AppliedFold | undefined {
    const inUse = this.inUse(round);
    return inUse && inUse.split >= split ? inUse : undefined;
  }

  /** A fold of this prefix that another process stored meanwhile. */
  async #takeStored(round: FoldRound, {split, prefixHash}: AppliedFold): Promise<AppliedFold | undefined> {
    const found = prefixHash === '' ? undefined : await askStore(round, (store) => store.find(split, prefixHash));
    if (found?.answer) {
      this.#memory.install(found.answer, true);
    }
    return found?.answer;
  }

  async #fail(round: FoldRound, {split, prefixHash}: Draft, log: CallLog, error: FoldError): Promise<FoldOutcome> {
    const {onError, observers} = this.#settings;
    const isThrown = error.code === 'aborted' || (onError === 'throw' && !isUnfolded(error));
    const report: Fold = {
      split,
      tokensBefore: round.tokensBefore,
      ...log.data(),
      ...(!isThrown && prefixHash !== '' && {prefixHash}),
      error,
    };
    await notify(observers, ownReport(report), {owner: this, prefixHash});
    const saved = await askStore(round, (store) => store.saveFailure(report));
    if (!isThrown) {
      this.#memory.remember({split, prefixHash, tokensBefore: round.tokensBefore}, saved !== undefined);
    }
    round.store?.onSettled?.(report);
    if (isThrown) {
      throw error.code === 'aborted' ? error.cause : error;
    }
    return {kind: 'failed', report};
  }
}

function skipped(reason: SkipReason): FoldOutcome {
  return {kind: 'skipped', reason};
}

/** What another call or process made may hide something that this call needs. */
function suited(outcome: FoldOutcome & {readonly fold: AppliedFold}, round: FoldRound): FoldOutcome {
  return isUsable(outcome.fold, round) ? outcome : skipped('not-usable');
}

/** Nothing when there is no store or it failed, of which it has warned. */
async function askStore<Answer>(
  {store}: FoldRound,
  ask: (store: FoldStore) => Promise<Answer>,
): Promise<{readonly answer: Answer} | undefined> {
  if (!store) {
    return undefined;
  }
  try {
    return {answer: await ask(store)};
  } catch {
    return undefined;
  }
}

/** The report for observers: what they write into it reaches neither the store nor the request. */
function ownReport(report: Fold): Fold {
  const {first, output, summary, pinned, usage, outputTypes} = report;
  return {
    ...report,
    ...(first && {first: copyOf(first)}),
    ...(output && {output: output.map(copyOf)}),
    ...(summary && {summary: copyOf(summary)}),
    ...(pinned && {pinned: pinned.map(copyOf)}),
    ...(usage && {usage: {...usage}}),
    ...(outputTypes && {outputTypes: [...outputTypes]}),
  };
}

/** What has no JSON form is handed on as it is. */
function copyOf(content: Content): Content {
  try {
    return toNormalForm(content) as Content;
  } catch {
    return content;
  }
}
