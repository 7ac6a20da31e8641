import type {LlmRequest} from '@google/adk';
import type {Content} from '@google/genai';
import type {Scope, SessionKey} from '../session-key.ts';

/** One model call, as the engine sees it. */
export interface ModelCall {
  readonly key: SessionKey;
  readonly scope: Scope;
  /** Its `contents` may be replaced; nothing else of it is changed. */
  readonly request: LlmRequest;
  /** The user message of this invocation. */
  readonly userContent?: Content | undefined;
  /** What holds the history that the contents were copied from, such as the session: a copy shares its texts. */
  readonly source?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}
