import type {Context, SingleAfterModelCallback, SingleBeforeModelCallback} from '@google/adk';
import {Engine, type EngineOptions} from '../engine/engine.ts';
import type {SentRequest} from '../engine/sent-request.ts';
import type {CompactionStatus} from '../engine/status.ts';
import {InvalidOptionsError} from '../errors.ts';
import {FoldError} from '../fold/fold-errors.ts';
import {toNormalForm} from '../json/normal-form.ts';
import {requireSync} from '../options.ts';
import type {SessionKey} from '../session-key.ts';
import {MemoryCompactionStore} from '../store/memory-compaction-store.ts';
import type {Warning, WarningSink} from '../warnings.ts';
import {logCause, logFailure, logWarning} from './adk-logger.ts';
import {type CompactionOptions, parseCompactionOptions} from './compaction-options.ts';
import {modelCallOf} from './model-call-of.ts';

/** One model call between its before and its after. */
interface OpenCall {
  sent: SentRequest | undefined;
  isSampled: boolean;
}

/**
 * Keeps model calls inside the context window. Register its callbacks on one agent, or hand it to a
 * {@link CompactionPlugin} for all agents of a runner, or both: it never runs twice for one model call.
 *
 * No callback of it fails a turn: what goes wrong is reported as a warning or to ADK's logger, and the request goes out. The
 * one exception is asked for: a `FoldError` when an `onFold` observer throws.
 */
export class CompactionManager {
  readonly #engine: Engine;
  /** Keyed by `context.actions`: the one object that before and after of a model call share. */
  readonly #calls = new WeakMap<object, OpenCall>();

  /** Throws `InvalidOptionsError` that names the field when an option cannot be used. */
  constructor(options: CompactionOptions) {
    const {policy, store, fold, toolOutputBudget, onWarning, onRecord, clock} = parseCompactionOptions(options);
    this.#engine = new Engine({
      policy,
      store: store ?? new MemoryCompactionStore(),
      fold,
      toolOutputBudget,
      warn: onWarning ? warnHost(onWarning) : logWarning,
      report: onRecord ? reportTo(onRecord) : () => undefined,
      clock: clock ? steady(clock) : Date.now,
    });
  }

  /** Edits `request.contents`, nothing else. Always resolves to undefined, so later callbacks and the model run. */
  readonly beforeModel: SingleBeforeModelCallback = async ({context, request}) => {
    try {
      if (this.#calls.has(context.actions)) {
        return undefined;
      }
      const call: OpenCall = {sent: undefined, isSampled: false};
      this.#calls.set(context.actions, call);
      call.sent = await this.#engine.prepare(modelCallOf(context, request));
    } catch (error) {
      if (error instanceof FoldError) {
        throw error;
      }
      logFailure('A request was not compacted', error);
    }
    return undefined;
  };

  /** Takes one sample a call, however many streamed responses carry it. Always resolves to undefined. */
  readonly afterModel: SingleAfterModelCallback = async ({context, response}) => {
    try {
      const call = this.#calls.get(context.actions);
      if (call?.sent && !call.isSampled) {
        call.isSampled = await this.#engine.calibrate(call.sent, response.usageMetadata?.promptTokenCount);
      }
    } catch (error) {
      logFailure('A response was not learnt from', error);
    }
    return undefined;
  };

  /** Releases a call whose model failed: nothing is learnt from it. The plugin calls it; on agents alone ADK has no such hook. */
  modelFailed(context: Context): void {
    this.#calls.delete(context.actions);
  }

  /**
   * The next call of that session elides all eligible answers and folds at the usual split, whatever the estimate, `minFold`
   * and back-off say; it drops turns only above the target.
   */
  compactNow(key: SessionKey): void {
    this.#engine.compactNow(checkedKey(key));
  }

  /** What compaction knows of a session, by scope. Rejects when the store cannot be read. */
  async status(key: SessionKey): Promise<CompactionStatus> {
    return await this.#engine.status(checkedKey(key));
  }

  /**
   * Aborts running folds and resolves when they, and what was learnt of the last calls, are stored; called by an `onFold`
   * observer, it does not wait for folds. No more folds are made. The store stays open: it is the host's to close.
   */
  async close(): Promise<void> {
    await this.#engine.close();
  }
}

/** The time; the system's, and a line in the log the first time, where the host's clock gives none. */
function steady(clock: () => number): () => number {
  let isReported = false;
  return () => {
    try {
      const time = requireSync(clock());
      if (Number.isFinite(time)) {
        return time;
      }
      throw new TypeError(`The clock gave ${String(time)}.`);
    } catch (error) {
      if (!isReported) {
        isReported = true;
        logFailure('The option clock gave no time; Date.now is used', error);
      }
      return Date.now();
    }
  };
}

/** Hosts get copies: what they change in a record does not reach what is remembered. */
function reportTo(onRecord: NonNullable<CompactionOptions['onRecord']>): EngineOptions['report'] {
  return (record) => attempt('onRecord threw', () => onRecord(toNormalForm(record) as typeof record));
}

/** Throws `InvalidOptionsError` for anything but three texts: a call with another key would do nothing, silently. */
function checkedKey(key: SessionKey): SessionKey {
  const ids = [key?.appName, key?.userId, key?.sessionId];
  if (!ids.every((id) => typeof id === 'string')) {
    throw new InvalidOptionsError('key', `must be {appName, userId, sessionId} (seen: ${JSON.stringify(key)}).`);
  }
  return key;
}

function warnHost(onWarning: (warning: Warning) => void): WarningSink {
  return (warning, cause) => {
    const {key, scope} = warning;
    attempt('onWarning threw', () => onWarning({...warning, key: {...key}, scope: {...scope}}));
    if (cause !== undefined) {
      logCause(warning, cause);
    }
  };
}

/** Runs a host's callback; what it throws or rejects with goes to the logger. */
function attempt(what: string, callback: () => unknown): void {
  try {
    const result = callback();
    if (result instanceof Promise) {
      result.catch((error: unknown) => logFailure(what, error));
    }
  } catch (error) {
    logFailure(what, error);
  }
}
