import {isSample} from '../calibrate/samples.ts';
import {errorName} from '../errors.ts';
import type {FoldSettings} from '../fold/fold-options.ts';
import {LruMap} from '../lru-map.ts';
import {boundsOf} from '../plan/bounds.ts';
import {Decisions} from '../plan/decisions.ts';
import {recognise} from '../plan/recognise.ts';
import type {Step} from '../plan/step.ts';
import {View} from '../plan/view.ts';
import type {ResolvedPolicy} from '../policy.ts';
import {type SessionKey, scopeText, sessionKeyText} from '../session-key.ts';
import type {CompactionStore} from '../store/compaction-store.ts';
import type {CompactionRecord, FailedFoldRecord} from '../store/records.ts';
import type {WarningSink} from '../warnings.ts';
import {currentView, dropStep, elisionStep, foldInUse, isWithinTarget, stepRecord, verified} from './compaction-run.ts';
import {Folding} from './folding.ts';
import {learnFrom} from './learn-from.ts';
import {measureCall} from './measured-call.ts';
import type {ModelCall} from './model-call.ts';
import {ScopeMemory} from './scope-memory.ts';
import type {ScopeState} from './scope-state.ts';
import {type SentRequest, sentRequest} from './sent-request.ts';
import {type Situation, situationOf} from './situation.ts';
import {type CompactionStatus, scopeStatus} from './status.ts';
import type {ToolOutputBudget} from './tool-output-budget.ts';
import {userMessageIndex} from './user-message-index.ts';
import {summarizerWindow, windowOf} from './window.ts';

export interface EngineOptions {
  readonly policy: ResolvedPolicy;
  readonly store: CompactionStore;
  /** Left out: elide and drop only. */
  readonly fold?: FoldSettings | undefined;
  readonly toolOutputBudget?: ToolOutputBudget | undefined;
  /** Must not throw. */
  readonly warn: WarningSink;
  /** Must not throw. */
  readonly report: (record: CompactionRecord | FailedFoldRecord) => void;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** A request measured anew costs milliseconds; remembering one costs its size. */
const MEASURED_SCOPES_KEPT = 100;

/**
 * The sequence of one model call: measure, recognise, decide, plan, verify, commit; and after the call, calibrate. Knows
 * nothing of callbacks. Store failures, rejected plans and callbacks that throw become warnings here; what else it throws,
 * the host catches.
 */
export class Engine {
  readonly #memory: ScopeMemory;
  readonly #options: EngineOptions;
  readonly #folding: Folding | undefined;
  /** Scopes whose last request is remembered: its texts are, until others have been busy since. */
  readonly #measured = new LruMap<ScopeState, ScopeState>(MEASURED_SCOPES_KEPT, {
    onEvict: (state) => {
      state.memo = undefined;
    },
  });
  readonly #forced = new Set<string>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#memory = new ScopeMemory(options.store, options.warn);
    const {fold, policy, clock} = options;
    this.#folding =
      fold &&
      new Folding({
        settings: fold,
        keepRecentContents: policy.keepRecentContents,
        summarizerContextTokens: summarizerWindow(policy, fold),
        memory: this.#memory,
        tell: (state, record) => this.#tell(state, record),
        clock,
      });
  }

  /** The next call of the session compacts, whatever the estimate says. */
  compactNow(key: SessionKey): void {
    this.#forced.add(sessionKeyText(key));
  }

  /**
   * Brings a request under its target. Replaces `request.contents` when there is something to change, and changes nothing
   * else. `undefined` when compaction is off for this call.
   */
  async prepare(call: ModelCall): Promise<SentRequest | undefined> {
    const {policy} = this.#options;
    const {request} = call;
    if (policy.contextTokens === 0 || request.previousInteractionId !== undefined) {
      return undefined;
    }
    const state = await this.#memory.open(call.key, call.scope);
    const contextTokens = windowOf(policy, request.model ?? '', state);
    if (contextTokens === 0) {
      return undefined;
    }
    const situation = this.#situation(call, state, contextTokens);
    if (!situation) {
      return undefined;
    }
    if (policy.mode === 'observe') {
      this.#observe(situation);
      return sentRequest(call, situation, new View(situation.request));
    }
    const view = await this.#compact(situation, call.signal);
    if (!view.isUntouched) {
      request.contents = view.render().contents;
    } else if (situation.request.contents !== request.contents) {
      request.contents = [...situation.request.contents];
    }
    return sentRequest(call, situation, view);
  }

  /**
   * Takes the prompt token count that a provider reported for a request. False when it is no such count, and a later
   * response of the call may have one. What is learnt is stored while the turn goes on; it waits for the sample before it, when
   * that is not stored yet. Never rejects.
   */
  async calibrate(sent: SentRequest, reported: unknown): Promise<boolean> {
    const {policy, clock} = this.#options;
    if (!isSample(reported)) {
      return false;
    }
    sent.state.lastSent = {...sent.figures, reported};
    if (policy.calibration && sent.isComparable) {
      await learnFrom(sent, reported, {estimator: policy.estimator, clock, memory: this.#memory});
    }
    return true;
  }

  /** Aborts running folds, waits until they and what was learnt are stored, and makes no more. */
  async close(): Promise<void> {
    await this.#folding?.close();
    await this.#memory.waitForSamples();
  }

  /** Every scope of the session seen, here or in the store. Rejects when the store cannot be read. */
  async status(key: SessionKey): Promise<CompactionStatus> {
    const {policy, store, fold} = this.#options;
    await this.#memory.waitForSamples(this.#memory.of(key));
    const [samples, failures] = await Promise.all([
      store.calibrations(key),
      fold?.backOff ? store.failedFolds(key) : undefined,
    ]);
    const scopes = new Map(this.#memory.of(key).map((state) => [scopeText(state.scope), state.scope]));
    for (const scope of await store.scopes(key)) {
      scopes.set(scopeText(scope), scope);
    }
    const states = await Promise.all([...scopes.values()].map((scope) => this.#memory.open(key, scope)));
    return {scopes: states.map((state) => scopeStatus(state, policy.estimator, samples, failures))};
  }

  #situation(call: ModelCall, state: ScopeState, contextTokens: number): Situation | undefined {
    const {policy} = this.#options;
    const {request} = call;
    try {
      const {measured, memo} = measureCall(call, policy.repairOrphans, state.memo);
      state.memo = memo;
      this.#measured.getOrCreate(state, () => state);
      state.warnings.clear('compaction.estimate.failed');
      return situationOf(
        policy,
        {
          state,
          request: measured,
          bounds: boundsOf(measured, policy, userMessageIndex(measured, call.userContent)),
          model: request.model ?? '',
          contextTokens,
          isForced: this.#forced.size > 0 && this.#forced.delete(sessionKeyText(call.key)),
        },
        this.#options.fold,
      );
    } catch (error) {
      state.warnings.raise(
        'compaction.estimate.failed',
        `The request could not be measured (${errorName(error)}); it goes out as it came.`,
        error,
      );
      return undefined;
    }
  }

  async #compact(situation: Situation, signal: AbortSignal | undefined): Promise<View> {
    const {state} = situation;
    const incoming = verified(situation, currentView(situation));
    let view = incoming;
    if (situation.isForced || situation.expected(view) >= situation.triggerTokens) {
      view = await this.#elide(situation, view);
      if (this.#folding && (situation.isForced || !isWithinTarget(situation, view))) {
        const folded = await this.#folding.step(situation, view, signal);
        if (!folded) {
          return incoming;
        }
        view = folded;
      }
      view = await this.#commit(situation, view, dropStep(situation, view));
      if (!isWithinTarget(situation, view)) {
        state.warnings.raise(
          'compaction.budget.exhausted',
          `Everything allowed was done and the request is still expected at ${situation.expected(view)} tokens, above the target of ${situation.targetTokens}; it goes out. Lower keepRecentContents, preserve fewer tools, or shorten the system instruction and tools.`,
        );
      }
    }
    if (isWithinTarget(situation, view)) {
      state.warnings.clear('compaction.budget.exhausted');
    }
    if (situation.rejections.length === 0) {
      state.warnings.clear('compaction.plan.rejected');
    }
    return view;
  }

  /** While the store is asked, another call of the scope may fold: then the request is looked at afresh. */
  async #elide(situation: Situation, from: View): Promise<View> {
    const step = elisionStep(situation, from, this.#options.policy);
    const fold = foldInUse(situation);
    const view = await this.#commit(situation, from, step);
    const isFoldCurrent = !step || foldInUse(situation) === fold;
    return isFoldCurrent ? view : verified(situation, currentView(situation));
  }

  async #commit(situation: Situation, before: View, step: Step | undefined): Promise<View> {
    if (!step) {
      return before;
    }
    const record = stepRecord(situation, before, step, this.#options.clock());
    const {state, basedOn} = situation;
    await this.#memory.commit(state, {records: [record], decisions: step.decisions, basedOn});
    this.#tell(state, record);
    return step.view;
  }

  /** Reports what took effect; whatever shortened the history gives tools their output budget again. */
  #tell({key}: ScopeState, record: CompactionRecord | FailedFoldRecord): void {
    const {report, toolOutputBudget} = this.#options;
    if (record.kind !== 'failed-fold') {
      toolOutputBudget?.reset(key);
    }
    report(record);
  }

  /** What enforcing would do to this request without any earlier decision. */
  #observe(situation: Situation): void {
    const {policy, clock, report} = this.#options;
    let view = recognise(situation.request, new Decisions(), situation.bounds);
    if (!situation.isForced && situation.expected(view) < situation.triggerTokens) {
      return;
    }
    const plans = [(from: View) => elisionStep(situation, from, policy), (from: View) => dropStep(situation, from)];
    for (const plan of plans) {
      const step = plan(view);
      if (step) {
        report({...stepRecord(situation, view, step, clock()), observed: true});
        view = step.view;
      }
    }
  }
}
