import type {Event} from '@google/adk';
import type {Content} from '@google/genai';
import {answerOf, callOf, partsOf} from '../request/parts.ts';
import {type Scope, scopeText} from '../session-key.ts';

/** One model call of a recorded session. */
export interface RecordedCall {
  /** The call was made with what the events before this one gave. */
  readonly eventIndex: number;
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The model that answered; an empty text where the event does not say. */
  readonly model: string;
  /** The reported prompt token count. */
  readonly reported?: number;
  /** How many of them the provider read from its cache, as reported. */
  readonly cached?: number;
  /** The user message of the invocation. */
  readonly userContent?: Content;
}

/**
 * The model calls of a session, oldest first. A streamed answer comes as several events that repeat one prompt token
 * count; they are one call.
 */
export function modelCalls(events: readonly Event[]): RecordedCall[] {
  const calls: RecordedCall[] = [];
  const open = new Map<string, Event>();
  const messages = new Map<string, Content>();
  events.forEach((event, eventIndex) => {
    const {invocationId, content} = event;
    if (isUserMessage(event) && content) {
      messages.set(invocationId, content);
    }
    if (!isModelOutput(event)) {
      return;
    }
    const call = toCall(event, eventIndex, messages.get(invocationId));
    const scope = scopeText(call.scope);
    const previous = open.get(scope);
    open.set(scope, event);
    if (!(previous && isSameCall(previous, event))) {
      calls.push(call);
    }
  });
  return calls;
}

/** What an agent's model put out: text or calls of its own, not the answers of tools. */
function isModelOutput({author, content, usageMetadata, partial}: Event): boolean {
  if (author === 'user' || partial) {
    return false;
  }
  const parts = partsOf(content);
  if (parts.some((part) => part.functionResponse)) {
    return false;
  }
  return content?.role === 'model' ? parts.length > 0 : parts.length === 0 && usageMetadata !== undefined;
}

function isUserMessage({author, content}: Event): boolean {
  return author === 'user' && partsOf(content).some((part) => !answerOf(part) && !callOf(part));
}

function isSameCall(one: Event, other: Event): boolean {
  const count = one.usageMetadata?.promptTokenCount;
  return (
    count !== undefined && count === other.usageMetadata?.promptTokenCount && one.invocationId === other.invocationId
  );
}

function toCall(event: Event, eventIndex: number, userContent: Content | undefined): RecordedCall {
  const {author, branch, isolationScope, timestamp, modelVersion, usageMetadata} = event;
  const reported = usageMetadata?.promptTokenCount;
  const cached = usageMetadata?.cachedContentTokenCount;
  return {
    eventIndex,
    scope: {
      agentName: author ?? '',
      ...(branch ? {branch} : {}),
      ...(isolationScope ? {isolationScope} : {}),
    },
    time: timestamp,
    model: modelVersion ?? '',
    ...(reported === undefined ? {} : {reported}),
    ...(cached === undefined ? {} : {cached}),
    ...(userContent === undefined ? {} : {userContent}),
  };
}
