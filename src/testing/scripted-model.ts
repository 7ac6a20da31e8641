import {BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse} from '@google/adk';
import {ApiError, type FinishReason, type GenerateContentResponseUsageMetadata, type Part} from '@google/genai';
import {byteTokenCounter} from './count-tokens.ts';
import {answerUsage, errorBody, textPieces} from './gemini-responses.ts';
import {type Script, type ScriptedAnswer, scriptedReply} from './script.ts';

/** Options of `ScriptedModel`. */
export interface ScriptedModelOptions {
  /** Name of the model. Default `scripted-model`. */
  readonly model?: string | undefined;
  /** The prompt token count to report. Default: four bytes of contents, system instruction and tools a token. */
  readonly countTokens?: ((request: LlmRequest) => number) | undefined;
}

/**
 * An ADK model without a network, for tests: it answers by a script and keeps what it was asked. A streamed answer
 * comes as ADK's `Gemini` gives it out: partial texts, the text whole before a call, the calls, a closing response.
 */
export class ScriptedModel extends BaseLlm {
  readonly #script: Script<LlmRequest>;
  readonly #countTokens: (request: LlmRequest) => number;
  readonly #requests: LlmRequest[] = [];

  constructor(script: Script<LlmRequest>, options: ScriptedModelOptions = {}) {
    super({model: options.model ?? 'scripted-model'});
    this.#script = script;
    this.#countTokens = options.countTokens ?? countRequest;
  }

  /** Every request so far. The list of contents is a copy, the contents are those handed over. */
  get requests(): readonly LlmRequest[] {
    return this.#requests;
  }

  async *generateContentAsync(
    request: LlmRequest,
    stream = false,
    abortSignal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    abortSignal?.throwIfAborted();
    const callIndex = this.#requests.push({...request, contents: [...request.contents]}) - 1;
    const reply = await scriptedReply(this.#script, request, callIndex);
    const promptTokenCount = this.#countTokens(request);
    switch (reply.kind) {
      case 'answer': {
        const usage = answerUsage(reply, promptTokenCount);
        yield* stream ? streamed(reply, usage) : [whole(reply, usage)];
        return;
      }
      case 'blocked':
        // ADK loses the block reason of a stream.
        yield {
          ...(!stream && {errorCode: reply.reason}),
          usageMetadata: {promptTokenCount, totalTokenCount: promptTokenCount},
        };
        return;
      case 'error':
        throw new ApiError({message: JSON.stringify(errorBody(reply.status, reply.message)), status: reply.status});
      case 'cut': {
        const [piece] = textPieces(reply.parts[0] ?? {});
        if (stream && piece?.text) {
          yield {content: {role: 'model', parts: [piece]}, partial: true};
        }
        throw new TypeError('terminated');
      }
      case 'hang':
        await aborted(abortSignal);
    }
  }

  /** Always rejects: there is no live connection to a script. */
  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('A ScriptedModel has no live connection.'));
  }
}

type Usage = GenerateContentResponseUsageMetadata | undefined;

function whole(answer: ScriptedAnswer, usage: Usage): LlmResponse {
  const finishReason = finishReasonOf(answer);
  return answer.parts.length > 0
    ? {...response(answer.parts, usage), finishReason}
    : {...response([], usage), finishReason, errorCode: finishReason};
}

/** The order in which ADK gives out a stream. After a finish reason other than `STOP` its closing response is an error. */
function* streamed(answer: ScriptedAnswer, usage: Usage): Generator<LlmResponse> {
  let texts: Part[] = [];
  let others: Part[] = [];
  for (const part of answer.parts) {
    if (part.text) {
      if (others.length > 0) {
        yield {...response(others, usage), partial: false};
      }
      others = [];
      for (const piece of textPieces(part)) {
        yield {...response([piece], usage), partial: true};
      }
      texts.push(part);
    } else {
      if (texts.length > 0) {
        yield {...response(texts, usage), partial: false};
      }
      texts = [];
      others.push(part);
    }
  }
  if (others.length > 0) {
    yield {...response(others, usage), partial: false};
  }

  const finishReason = finishReasonOf(answer);
  if (finishReason === 'STOP') {
    yield {...response(texts, usage), finishReason, partial: false};
    return;
  }
  yield answer.parts.length > 0
    ? {...response([{text: ''}], usage), finishReason, partial: true}
    : whole(answer, usage);
  yield {...response(texts, usage), finishReason, errorCode: finishReason, partial: false};
}

function response(parts: readonly Part[], usageMetadata: Usage): LlmResponse {
  return {
    ...(parts.length > 0 && {content: {role: 'model', parts: [...parts]}}),
    ...(usageMetadata && {usageMetadata}),
  };
}

function finishReasonOf(answer: ScriptedAnswer): FinishReason {
  return (answer.finishReason ?? 'STOP') as FinishReason;
}

function countRequest({contents, config}: LlmRequest): number {
  return byteTokenCounter(4)({contents, systemInstruction: config?.systemInstruction, tools: config?.tools});
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), {once: true});
  });
}
