import type {Content} from '@google/genai';
import type {MeasuredContent, MeasuredRequest} from '../estimate/measure.ts';
import {jsonByteLength} from '../json/byte-length.ts';
import {canonicalJson} from '../json/canonical-json.ts';

const answers = new WeakMap<Content, WeakMap<MeasuredContent, boolean>>();

/**
 * Tells which contents of a request equal the invocation's user message, for the lists they are in: ADK hands on copies.
 * Contents of another length are told apart without being written out; each content is compared once per message.
 */
export function userContentIn(
  {measured}: MeasuredRequest,
  userContent: Content | undefined,
): ((content: Content, index: number) => boolean) | undefined {
  if (!userContent) {
    return undefined;
  }
  const known = answers.get(userContent) ?? new WeakMap<MeasuredContent, boolean>();
  answers.set(userContent, known);
  const bytes = jsonByteLength(userContent);
  let text: string | undefined;
  return (content, index) => {
    const one = measured[index];
    if (!one || one.canonicalBytes !== bytes) {
      return false;
    }
    let isEqual = known.get(one);
    if (isEqual === undefined) {
      text ??= canonicalJson(userContent);
      isEqual = canonicalJson(content) === text;
      known.set(one, isEqual);
    }
    return isEqual;
  };
}
