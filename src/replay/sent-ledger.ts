import type {LlmRequest} from '@google/adk';
import {subtractPredictions, tokensOf} from '../estimate/prediction.ts';
import {scopeText} from '../session-key.ts';
import type {RecordedCall} from './model-calls.ts';
import {PredictedContents} from './predicted-contents.ts';
import type {ProviderCount} from './provider-count.ts';

/** What a request costs, in tokens as a provider reports them. */
export interface SentTokens {
  readonly tokens: number;
  /** Of these, the tokens that begin this request and the one before it alike: what a prompt cache can give at best. */
  readonly stableTokens: number;
}

/** Books the requests of a session as they go out, and compares each with the one before it in its scope. */
export class SentLedger {
  readonly #count: ProviderCount;
  readonly #scopes = new Map<string, PredictedContents>();

  constructor(count: ProviderCount) {
    this.#count = count;
  }

  /** @param recordedTokens what the contents that went out when the session was recorded are predicted at */
  enter(call: RecordedCall, {contents, model}: LlmRequest, recordedTokens: number): SentTokens {
    const text = scopeText(call.scope);
    const known = this.#scopes.get(text);
    const scope = known ?? new PredictedContents();
    this.#scopes.set(text, scope);
    const {all, shared} = scope.next(contents);
    const tokens = this.#count.of(call, recordedTokens, tokensOf(all, model));
    if (known === undefined) {
      return {tokens, stableTokens: 0};
    }
    const addedTokens = tokensOf(subtractPredictions(all, shared), model);
    return {tokens, stableTokens: Math.max(tokens - this.#count.worth(call, addedTokens), 0)};
  }
}
