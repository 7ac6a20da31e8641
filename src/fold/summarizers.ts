import type {BaseLlm, LlmRequest} from '@google/adk';
import type {Content, GenerateContentResponse, GoogleGenAI} from '@google/genai';
import {toNormalForm} from '../json/normal-form.ts';
import type {Usage} from '../store/records.ts';
import type {SummaryResponse} from './call-log.ts';

/** A compaction endpoint: takes contents and gives what stands for them, in place of a summary request. */
export interface Compactor {
  compact(request: {model?: string; contents: Content[]}, options: {signal?: AbortSignal}): Promise<CompactResponse>;
}

/** What a compaction endpoint answers. */
export interface CompactResponse {
  /** Stand for what was sent. An empty list is an error. */
  readonly contents: Content[];
  /** The summary among them, where there is one: what `FoldTransform.last` shows. */
  readonly summary?: Content;
  readonly usage?: Usage;
  readonly responseId?: string;
}

/** What may write summaries: an ADK model, a `@google/genai` client (`model` is then required), or an endpoint. */
export type Summarizer = BaseLlm | GoogleGenAI | Compactor;

/** A summariser that is asked for text. */
export interface SummaryModel {
  readonly kind: 'model';
  /** Name of the model to ask. */
  readonly model: string | undefined;
  ask(request: LlmRequest, signal: AbortSignal): AsyncIterable<SummaryResponse>;
}

/** A summariser that gives the contents themselves. */
export interface SummaryEndpoint {
  readonly kind: 'endpoint';
  ask(contents: readonly Content[], signal: AbortSignal): Promise<CompactResponse>;
}

/** Told by its methods: an ADK model. */
export function isModel(summarizer: object): summarizer is BaseLlm {
  return 'generateContentAsync' in summarizer && typeof summarizer.generateContentAsync === 'function';
}

/** Told by its methods: a compaction endpoint. */
export function isCompactor(summarizer: object): summarizer is Compactor {
  return 'compact' in summarizer && typeof summarizer.compact === 'function';
}

/** Told by its methods: a `@google/genai` client. */
export function isClient(summarizer: object): summarizer is GoogleGenAI {
  const models = 'models' in summarizer ? summarizer.models : undefined;
  return (
    typeof models === 'object' &&
    models !== null &&
    'generateContent' in models &&
    typeof models.generateContent === 'function'
  );
}

/** One way to ask any of the three. Nothing handed to them is shared with the history or with the report. */
export function connectSummarizer(summarizer: Summarizer, model: string | undefined): SummaryModel | SummaryEndpoint {
  if (isModel(summarizer)) {
    return {
      kind: 'model',
      model: model ?? summarizer.model,
      ask: (request, signal) => summarizer.generateContentAsync(copyOf(request), false, signal),
    };
  }
  if (isCompactor(summarizer)) {
    return {
      kind: 'endpoint',
      ask: (contents, signal) =>
        summarizer.compact(
          {...(model === undefined ? {} : {model}), contents: toNormalForm(contents) as Content[]},
          {signal},
        ),
    };
  }
  return {kind: 'model', model, ask: (request, signal) => askClient(summarizer, request, signal)};
}

async function* askClient(
  client: GoogleGenAI,
  request: LlmRequest,
  abortSignal: AbortSignal,
): AsyncGenerator<SummaryResponse> {
  const {model = '', contents, config} = copyOf(request);
  yield clientResponse(await client.models.generateContent({model, contents, config: {...config, abortSignal}}));
}

function clientResponse(response: GenerateContentResponse): SummaryResponse {
  const candidate = response.candidates?.[0];
  const blockReason = candidate ? undefined : response.promptFeedback?.blockReason;
  return {
    ...(candidate?.content && {content: candidate.content}),
    ...(candidate?.finishReason && {finishReason: candidate.finishReason}),
    ...(blockReason && {errorCode: blockReason}),
    ...(response.usageMetadata && {usageMetadata: response.usageMetadata}),
    responseId: response.responseId,
  };
}

/** ADK models write into the request they are given. */
function copyOf(request: LlmRequest): LlmRequest {
  return {...request, contents: toNormalForm(request.contents) as Content[], config: {...request.config}};
}
