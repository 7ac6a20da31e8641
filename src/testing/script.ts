import type {Content, GenerateContentResponseUsageMetadata, Part} from '@google/genai';

/**
 * Answers of a model that is not there: a function of the request and of how many requests came before it, or a list
 * that is given out in order. The same script drives `startGeminiServer` and `ScriptedModel`.
 */
export type Script<Request extends {readonly contents: Content[]}> =
  | ((request: Request, callIndex: number) => ScriptedReply | Promise<ScriptedReply>)
  | readonly ScriptedReply[];

/** One answer. A plain content is an answer with finish reason `STOP` and usage. */
export type ScriptedReply = Content | ScriptedAnswer | ScriptedBlock | ScriptedError | ScriptedCut | ScriptedHang;

/** An answer with details. Without parts it is the candidate without content that a safety stop looks like. */
export interface ScriptedAnswer {
  readonly kind: 'answer';
  readonly parts: readonly Part[];
  /** Default `STOP`. */
  readonly finishReason?: string | undefined;
  /** Members that replace the counted ones; `null` for an answer that reports no usage at all. */
  readonly usage?: GenerateContentResponseUsageMetadata | null | undefined;
}

/** The prompt itself is refused: no candidate, a block reason. */
export interface ScriptedBlock {
  readonly kind: 'blocked';
  /** Such as `SAFETY`. */
  readonly reason: string;
}

/** The call fails with an HTTP status, such as 429 or 503. */
export interface ScriptedError {
  readonly kind: 'error';
  readonly status: number;
  /** Default: a text that names the status. */
  readonly message?: string | undefined;
}

/** The connection breaks in the middle of this answer. */
export interface ScriptedCut {
  readonly kind: 'cut';
  readonly parts: readonly Part[];
}

/** Nothing ever comes back. */
export interface ScriptedHang {
  readonly kind: 'hang';
}

/** The reply to call `callIndex`, a plain content turned into its long form. Throws when a list is used up. */
export async function scriptedReply<Request extends {readonly contents: Content[]}>(
  script: Script<Request>,
  request: Request,
  callIndex: number,
): Promise<Exclude<ScriptedReply, Content>> {
  const reply = typeof script === 'function' ? await script(request, callIndex) : script[callIndex];
  if (reply === undefined) {
    throw new Error(`The script has no reply to call ${callIndex}: calls are counted from 0.`);
  }
  return 'kind' in reply ? reply : {kind: 'answer', parts: reply.parts ?? []};
}
