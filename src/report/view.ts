// The data of a report page: plain JSON, shared by the program that makes it and the page that draws it.

import type {PolicyFigures} from '../replay/policy-figures.ts';
import type {SessionKey} from '../session-key.ts';

/** Everything a page shows. */
export interface ReportView {
  /** Milliseconds since the epoch. */
  readonly generatedAt: number;
  /** True when the page asks its server for news. */
  readonly isLive: boolean;
  /** The sessions to choose from, the one last active first. */
  readonly sessions: readonly SessionKey[];
  /** Views of these sessions, in their order; of a live page only the one that was asked for. */
  readonly views: readonly SessionView[];
}

export interface SessionView {
  readonly name: SessionKey;
  /** `store`: what a manager recorded; `recording`: events alone; `replay`: what the first policy would have done. */
  readonly origin: 'store' | 'recording' | 'replay';
  readonly window?: WindowView;
  readonly calls: readonly CallView[];
  readonly cuts: readonly CutView[];
  readonly failedFolds: readonly FailedFoldView[];
  readonly backOffs: readonly {readonly agent: string; readonly since: number; readonly reason: string}[];
  readonly shares: readonly ShareView[];
  readonly comparison?: ComparisonView;
}

/** All in tokens. */
export interface WindowView {
  readonly contextTokens: number;
  readonly triggerTokens: number;
  readonly targetTokens: number;
}

/** One model call. Tokens are those of the request as it was sent. */
export interface CallView {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly agent: string;
  readonly model: string;
  readonly expected?: number;
  readonly reported?: number;
  /** Share of the request that begins like the one before it. */
  readonly stableShare?: number;
  /** Share that the provider says it read from its cache. */
  readonly cachedShare?: number;
}

/** One thing that compaction did before a call. */
export interface CutView {
  /** Index into `calls`. */
  readonly call: number;
  readonly kind: 'elision' | 'fold' | 'drop';
  readonly time: number;
  readonly agent: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Answers elided, contents folded, or turns dropped. */
  readonly count: number;
  /** Elisions: the tools, with how many of their answers. */
  readonly tools: readonly {readonly name: string; readonly count: number}[];
  readonly summary?: string;
}

export interface FailedFoldView {
  /** Index into `calls`. */
  readonly call: number;
  readonly time: number;
  readonly agent: string;
  readonly reason: string;
  readonly attempts: number;
  readonly tokens: number;
}

/** Predicted tokens of a tool's calls and answers, or of words, in the whole session. */
export interface ShareView {
  readonly kind: 'tool' | 'user' | 'model' | 'thought';
  readonly name: string;
  readonly tokens: number;
  readonly parts: number;
}

/** Policies side by side. The first row is without compaction. */
export interface ComparisonView {
  readonly hasPrices: boolean;
  readonly rows: readonly PolicyView[];
}

export interface PolicyView
  extends Omit<PolicyFigures, 'calls' | 'stableTokens' | 'foldInputTokens' | 'foldOutputTokens'> {
  readonly name: string;
  readonly settings: string;
  /** Share of all tokens that begin a request and the one before it alike. */
  readonly stableShare: number;
  /** Tokens of each call. */
  readonly tokensByCall: readonly number[];
}
