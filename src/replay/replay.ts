import type {Event} from '@google/adk';
import type {Content} from '@google/genai';
import {predictContent} from '../estimate/predict-content.ts';
import {tokensOf} from '../estimate/prediction.ts';
import {MILLITOKENS} from '../estimate/text-cost.ts';
import {type Scope, type SessionKey, scopeText} from '../session-key.ts';
import type {CalibrationRecord} from '../store/records.ts';
import {type AssembleContents, ContentAssembly} from './content-assembly.ts';
import {modelCalls, type RecordedCall} from './model-calls.ts';
import {PolicyRun, type ReplayedCall, type ReplayPolicy, requestOf} from './policy-run.ts';
import {PredictedContents} from './predicted-contents.ts';
import {type CountedCall, countSlope, ProviderCount, sampledCalls} from './provider-count.ts';
import type {RecordedSession} from './recorded-session.ts';
import {SentLedger, type SentTokens} from './sent-ledger.ts';

/** A recorded call, and what it would have been under each policy. */
export interface CallReplay {
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly model: string;
  /** What the provider reported when the session was recorded. */
  readonly reported?: number;
  readonly cached?: number;
  /** Without any compaction, the window ignored. */
  readonly uncompacted: SentTokens;
  /** One for each policy, in their order. */
  readonly policies: readonly ReplayedCall[];
}

export interface SessionReplay {
  readonly key: SessionKey;
  readonly calls: readonly CallReplay[];
  /** Calls that ADK itself would not have made, for the reason it gives; they are left out. */
  readonly skipped: readonly {readonly eventIndex: number; readonly reason: string}[];
}

/**
 * Replays the model calls of a session under each policy: the engine of a live manager gets the contents that ADK would
 * have sent, and learns from what the provider would have reported. Calls no model but the summariser of a policy.
 *
 * @param onCall called after each call
 */
export async function replaySession(
  session: RecordedSession,
  policies: readonly ReplayPolicy[],
  assemble: AssembleContents,
  onCall: () => void = () => {},
): Promise<SessionReplay> {
  const {key, events, compaction} = session;
  const calls = modelCalls(events);
  const samples = sampledCalls(calls, compaction?.samples ?? []);
  const count = new ProviderCount(countSlope(countedCalls(events, calls, samples)));
  const runs = policies.map((policy) => new PolicyRun(key, policy, count));
  const uncompacted = new SentLedger(count);
  const requests = new RecordedRequests(events, assemble, samples);
  const replayed: CallReplay[] = [];
  const skipped: {eventIndex: number; reason: string}[] = [];
  for (const call of calls) {
    try {
      const {contents, recordedTokens} = await requests.of(call);
      const {scope, time, model, reported, cached} = call;
      const bare = uncompacted.enter(call, requestOf(call, contents), recordedTokens);
      const results: ReplayedCall[] = [];
      for (const run of runs) {
        results.push(await run.call(call, contents, recordedTokens));
      }
      replayed.push({
        scope,
        time,
        model,
        ...(reported === undefined ? {} : {reported}),
        ...(cached === undefined ? {} : {cached}),
        uncompacted: bare,
        policies: results,
      });
    } catch (error) {
      if (!(error instanceof AssemblyError)) {
        throw error;
      }
      skipped.push({eventIndex: call.eventIndex, reason: error.message});
    }
    onCall();
  }
  return {key, calls: replayed, skipped};
}

/** ADK could not assemble a request. */
class AssemblyError extends Error {}

interface RecordedScope {
  readonly assembly: ContentAssembly;
  readonly predicted: PredictedContents;
  /** What its requests held beside the contents. */
  fixedTokens?: number;
}

/** The requests of a session as ADK assembles them, and how large they were when the session was recorded. */
class RecordedRequests {
  readonly #events: readonly Event[];
  readonly #assemble: AssembleContents;
  readonly #samples: ReadonlyMap<RecordedCall, CalibrationRecord>;
  readonly #scopes = new Map<string, RecordedScope>();

  constructor(
    events: readonly Event[],
    assemble: AssembleContents,
    samples: ReadonlyMap<RecordedCall, CalibrationRecord>,
  ) {
    this.#events = events;
    this.#assemble = assemble;
    this.#samples = samples;
  }

  async of(call: RecordedCall): Promise<{readonly contents: readonly Content[]; readonly recordedTokens: number}> {
    const text = scopeText(call.scope);
    const scope: RecordedScope = this.#scopes.get(text) ?? {
      assembly: new ContentAssembly(this.#events, call.scope, this.#assemble),
      predicted: new PredictedContents(),
    };
    this.#scopes.set(text, scope);
    const contents = await scope.assembly.before(call.eventIndex).catch((error: unknown) => {
      throw new AssemblyError(error instanceof Error ? error.message : String(error), {cause: error});
    });
    const assembledTokens = tokensOf(scope.predicted.next(contents).all, call.model);
    const sample = this.#samples.get(call);
    if (sample === undefined) {
      return {contents, recordedTokens: assembledTokens};
    }
    // Before its first sample nothing was compacted: what the request held beside the contents is the difference.
    scope.fixedTokens ??= sample.prediction - assembledTokens;
    return {contents, recordedTokens: sample.prediction - scope.fixedTokens};
  }
}

/** What each scope's calls were predicted and reported at: from the manager's samples, else from the events before them. */
function countedCalls(
  events: readonly Event[],
  calls: readonly RecordedCall[],
  samples: ReadonlyMap<RecordedCall, CalibrationRecord>,
): Iterable<CountedCall[]> {
  const sums = [0];
  for (const {content, partial} of events) {
    sums.push((sums.at(-1) ?? 0) + (content && !partial ? predictContent(content).millitokens / MILLITOKENS : 0));
  }
  const scopes = new Map<string, CountedCall[]>();
  for (const call of calls) {
    const {reported, scope, eventIndex} = call;
    if (reported === undefined) {
      continue;
    }
    const predicted = samples.get(call)?.prediction ?? (samples.size > 0 ? undefined : sums[eventIndex]);
    if (predicted === undefined) {
      continue;
    }
    const text = scopeText(scope);
    const counted = scopes.get(text) ?? [];
    counted.push({predicted, reported});
    scopes.set(text, counted);
  }
  return scopes.values();
}
