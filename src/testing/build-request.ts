import type {Content, Part} from '@google/genai';

/** A user content with one text part, or with the parts given. */
export function user(content: string | Part[]): Content {
  return {role: 'user', parts: typeof content === 'string' ? [{text: content}] : content};
}

/** A model content with one text part, or with the parts given. */
export function model(content: string | Part[]): Content {
  return {role: 'model', parts: typeof content === 'string' ? [{text: content}] : content};
}

/** A model content that calls one function. */
export function call(name: string, args: Record<string, unknown> = {}, id?: string): Content {
  return model([{functionCall: {...(id !== undefined && {id}), name, args}}]);
}

/** A user content that answers one call. */
export function answer(name: string, response: Record<string, unknown> = {}, id?: string): Content {
  return user([{functionResponse: {...(id !== undefined && {id}), name, response}}]);
}

/** One content with the parts of several of one role: parallel calls, or their answers. */
export function together(...contents: readonly [Content, ...Content[]]): Content {
  return {...contents[0], parts: contents.flatMap((content) => content.parts ?? [])};
}
