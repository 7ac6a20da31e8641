import type {FoldSettings} from '../fold/fold-options.ts';
import {requireSync} from '../options.ts';
import type {ResolvedPolicy} from '../policy.ts';
import type {ScopeState} from './scope-state.ts';

/** The context window of a model in tokens; 0, after a warning, when the policy gives no number. */
export function windowOf(policy: ResolvedPolicy, model: string, state: ScopeState): number {
  if (typeof policy.contextTokens === 'number') {
    return policy.contextTokens;
  }
  const tokens = callQuietly(policy.contextTokens, model);
  if (tokens !== undefined) {
    state.warnings.clear('compaction.policy.window');
    return tokens;
  }
  state.warnings.raise(
    'compaction.policy.window',
    `policy.contextTokens gave no number of tokens for model ${JSON.stringify(model)}; compaction is off for this call.`,
  );
  return 0;
}

/** The window of the model that writes summaries; 0 when it is not known. */
export function summarizerWindow(policy: ResolvedPolicy, {summarizer}: FoldSettings): number {
  if (typeof policy.contextTokens === 'number') {
    return policy.contextTokens;
  }
  const model = summarizer.kind === 'model' ? summarizer.model : undefined;
  return model === undefined ? 0 : (callQuietly(policy.contextTokens, model) ?? 0);
}

function callQuietly(contextTokens: (model: string) => number, model: string): number | undefined {
  try {
    const tokens = requireSync(contextTokens(model));
    return Number.isFinite(tokens) && tokens >= 0 ? tokens : undefined;
  } catch {
    return undefined;
  }
}
