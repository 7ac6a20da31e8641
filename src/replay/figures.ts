import type {Usage} from '../store/records.ts';
import type {PolicyFigures} from './policy-figures.ts';
import type {ReplayedCall} from './policy-run.ts';

/** What tokens cost, in US dollars per million. */
export interface Prices {
  readonly input: number;
  /** Input tokens that came from the provider's prompt cache. */
  readonly cached: number;
  /** Output tokens, which summaries are made of. */
  readonly output: number;
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
