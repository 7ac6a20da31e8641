import {type BaseLlm, Gemini} from '@google/adk';

/** The Gemini model of that name, with the key and the endpoint that ADK finds in the environment. */
export function geminiModel(name: string): BaseLlm {
  return new Gemini({model: name});
}
