import {type BaseLlm, Gemini, setLogger} from '@google/adk';

/**
 * The Gemini model of that name, with the key and the endpoint that ADK finds in the environment. For a command line: ADK's
 * logger, which tells of each request on stdout, is switched off.
 */
export function geminiModel(name: string): BaseLlm {
  setLogger(null);
  return new Gemini({model: name});
}
