import {CompactionError} from '../errors.ts';
import {type Prices, policyFigures} from './figures.ts';
import type {PolicyFigures} from './policy-figures.ts';
import type {ReplayPolicy} from './policy-run.ts';
import type {SessionReplay} from './replay.ts';
import type {TokenShare} from './token-shares.ts';

const FORMAT = 'adk-compaction/replay';
const VERSION = 1;

/** A policy as it is written down. */
export interface PolicyDescription {
  readonly name: string;
  readonly contextTokens: number;
  readonly triggerFraction: number;
  readonly targetFraction: number;
  readonly keepRecentContents: number;
  /** The summariser's name; absent without folds. */
  readonly fold?: string;
}

export interface ReplayedSession extends SessionReplay {
  /** Sums of each policy, in their order. */
  readonly figures: readonly PolicyFigures[];
  /** Sums without any compaction. */
  readonly uncompacted: PolicyFigures;
  readonly shares: readonly TokenShare[];
}

/** What `replay --json` prints and `report` reads. */
export interface ReplayDocument {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly policies: readonly PolicyDescription[];
  readonly prices?: Prices;
  readonly sessions: readonly ReplayedSession[];
}

/** Puts replayed sessions and their sums together. */
export function replayDocument(
  policies: readonly PolicyDescription[],
  sessions: readonly (SessionReplay & {readonly shares: readonly TokenShare[]})[],
  prices: Prices | undefined,
): ReplayDocument {
  const window = policies[0]?.contextTokens ?? Number.POSITIVE_INFINITY;
  return {
    format: FORMAT,
    version: VERSION,
    policies,
    ...(prices && {prices}),
    sessions: sessions.map((session) => ({
      ...session,
      figures: policies.map(({contextTokens}, index) => {
        const calls = session.calls.flatMap((call) => call.policies[index] ?? []);
        return policyFigures(calls, contextTokens, prices);
      }),
      uncompacted: policyFigures(
        session.calls.map((call) => ({...call.uncompacted, actions: []})),
        window,
        prices,
      ),
    })),
  };
}

/** How a policy is written down; its defaults are those of the engine. */
export function describePolicy(
  {name, policy, fold}: ReplayPolicy,
  resolved: Pick<PolicyDescription, 'triggerFraction' | 'targetFraction' | 'keepRecentContents'>,
): PolicyDescription {
  const {triggerFraction, targetFraction, keepRecentContents} = resolved;
  const {contextTokens} = policy;
  const summarizer = fold && ('model' in fold.summarizer ? fold.summarizer.model : (fold.model ?? 'endpoint'));
  return {
    name,
    contextTokens,
    triggerFraction,
    targetFraction,
    keepRecentContents,
    ...(summarizer === undefined ? {} : {fold: String(summarizer)}),
  };
}

/** True for a value that says it is a replay. */
export function isReplayDocument(value: unknown): value is ReplayDocument {
  if (typeof value !== 'object' || value === null || (value as {format?: unknown}).format !== FORMAT) {
    return false;
  }
  const {version} = value as {version?: unknown};
  if (version === VERSION) {
    return true;
  }
  throw new CompactionError(
    'replay.version',
    `The replay has version ${String(version)}; this package reads version ${VERSION}. Run the replay again.`,
  );
}
