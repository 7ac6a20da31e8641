import type {Scope, SessionKey} from './session-key.ts';

/** What a warning is about; stable. */
export type WarningCode =
  /** The request could not be measured; it went out as it came. */
  | 'compaction.estimate.failed'
  /** Everything allowed was done and the request is still above the target. */
  | 'compaction.budget.exhausted'
  /** The store could not be read, wholly or in part; memory goes on. */
  | 'compaction.store.load'
  /**
   * The store could not be written; the decision lives in memory and is written when the store works again. Or the session was
   * deleted during a call; then what it decided is not stored.
   */
  | 'compaction.store.save'
  /** A fold gave no usable summary; or a callback that chooses pins threw, and what it could not be asked about stays. */
  | 'compaction.fold.failed'
  /** No summary was asked for because the last one failed a short while ago. */
  | 'compaction.fold.backoff'
  /** A plan would have broken a promise and was not used. */
  | 'compaction.plan.rejected'
  /** `policy.contextTokens` threw or gave no finite number; compaction was off for that call. */
  | 'compaction.policy.window';

/** Something that did not go as it should, and what follows from it. Holds no message text. */
export interface Warning {
  readonly code: WarningCode;
  readonly source: 'compaction';
  /** Id of the session. */
  readonly session: string;
  readonly key: SessionKey;
  readonly scope: Scope;
  readonly message: string;
}

/** Takes warnings, each with the error behind it where there is one. The error may hold message text; the warning does not. */
export type WarningSink = (warning: Warning, cause?: unknown) => void;

/** The warnings of one scope: each code once until its condition has passed. */
export class ScopeWarnings {
  readonly #raised = new Set<WarningCode>();
  readonly #key: SessionKey;
  readonly #scope: Scope;
  readonly #sink: WarningSink;

  constructor(key: SessionKey, scope: Scope, sink: WarningSink) {
    this.#key = key;
    this.#scope = scope;
    this.#sink = sink;
  }

  /** Hands the warning on, unless the code is raised already. */
  raise(code: WarningCode, message: string, cause?: unknown): void {
    if (!this.#raised.has(code)) {
      this.#raised.add(code);
      this.#sink(
        {code, source: 'compaction', session: this.#key.sessionId, key: this.#key, scope: this.#scope, message},
        cause,
      );
    }
  }

  /** The condition has passed: the code may be raised again. */
  clear(code: WarningCode): void {
    this.#raised.delete(code);
  }
}
