export {CompactionManager} from './adk/compaction-manager.ts';
export type {CompactionOptions} from './adk/compaction-options.ts';
export {CompactionPlugin} from './adk/compaction-plugin.ts';
export type {CompactionStatus, ScopeStatus} from './engine/status.ts';
export {ToolOutputBudget} from './engine/tool-output-budget.ts';
export {CompactionError, InvalidOptionsError} from './errors.ts';
export {
  BINARY_OVERHEAD_TOKENS,
  BYTES_PER_TOKEN,
  CONTENT_OVERHEAD_TOKENS,
  FUNCTION_OVERHEAD_TOKENS,
  PART_OVERHEAD_TOKENS,
  TOOL_DECLARATION_OVERHEAD_TOKENS,
} from './estimate/constants.ts';
export {type Estimate, type EstimateOptions, estimateContents, estimateRequest} from './estimate/estimate-request.ts';
export {predictTokens} from './estimate/predict-tokens.ts';
export type {EstimatorName} from './estimator-name.ts';
export {
  DEFAULT_BUDGET,
  DEFAULT_KEEP_LAST,
  DEFAULT_SUMMARY_MAX_OUTPUT_TOKENS,
} from './fold/defaults.ts';
export type {AppliedFoldMemory, Fold, FoldObserver} from './fold/fold.ts';
export {
  FoldError,
  SummaryIncompleteError,
  SummaryNoTextError,
  SummaryTooLargeError,
} from './fold/fold-errors.ts';
export {foldMemories} from './fold/fold-memories.ts';
export type {FoldOptions} from './fold/fold-options.ts';
export {FoldTransform, type FoldTransformOptions} from './fold/fold-transform.ts';
export {DEFAULT_SUMMARY_PROMPT} from './fold/prompt.ts';
export type {Compactor, CompactResponse, Summarizer} from './fold/summarizers.ts';
export {summaryContent} from './fold/summary-content.ts';
export {canonicalJson} from './json/canonical-json.ts';
export {prefixHash} from './json/prefix-hash.ts';
export {ELISION_MARKER} from './plan/elide-part.ts';
export type {CompactionPolicy} from './policy.ts';
export type {Scope, SessionKey} from './session-key.ts';
export type {
  CommitResult,
  CompactionStore,
  Decision,
  FailedFoldMemory,
  LearnedCalibration,
  ScopeCommit,
  ScopeSnapshot,
  StoredFold,
} from './store/compaction-store.ts';
export {SessionDeletedError} from './store/compaction-store.ts';
export {MemoryCompactionStore} from './store/memory-compaction-store.ts';
export type {
  CalibrationRecord,
  CompactionRecord,
  CoveredItem,
  FailedFoldRecord,
  FoldErrorClass,
  Usage,
} from './store/records.ts';
export type {Warning, WarningCode} from './warnings.ts';
