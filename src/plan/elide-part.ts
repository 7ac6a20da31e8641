import type {Content, FunctionResponse, Part} from '@google/genai';
import {hasJustKeys} from '../json/has-just-keys.ts';

/** What stands in place of an elided body. */
export const ELISION_MARKER = '[elided]';

/** The part with its body replaced by the marker and its media removed; id, name and everything else stay. */
export function elidePart(part: Part): Part {
  const {functionResponse, toolResponse} = part;
  if (functionResponse) {
    return withAnswer(part, elideAnswer(functionResponse));
  }
  return {...part, toolResponse: {...toolResponse, response: {output: ELISION_MARKER}}};
}

/*
 * A long session has hundreds of elided answers, copied at each of its calls, and nearly all of one shape. These are copied by
 * assignments: a spread of what ADK's deep copy made takes five times as long, and literals sooner or later do too, once V8 has
 * seen enough of them live on and puts them among the old objects at once. Members named by symbols are not copied then.
 */

const CONTENT_KEYS = ['role', 'parts'];
const PART_KEYS = ['functionResponse'];
const ANSWER_KEYS = ['id', 'name', 'response'];

/** The content with other parts. */
export function withParts(content: Content, parts: Part[]): Content {
  if (!hasJustKeys(content, CONTENT_KEYS)) {
    return {...content, parts};
  }
  const copy: Content = {};
  copy.role = content.role as string;
  copy.parts = parts;
  return copy;
}

function withAnswer(part: Part, functionResponse: FunctionResponse): Part {
  if (!hasJustKeys(part, PART_KEYS)) {
    return {...part, functionResponse};
  }
  const copy: Part = {};
  copy.functionResponse = functionResponse;
  return copy;
}

function elideAnswer(answer: FunctionResponse): FunctionResponse {
  const response: Record<string, unknown> = {};
  response.output = ELISION_MARKER;
  if (!hasJustKeys(answer, ANSWER_KEYS)) {
    const {parts: _media, ...bare} = answer;
    return {...bare, response};
  }
  const copy: FunctionResponse = {};
  copy.id = answer.id as string;
  copy.name = answer.name as string;
  copy.response = response;
  return copy;
}
