import type {Event} from '@google/adk';
import type {Part} from '@google/genai';
import {predictPart} from '../estimate/predict-content.ts';
import {tokensOf} from '../estimate/prediction.ts';
import {answerOf, callOf, partsOf} from '../request/parts.ts';

/** What a share of a session's tokens is: a tool's calls and answers, or words. */
export interface TokenShare {
  readonly kind: 'tool' | 'user' | 'model' | 'thought';
  /** The tool's name; empty for other kinds. */
  readonly name: string;
  /** Predicted tokens of all its parts in the session, whatever compaction did to them. */
  readonly tokens: number;
  readonly parts: number;
}

/** Where the tokens of a session are, the largest share first. */
export function tokenShares(events: readonly Event[]): TokenShare[] {
  const shares = new Map<string, TokenShare>();
  for (const {content, partial} of events) {
    if (partial) {
      continue;
    }
    for (const part of partsOf(content)) {
      const {kind, name} = shareOf(part, content?.role);
      const key = `${kind}:${name}`;
      const {tokens, parts} = shares.get(key) ?? {tokens: 0, parts: 0};
      shares.set(key, {kind, name, tokens: tokens + tokensOf(predictPart(part), undefined), parts: parts + 1});
    }
  }
  return [...shares.values()].sort((one, other) => other.tokens - one.tokens);
}

function shareOf(part: Part, role: string | undefined): Pick<TokenShare, 'kind' | 'name'> {
  const tool = callOf(part) ?? answerOf(part);
  if (tool) {
    return {kind: 'tool', name: tool.name};
  }
  if (part.thought) {
    return {kind: 'thought', name: ''};
  }
  return {kind: role === 'user' ? 'user' : 'model', name: ''};
}
