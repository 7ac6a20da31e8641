/** The sums of one policy. Tokens are those a provider reports. */
export interface PolicyFigures {
  readonly calls: number;
  readonly tokens: number;
  readonly stableTokens: number;
  readonly peakTokens: number;
  /** Requests above the window. */
  readonly overWindow: number;
  /** Requests before which something was newly elided, folded or dropped. */
  readonly cuts: number;
  /** Answers elided. */
  readonly elisions: number;
  readonly folds: number;
  readonly failedFolds: number;
  /** Turns dropped. */
  readonly drops: number;
  /** What the summaries cost in tokens. */
  readonly foldInputTokens: number;
  readonly foldOutputTokens: number;
  /** US dollars: requests with their cached part at its price, and summaries. Absent without prices. */
  readonly cost?: number;
}
