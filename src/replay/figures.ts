import type {Usage} from '../store/records.ts';
import type {ReplayedCall} from './policy-run.ts';

/** What tokens cost, in US dollars per million. */
export interface Prices {
  readonly input: number;
  /** Input tokens that came from the provider's prompt cache. */
  readonly cached: number;
  /** Output tokens, which summaries are made of. */
  readonly output: number;
}

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

/** Sums up calls of one policy. */
export function policyFigures(
  calls: readonly ReplayedCall[],
  contextTokens: number,
  prices: Prices | undefined,
): PolicyFigures {
  const sum = (figure: (call: ReplayedCall) => number): number =>
    calls.reduce((total, call) => total + figure(call), 0);
  const actions = calls.flatMap((call) => call.actions);
  const covered = (kind: 'elision' | 'drop'): number =>
    actions.reduce((total, action) => total + (action.kind === kind ? action.covers.length : 0), 0);
  const spent = (member: keyof Usage): number =>
    actions.reduce((total, {kind, ...action}) => {
      const usage = kind === 'fold' || kind === 'failed-fold' ? (action as {usage?: Usage}).usage : undefined;
      return total + (usage?.[member] ?? 0);
    }, 0);
  const figures = {
    calls: calls.length,
    tokens: sum((call) => call.tokens),
    stableTokens: sum((call) => call.stableTokens),
    peakTokens: calls.reduce((peak, call) => Math.max(peak, call.tokens), 0),
    overWindow: calls.filter((call) => call.tokens > contextTokens).length,
    cuts: calls.filter((call) => call.actions.some((action) => action.kind !== 'failed-fold')).length,
    elisions: covered('elision'),
    folds: actions.filter((action) => action.kind === 'fold').length,
    failedFolds: actions.filter((action) => action.kind === 'failed-fold').length,
    drops: covered('drop'),
    foldInputTokens: spent('promptTokenCount'),
    foldOutputTokens: spent('candidatesTokenCount'),
  };
  return prices === undefined ? figures : {...figures, cost: costOf(figures, prices)};
}

function costOf(figures: Omit<PolicyFigures, 'cost'>, {input, cached, output}: Prices): number {
  const {tokens, stableTokens, foldInputTokens, foldOutputTokens} = figures;
  const dollars = (tokens - stableTokens + foldInputTokens) * input + stableTokens * cached + foldOutputTokens * output;
  return dollars / 1e6;
}
