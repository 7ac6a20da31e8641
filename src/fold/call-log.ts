import type {LlmRequest, LlmResponse} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {dataMember, isThought, partsOf} from '../request/parts.ts';
import type {Usage} from '../store/records.ts';

/** One response to a summary request; what an ADK `LlmResponse` says of it, and its id where the client knows one. */
export type SummaryResponse = Pick<
  LlmResponse,
  'content' | 'partial' | 'errorCode' | 'finishReason' | 'usageMetadata' | 'interactionId'
> & {readonly responseId?: string | undefined};

/** What a report says about the summary calls. */
export interface CallData {
  readonly attempts: number;
  readonly usage?: Usage;
  readonly responseId?: string;
  readonly outputTypes?: string[];
  readonly request?: LlmRequest;
}

/** Notes the summary calls of one fold as they go, so that a report is complete wherever they end. */
export class CallLog {
  #attempts = 0;
  #request: LlmRequest | undefined;
  #earlierUsage: Usage | undefined;
  #usage: Usage | undefined;
  #responseId: string | undefined;
  #outputTypes: string[] | undefined;

  /** A call is about to be made. Id and kinds are the last call's. */
  begin(request?: LlmRequest): void {
    this.#attempts += 1;
    this.#request = request;
    this.#earlierUsage = addUsage(this.#earlierUsage, this.#usage);
    this.#usage = undefined;
    this.#responseId = undefined;
    this.#outputTypes = undefined;
  }

  /** A response of the current call came. The last usage reported within a call counts. */
  hear(response: SummaryResponse): void {
    this.hearContents(response.content ? [response.content] : []);
    this.hearCall(response.usageMetadata, response.responseId ?? response.interactionId);
  }

  hearContents(contents: readonly Content[]): void {
    const kinds = contents.flatMap((content) => partsOf(content).map(partKind));
    this.#outputTypes = [...new Set([...(this.#outputTypes ?? []), ...kinds])];
  }

  hearCall(usage: Usage | undefined, responseId: string | undefined): void {
    this.#usage = usage ?? this.#usage;
    this.#responseId = responseId ?? this.#responseId;
  }

  data(): CallData {
    const usage = addUsage(this.#earlierUsage, this.#usage);
    return {
      attempts: this.#attempts,
      ...(usage && {usage}),
      ...(this.#responseId !== undefined && {responseId: this.#responseId}),
      ...(this.#outputTypes && {outputTypes: this.#outputTypes}),
      ...(this.#request && {request: this.#request}),
    };
  }
}

const USAGE_MEMBERS = [
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'cachedContentTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const satisfies readonly (keyof Usage)[];

/** Adds member by member; a member that neither reports is absent, and so is the sum of nothing. */
function addUsage(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  const sum: Usage = {};
  for (const member of USAGE_MEMBERS) {
    const reported = [one?.[member], other?.[member]].filter((count) => typeof count === 'number');
    if (reported.length > 0) {
      sum[member] = reported.reduce((total, count) => total + count, 0);
    }
  }
  return Object.keys(sum).length > 0 ? sum : undefined;
}

function partKind(part: Part): string {
  return isThought(part) ? 'thought' : (dataMember(part) ?? 'unknown');
}
