import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {Engine} from '../engine/engine.ts';
import {type FoldOptions, managedFoldSettings} from '../fold/fold-options.ts';
import {type CompactionPolicy, parsePolicy} from '../policy.ts';
import type {SessionKey} from '../session-key.ts';
import {MemoryCompactionStore} from '../store/memory-compaction-store.ts';
import type {CompactionRecord, FailedFoldRecord} from '../store/records.ts';
import type {RecordedCall} from './model-calls.ts';
import type {ProviderCount} from './provider-count.ts';
import {SentLedger, type SentTokens} from './sent-ledger.ts';

/** One policy to replay under. */
export interface ReplayPolicy {
  readonly name: string;
  readonly policy: CompactionPolicy & {readonly contextTokens: number};
  /** Left out: elide and drop only. */
  readonly fold?: FoldOptions | undefined;
}

/** One model call under one policy. */
export interface ReplayedCall extends SentTokens {
  /** The deciding figure of the request as it goes out, and the expectation by which the policy acted. */
  readonly estimate?: number;
  readonly expected?: number;
  /** What was done before the call. */
  readonly actions: readonly (CompactionRecord | FailedFoldRecord)[];
}

/** Runs the engine of a live manager over recorded calls, with a memory of its own. */
export class PolicyRun {
  readonly #key: SessionKey;
  readonly #engine: Engine;
  readonly #ledger: SentLedger;
  #actions: (CompactionRecord | FailedFoldRecord)[] = [];
  #time = 0;

  /** Throws `InvalidOptionsError` that names the field when the policy cannot be used. */
  constructor(key: SessionKey, {policy, fold}: ReplayPolicy, count: ProviderCount) {
    this.#key = key;
    this.#ledger = new SentLedger(count);
    this.#engine = new Engine({
      policy: parsePolicy(policy),
      store: new MemoryCompactionStore(),
      fold: fold && managedFoldSettings(fold),
      // What a warning would tell is in the figures: a failed fold, a request over the window.
      warn: () => {},
      report: (record) => this.#actions.push(record),
      clock: () => this.#time,
    });
  }

  /**
   * The next call of the session, with the contents that ADK assembled for it.
   *
   * @param recordedTokens what the contents that went out when the session was recorded are predicted at
   */
  async call(call: RecordedCall, contents: readonly Content[], recordedTokens: number): Promise<ReplayedCall> {
    this.#actions = [];
    this.#time = call.time;
    const request = requestOf(call, contents);
    const {scope, userContent} = call;
    const sent = await this.#engine.prepare({key: this.#key, scope, request, userContent});
    const entry = this.#ledger.enter(call, request, recordedTokens);
    if (sent && call.reported !== undefined) {
      await this.#engine.calibrate(sent, entry.tokens);
    }
    return {
      ...entry,
      ...(sent && {estimate: sent.figures.estimate, expected: sent.figures.expected}),
      actions: this.#actions,
    };
  }
}

/** The request of a recorded call. What a session does not hold (system instruction, tools) is not in it. */
export function requestOf({model}: RecordedCall, contents: readonly Content[]): LlmRequest {
  return {model, contents: [...contents], config: {}, toolsDict: {}, liveConnectConfig: {}};
}
