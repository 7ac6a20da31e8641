import {BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {expect} from 'vitest';
import {type CompactionPolicy, estimateRequest} from '../../src/index.ts';
import {compactionFaults, requestFaults} from '../../src/testing.ts';
import {type CallOptions, ManagerHarness, requestOf} from './manager-harness.ts';

const SENTENCE = 'The quick brown fox jumps over the lazy dog. ';

/** `bytes` bytes of plain ASCII prose, always the same. */
export function prose(bytes: number): string {
  return SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes);
}

/** The policy of a case: window, trigger, target, recent contents; bytes count, nothing is learnt. */
export function policyOf(
  contextTokens: number,
  triggerFraction: number,
  targetFraction: number,
  keepRecentContents: number,
): CompactionPolicy {
  return {
    contextTokens,
    triggerFraction,
    targetFraction,
    keepRecentContents,
    minimumElisionTokens: 200,
    estimator: 'bytes',
    calibration: false,
  };
}

/** `from` .. `to` as turns of a user and a model content of `bytes` each, every text with a number of its own. */
export function chat(turns: number, bytes: number, from = 1): Content[] {
  return Array.from({length: turns}, (_, offset): Content[] => [
    {role: 'user', parts: [{text: `question-${from + offset}. ${prose(bytes)}`}]},
    {role: 'model', parts: [{text: `answer-${from + offset}. ${prose(bytes)}`}]},
  ]).flat();
}

export function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map((part) => part.text ?? '').join('');
}

/** Everything a request says, to look for words in. */
export function wordsOf(contents: readonly Content[]): string {
  return JSON.stringify(contents);
}

export function partsOf(contents: readonly Content[], member: keyof Part): Part[] {
  return contents.flatMap((content) => content.parts ?? []).filter((part) => part[member] !== undefined);
}

export function tokensOf(request: LlmRequest): number {
  return estimateRequest(request, {media: 'modality'}).tokens;
}

/**
 * V1 to V4: what came in valid goes out valid, what came in broken is not made worse, the last content and every part that
 * is still there are whole, and the estimate does not grow. Answers put in for interrupted calls are exempt from the last.
 */
export function expectSound(before: LlmRequest, after: LlmRequest): void {
  const faults = requestFaults(before.contents);
  expect(requestFaults(after.contents).slice(faults.length)).toEqual([]);
  expect(compactionFaults(before.contents, after.contents)).toEqual([]);
  if (faults.length === 0) {
    expect(tokensOf(after)).toBeLessThanOrEqual(tokensOf(before));
  }
}

/** A manager each of whose calls is checked for V1 to V4. */
export class CaseManager extends ManagerHarness {
  override async call(
    contents: readonly Content[],
    options: CallOptions & {readonly reported?: number} = {},
  ): ReturnType<ManagerHarness['call']> {
    const result = await super.call(contents, options);
    expectSound(requestOf(structuredClone([...contents]), options), result.request);
    return result;
  }

  /** The folds among the records. */
  folds(): typeof this.records {
    return this.records.filter((record) => record.kind === 'fold');
  }
}

type RawAnswer = LlmResponse[] | Error | ((request: LlmRequest) => LlmResponse[] | Error);

/** An ADK model that yields responses as they are given, one list a call; the last one is given out for ever. */
export class RawModel extends BaseLlm {
  readonly requests: LlmRequest[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  answers: RawAnswer[];

  constructor(...answers: RawAnswer[]) {
    super({model: 'raw-model'});
    this.answers = answers;
  }

  async *generateContentAsync(
    request: LlmRequest,
    _stream?: boolean,
    signal?: AbortSignal,
  ): AsyncGenerator<LlmResponse, void> {
    this.requests.push(structuredClone({...request, toolsDict: {}}));
    this.signals.push(signal);
    const next = this.answers[Math.min(this.requests.length, this.answers.length) - 1] ?? [];
    const answer = typeof next === 'function' ? next(request) : next;
    if (answer instanceof Error) {
      throw answer;
    }
    yield* answer;
  }

  override connect(): Promise<BaseLlmConnection> {
    return Promise.reject(new Error('A RawModel has no live connection.'));
  }
}

/** One whole answer with these parts. */
export function says(...parts: (string | Part)[]): LlmResponse[] {
  return [{content: {role: 'model', parts: parts.map((part) => (typeof part === 'string' ? {text: part} : part))}}];
}

/** A summariser that answers these texts in turn, the last one for ever. */
export function summarizer(...texts: string[]): RawModel {
  return new RawModel(...texts.map((text) => says(text)));
}
