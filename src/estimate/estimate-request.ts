import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import {readItems, readMember} from '../json/read-member.ts';
import {byteRawTokens, modalityRawTokens, overheadTokens, totalWeight, weighContent, weighEnvelope} from './weight.ts';

/** The pinned estimate of a request with its breakdown. All figures are integers. */
export interface Estimate {
  /** UTF-8 length of the canonical JSON of `{model, contents, config}`, transport options left out. */
  readonly canonicalBytes: number;
  /** `ceil(canonicalBytes / 4)`; with `media: 'modality'` media count what they cost instead of their base64. */
  readonly rawTokens: number;
  /** Contents, a system instruction counted as one. */
  readonly contents: number;
  /** Parts of all contents and of the system instruction. */
  readonly parts: number;
  /** Parts with a functionCall, functionResponse, toolCall or toolResponse. */
  readonly functions: number;
  /** Parts with inlineData or a thought signature, and each inlineData among a functionResponse's parts. */
  readonly binaries: number;
  /** Function declarations in `config.tools`. */
  readonly toolDeclarations: number;
  /** `4·contents + parts + 8·functions + 16·binaries + 12·toolDeclarations`. */
  readonly overheadTokens: number;
  /** `rawTokens + overheadTokens`. */
  readonly tokens: number;
}

/** How `estimateRequest` counts. */
export interface EstimateOptions {
  /**
   * What pictures, audio, video and PDF count: their base64 like any other bytes, or what the model spends on their pixels,
   * seconds and pages. Default `'bytes'`.
   */
  readonly media?: 'bytes' | 'modality' | undefined;
}

/**
 * Estimates the prompt tokens of a request: its bytes over four, plus fixed overheads. The figures are pinned: equal
 * requests have equal estimates in every version. `toolsDict`, `liveConnectConfig`, `allowedTools`,
 * `previousInteractionId`, `config.abortSignal` and `config.httpOptions` are no part of it.
 *
 * Values that are not JSON never make it throw; what has no JSON form (a cycle, a getter that throws) is left out.
 * Throws TypeError when `request` is null or undefined.
 */
export function estimateRequest(request: LlmRequest, options: EstimateOptions = {}): Estimate {
  if (request === undefined || request === null) {
    throw new TypeError(`Cannot estimate ${request}: pass an LlmRequest such as {model, contents, config}.`);
  }
  const contents = (readItems(readMember(request, 'contents')) ?? []) as Content[];
  const weight = totalWeight(weighEnvelope(request), contents.map(weighContent));
  const rawTokens = options.media === 'modality' ? modalityRawTokens(weight) : byteRawTokens(weight);
  const overhead = overheadTokens(weight);
  return {
    canonicalBytes: weight.canonicalBytes,
    rawTokens,
    contents: weight.contents,
    parts: weight.parts,
    functions: weight.functions,
    binaries: weight.binaries,
    toolDeclarations: weight.toolDeclarations,
    overheadTokens: overhead,
    tokens: rawTokens + overhead,
  };
}

/** The tokens of contents on their own, without model and config; media count by modality. Never throws. */
export function estimateContents(contents: readonly Content[]): number {
  return estimateRequest({contents} as LlmRequest, {media: 'modality'}).tokens;
}
