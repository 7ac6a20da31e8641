export {answer, call, model, together, user} from './testing/build-request.ts';
export {compactionStoreContract} from './testing/compaction-store-contract.ts';
export {compactionFaults} from './testing/compare-requests.ts';
export type {ContractOptions, TestRunner} from './testing/contract.ts';
export {byteTokenCounter, type CountedRequest} from './testing/count-tokens.ts';
export {
  type GeminiRequest,
  type GeminiRequestBody,
  type GeminiServer,
  type GeminiServerOptions,
  startGeminiServer,
} from './testing/gemini-server.ts';
export {requestFaults} from './testing/request-faults.ts';
export type {
  Script,
  ScriptedAnswer,
  ScriptedBlock,
  ScriptedCut,
  ScriptedError,
  ScriptedHang,
  ScriptedReply,
} from './testing/script.ts';
export {ScriptedModel, type ScriptedModelOptions} from './testing/scripted-model.ts';
export {sessionServiceContract} from './testing/session-contract.ts';
