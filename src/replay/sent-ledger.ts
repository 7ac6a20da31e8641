import type {LlmRequest} from '@google/adk';
import {type MeasureMemo, measureRequest} from '../estimate/measure.ts';
import {predictedTokens, totalPrediction} from '../estimate/prediction.ts';
import {scopeText} from '../session-key.ts';
import type {RecordedCall} from './model-calls.ts';
import type {ProviderCount} from './provider-count.ts';

/** What a request costs, in tokens as a provider reports them. */
export interface SentTokens {
  readonly tokens: number;
  /** Of these, the tokens that begin this request and the one before it alike: what a prompt cache can give at best. */
  readonly stableTokens: number;
}

const NOTHING = {tokens: 0, signatureCharacters: 0};

/** Books the requests of a session as they go out, and compares each with the one before it in its scope. */
export class SentLedger {
  readonly #count: ProviderCount;
  readonly #memos = new Map<string, MeasureMemo>();

  constructor(count: ProviderCount) {
    this.#count = count;
  }

  /** @param recordedTokens what the contents that went out when the session was recorded are predicted at */
  enter(call: RecordedCall, request: LlmRequest, recordedTokens: number): SentTokens {
    const scope = scopeText(call.scope);
    const before = this.#memos.get(scope);
    const {measured, memo, size, sizeOf} = measureRequest(request, request.contents, before);
    this.#memos.set(scope, memo);
    const tokens = this.#count.of(call, recordedTokens, predictedTokens(size.prediction, request.model));
    if (before === undefined) return {tokens, stableTokens: 0};
    const changed = measured.findIndex((content, index) => content !== before.measured[index]);
    const added = changed < 0 ? [] : measured.slice(changed).map((_, index) => sizeOf(changed + index).prediction);
    const addedTokens = predictedTokens(totalPrediction(NOTHING, added), request.model);
    return {tokens, stableTokens: Math.max(tokens - this.#count.worth(call, addedTokens), 0)};
  }
}
