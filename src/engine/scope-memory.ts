import {CompactionError, errorName} from '../errors.ts';
import {LruMap} from '../lru-map.ts';
import {type Scope, type SessionKey, scopeText, sessionKeyText} from '../session-key.ts';
import {
  type CommitResult,
  type CompactionStore,
  type LearnedCalibration,
  type ScopeCommit,
  SessionDeletedError,
} from '../store/compaction-store.ts';
import type {CalibrationRecord} from '../store/records.ts';
import {ScopeWarnings, type WarningSink} from '../warnings.ts';
import {ScopeState, type UnsavedCommit} from './scope-state.ts';

/** What one model call taught. */
interface Sample {
  readonly record: CalibrationRecord;
  readonly learned: LearnedCalibration;
}

const SCOPES_KEPT = 1_000;
/** A store that takes longer counts as one that failed: a turn must not hang on it. */
const STORE_TIMEOUT_MS = 10_000;

/**
 * The scopes this process works with, kept in step with the store. What the store cannot do now, memory does: a load that
 * fails leaves what is known, a save that fails is tried again at the scope's next call.
 */
export class ScopeMemory {
  readonly #store: CompactionStore;
  readonly #warn: WarningSink;
  readonly #scopes = new LruMap<string, ScopeState>(SCOPES_KEPT, {
    isNeeded: ({unsaved, samplesInFlight}) => unsaved.size > 0 || samplesInFlight.size > 0,
  });

  constructor(store: CompactionStore, warn: WarningSink) {
    this.#store = store;
    this.#warn = warn;
  }

  /** The state of a scope, as the store has it now. Never rejects. */
  async open(key: SessionKey, scope: Scope): Promise<ScopeState> {
    const state = this.#scopes.getOrCreate(
      `${sessionKeyText(key)}${scopeText(scope)}`,
      () => new ScopeState(key, scope, new ScopeWarnings(key, scope, this.#warn)),
    );
    await this.refresh(state);
    if (state.unsaved.size > 0 && (await this.#writeUnsaved(state))) {
      await this.refresh(state);
    }
    return state;
  }

  /** Looks into the store once more. Never rejects. */
  async refresh(state: ScopeState): Promise<void> {
    try {
      await this.#load(state);
      const unreadable = state.snapshot?.unreadable ?? [];
      if (unreadable.length === 0) {
        state.warnings.clear('compaction.store.load');
      } else {
        state.warnings.raise(
          'compaction.store.load',
          `Rows of the compaction store could not be read and are treated as absent: ${unreadable.join(', ')}.`,
        );
      }
    } catch (error) {
      state.warnings.raise(
        'compaction.store.load',
        `The compaction store could not be read (${errorName(error)}); this process goes on with what it knows.`,
        error,
      );
    }
  }

  /** Takes decisions into memory at once and writes them. Never rejects: what cannot be written now is written later. */
  async commit(state: ScopeState, commit: ScopeCommit): Promise<void> {
    await this.save(state, commit).catch(() => undefined);
  }

  /** As `commit`, for those who must know: rejects, after a warning, when the store did not take it. */
  async save(state: ScopeState, commit: ScopeCommit): Promise<CommitResult> {
    const unsaved: UnsavedCommit = {commit, isInFlight: false};
    state.unsaved.add(unsaved);
    state.decisions.add(commit.decisions);
    return await this.#write(state, unsaved);
  }

  /**
   * Has the store keep what was learnt from one call, while the turn goes on; `takeBack` is called when the session was deleted
   * meanwhile. A sample that is lost costs accuracy after a restart, nothing else.
   */
  saveCalibration(state: ScopeState, sample: Sample, basedOn: string | undefined, takeBack: () => void): void {
    const save = this.#saveCalibration(state, sample, basedOn, takeBack).finally(() =>
      state.samplesInFlight.delete(save),
    );
    state.samplesInFlight.add(save);
  }

  async #saveCalibration(
    state: ScopeState,
    {record, learned}: Sample,
    basedOn: string | undefined,
    takeBack: () => void,
  ): Promise<void> {
    state.writes += 1;
    try {
      await inTime(this.#store.saveCalibration(state.key, state.scope, record, learned, basedOn));
    } catch (error) {
      this.#raiseSaveFailed(state, error, 'a calibration sample is lost');
      if (SessionDeletedError.isInstance(error)) {
        takeBack();
      }
    } finally {
      state.writes += 1;
    }
  }

  /** Waits until nothing is under way that `saveCalibration` began. Never rejects. */
  async waitForSamples(states: Iterable<ScopeState> = this.#scopes.values()): Promise<void> {
    await Promise.all([...states].flatMap(({samplesInFlight}) => [...samplesInFlight]));
  }

  /** The scopes of a session that this process has seen. */
  of(key: SessionKey): ScopeState[] {
    const text = sessionKeyText(key);
    return [...this.#scopes.values()].filter((state) => sessionKeyText(state.key) === text);
  }

  /** Loads again when a write came in between or is not done yet: what was read before it is out of date. */
  async #load(state: ScopeState): Promise<void> {
    for (;;) {
      const {writes} = state;
      const snapshot = await inTime(this.#store.load(state.key, state.scope, state.snapshot?.revision));
      if (snapshot && state.samplesInFlight.size > 0) {
        await this.waitForSamples([state]);
      } else if (state.writes === writes) {
        if (snapshot) {
          state.adopt(snapshot);
        }
        return;
      }
    }
  }

  /**
   * Stops at the first that the store does not take: a locked file makes the process wait for every attempt. Gives true when
   * one was of a session that was deleted since.
   */
  async #writeUnsaved(state: ScopeState): Promise<boolean> {
    let isDeleted = false;
    for (const unsaved of state.unsaved) {
      try {
        if (!unsaved.isInFlight) {
          await this.#write(state, unsaved);
        }
      } catch (error) {
        // Warned about by the write; the rest is tried again at the next call.
        if (!SessionDeletedError.isInstance(error)) {
          break;
        }
        isDeleted = true;
      }
    }
    return isDeleted;
  }

  async #write(state: ScopeState, unsaved: UnsavedCommit): Promise<CommitResult> {
    unsaved.isInFlight = true;
    state.writes += 1;
    try {
      const result = await inTime(this.#store.commit(state.key, state.scope, unsaved.commit));
      state.unsaved.delete(unsaved);
      state.goOn(unsaved.commit, result);
      if (state.unsaved.size === 0) {
        state.foldMemory.markStored();
      }
      state.warnings.clear('compaction.store.save');
      return result;
    } catch (error) {
      if (SessionDeletedError.isInstance(error)) {
        // What this process knows of the session is of its former life too: the next call loads it afresh.
        state.unsaved.delete(unsaved);
        state.snapshot = undefined;
      }
      this.#raiseSaveFailed(state, error, 'the decision lives in memory and is written when the store works again');
      throw error;
    } finally {
      unsaved.isInFlight = false;
      state.writes += 1;
    }
  }

  #raiseSaveFailed(state: ScopeState, error: unknown, consequence: string): void {
    if (SessionDeletedError.isInstance(error)) {
      const message = 'The session was deleted while a call of it was running; what that call decided is not stored.';
      state.warnings.raise('compaction.store.save', message, error);
      return;
    }
    state.warnings.raise(
      'compaction.store.save',
      `The compaction store could not be written (${errorName(error)}); ${consequence}.`,
      error,
    );
  }
}

/**
 * The answer, unless it takes too long. What was written too late is written again at the next call: commits are idempotent
 * but for the record.
 */
async function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  // One tick tells whether it has settled already: then no timer is needed.
  let isSettled = false;
  const note = (): void => {
    isSettled = true;
  };
  Promise.resolve(answer).then(note, note);
  await undefined;
  if (isSettled) {
    return await answer;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new CompactionError('compaction.store.timeout', `The store gave no answer in ${STORE_TIMEOUT_MS} ms.`));
    }, STORE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
