import type {PolicyDescription} from '../replay/replay-document.ts';

/** A policy's settings in a line. */
export function policySettings(policy: PolicyDescription): string {
  const {contextTokens, triggerFraction, targetFraction, keepRecentContents, fold} = policy;
  const share = (fraction: number): string => `${Math.round(1000 * fraction) / 10} %`;
  const window = contextTokens.toLocaleString('en');
  const folds = fold === undefined ? '' : `, folds (${fold})`;
  return `${window} tokens, ${share(triggerFraction)} → ${share(targetFraction)}, keeps ${keepRecentContents}${folds}`;
}
