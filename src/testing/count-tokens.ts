import type {Content} from '@google/genai';

/** What a request's tokens are counted over. */
export interface CountedRequest {
  readonly contents: readonly Content[];
  readonly systemInstruction?: unknown;
  readonly tools?: unknown;
}

/**
 * Counts tokens as bytes of the JSON of contents, system instruction and tools at a fixed rate. The rate stands for
 * the true tokenizer: one that is not 4 shows what calibration does.
 */
export function byteTokenCounter(bytesPerToken: number): (request: CountedRequest) => number {
  return ({contents, systemInstruction, tools}) =>
    Math.ceil(Buffer.byteLength(JSON.stringify([contents, systemInstruction, tools])) / bytesPerToken);
}
