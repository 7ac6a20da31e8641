import type {
  BaseLlm,
  BasePlugin,
  BaseSessionService,
  LlmRequest,
  SingleAfterModelCallback,
  SingleBeforeModelCallback,
} from '@google/adk';
import type {Content, GoogleGenAI} from '@google/genai';
import {expectTypeOf} from 'vitest';
import * as main from '../../src/index.ts';
import * as sqlite from '../../src/sqlite.ts';
import type * as testing from '../../src/testing.ts';

const key: main.SessionKey = {appName: 'app', userId: 'user', sessionId: 'session'};
const scope: main.Scope = {agentName: 'agent'};

// Estimates
expectTypeOf(main.estimateRequest).parameter(0).toEqualTypeOf<LlmRequest>();
expectTypeOf(main.estimateRequest).parameter(1).toEqualTypeOf<main.EstimateOptions | undefined>();
expectTypeOf(main.estimateRequest).returns.toEqualTypeOf<main.Estimate>();
expectTypeOf<keyof main.Estimate>().toEqualTypeOf<
  | 'canonicalBytes'
  | 'rawTokens'
  | 'contents'
  | 'parts'
  | 'functions'
  | 'binaries'
  | 'toolDeclarations'
  | 'overheadTokens'
  | 'tokens'
>();
expectTypeOf<main.Estimate['tokens']>().toEqualTypeOf<number>();
expectTypeOf<main.EstimateOptions['media']>().toEqualTypeOf<'bytes' | 'modality' | undefined>();
expectTypeOf(main.estimateContents).toBeCallableWith([] as Content[]);
expectTypeOf(main.estimateContents).returns.toBeNumber();
expectTypeOf(main.predictTokens).toEqualTypeOf<(request: LlmRequest) => number>();
expectTypeOf(main.canonicalJson).toEqualTypeOf<(value: unknown) => string>();
expectTypeOf(main.prefixHash).toBeCallableWith([] as Content[]);
expectTypeOf(main.prefixHash).returns.toBeString();
expectTypeOf(main.summaryContent).toEqualTypeOf<(summary: string) => Content>();

// Constants: numbers that never change silently are literal types or numbers, prompts and markers are strings.
expectTypeOf(main.BYTES_PER_TOKEN).toExtend<number>();
expectTypeOf(main.CONTENT_OVERHEAD_TOKENS).toExtend<number>();
expectTypeOf(main.PART_OVERHEAD_TOKENS).toExtend<number>();
expectTypeOf(main.FUNCTION_OVERHEAD_TOKENS).toExtend<number>();
expectTypeOf(main.BINARY_OVERHEAD_TOKENS).toExtend<number>();
expectTypeOf(main.TOOL_DECLARATION_OVERHEAD_TOKENS).toExtend<number>();
expectTypeOf(main.DEFAULT_BUDGET).toExtend<number>();
expectTypeOf(main.DEFAULT_KEEP_LAST).toExtend<number>();
expectTypeOf(main.DEFAULT_SUMMARY_MAX_OUTPUT_TOKENS).toExtend<number>();
expectTypeOf(main.ELISION_MARKER).toExtend<string>();
expectTypeOf(main.DEFAULT_SUMMARY_PROMPT).toExtend<string>();

// The manager and the plugin
const manager = new main.CompactionManager({policy: {contextTokens: 200_000}});
expectTypeOf(main.CompactionManager).constructorParameters.toEqualTypeOf<[options: main.CompactionOptions]>();
expectTypeOf(manager.beforeModel).toExtend<SingleBeforeModelCallback>();
expectTypeOf(manager.afterModel).toExtend<SingleAfterModelCallback>();
expectTypeOf(manager.compactNow).toEqualTypeOf<(key: main.SessionKey) => void>();
expectTypeOf(manager.status).toEqualTypeOf<(key: main.SessionKey) => Promise<main.CompactionStatus>>();
expectTypeOf(manager.close).toEqualTypeOf<() => Promise<void>>();
expectTypeOf<main.CompactionPlugin>().toExtend<BasePlugin>();
expectTypeOf<main.CompactionPlugin['manager']>().toEqualTypeOf<main.CompactionManager>();
expectTypeOf(main.CompactionPlugin).toBeConstructibleWith(manager);
expectTypeOf(main.CompactionPlugin).toBeConstructibleWith({policy: {contextTokens: (model: string) => model.length}});

// Options
expectTypeOf<keyof main.CompactionOptions>().toEqualTypeOf<
  'policy' | 'store' | 'fold' | 'toolOutputBudget' | 'onWarning' | 'onRecord' | 'clock'
>();
expectTypeOf<keyof main.CompactionPolicy>().toEqualTypeOf<
  | 'contextTokens'
  | 'triggerFraction'
  | 'targetFraction'
  | 'keepRecentContents'
  | 'minimumElisionTokens'
  | 'preserveToolNames'
  | 'calibration'
  | 'estimator'
  | 'repairOrphans'
  | 'mode'
>();
expectTypeOf<main.CompactionPolicy['estimator']>().toEqualTypeOf<'features' | 'bytes' | undefined>();
expectTypeOf<main.CompactionPolicy['mode']>().toEqualTypeOf<'enforce' | 'observe' | undefined>();
// @ts-expect-error a policy has a window
void ({} satisfies main.CompactionPolicy);
// @ts-expect-error unknown options are mistakes
void ({policy: {contextTokens: 1, targetFracton: 0.5}} satisfies main.CompactionOptions);

// Folds
expectTypeOf<main.FoldOptions['summarizer']>().toEqualTypeOf<BaseLlm | GoogleGenAI | main.Compactor>();
expectTypeOf<keyof main.FoldOptions>().toEqualTypeOf<
  | 'summarizer'
  | 'model'
  | 'keepLast'
  | 'minFold'
  | 'summaryPrompt'
  | 'summaryItem'
  | 'pin'
  | 'filter'
  | 'editRequest'
  | 'backOff'
  | 'onError'
  | 'timeoutMs'
  | 'material'
  | 'maxBodyChars'
  | 'summarizerContextTokens'
  | 'onFold'
>();
declare const compactor: main.Compactor;
const transform = new main.FoldTransform({summarizer: compactor, budget: 1_000, estimate: main.estimateContents});
expectTypeOf(transform.transform).toBeCallableWith([], {signal: new AbortController().signal});
expectTypeOf(transform.transform).returns.toEqualTypeOf<Promise<Content[]>>();
expectTypeOf(transform.last).toEqualTypeOf<Content | undefined>();
expectTypeOf<main.FoldObserver>().parameters.toEqualTypeOf<[fold: main.Fold]>();
expectTypeOf<main.Fold['error']>().toEqualTypeOf<main.FoldError | undefined>();
expectTypeOf<ReturnType<main.Compactor['compact']>>().toEqualTypeOf<Promise<main.CompactResponse>>();
const memories = await main.foldMemories(new main.MemoryCompactionStore(), key, scope, []);
expectTypeOf(memories.appliedFolds).toEqualTypeOf<main.AppliedFoldMemory[]>();
expectTypeOf(memories.failedFold).toEqualTypeOf<main.FailedFoldMemory | undefined>();

// `undefined` asks for the default everywhere
void ({media: undefined} satisfies main.EstimateOptions);
void ({path: '', durability: undefined, busyTimeoutMs: undefined} satisfies sqlite.SqliteStoreOptions);
void ({migrationsFolder: undefined, secureDelete: undefined, path: ''} satisfies sqlite.SqliteStoreOptions);
void ({path: '', readonly: undefined, redact: undefined} satisfies sqlite.SqliteStoreOptions);
void ({model: undefined, countTokens: undefined} satisfies testing.ScriptedModelOptions);
void ({script: [], contextTokens: undefined, countTokens: undefined} satisfies testing.GeminiServerOptions);

// Errors
expectTypeOf<main.InvalidOptionsError>().toExtend<Error & {code: string; field: string}>();
expectTypeOf<main.FoldError['code']>().toEqualTypeOf<'no-text' | 'incomplete' | 'too-large' | 'error' | 'aborted'>();
expectTypeOf<main.SummaryTooLargeError>().toExtend<main.FoldError & {summaryTokens: number; foldedTokens: number}>();
expectTypeOf<main.SummaryIncompleteError>().toExtend<main.FoldError>();
expectTypeOf<main.SummaryNoTextError>().toExtend<main.FoldError>();

// The tool output budget
const budget = new main.ToolOutputBudget();
expectTypeOf(budget.reserve(key, 1)).toExtend<{id: number; granted: number}>();
expectTypeOf(budget.consume).toEqualTypeOf<(key: main.SessionKey, id: number, emitted: number) => void>();
expectTypeOf(budget.report(key)).toExtend<{limit: number; used: number; reserved: number}>();

// Records, warnings and status
expectTypeOf<main.CompactionRecord['kind']>().toEqualTypeOf<'elision' | 'fold' | 'drop'>();
expectTypeOf<main.FailedFoldRecord['kind']>().toEqualTypeOf<'failed-fold'>();
expectTypeOf<main.CalibrationRecord['reported']>().toEqualTypeOf<number>();
expectTypeOf<main.Warning['source']>().toEqualTypeOf<'compaction'>();
expectTypeOf<main.Warning>().toExtend<{
  code: string;
  session: string;
  key: main.SessionKey;
  scope: main.Scope;
  message: string;
}>();
expectTypeOf<main.CompactionStatus['scopes'][number]>().toExtend<{
  scope: main.Scope;
  elisions: number;
  folds: number;
  drops: number;
}>();

// Stores
expectTypeOf<main.MemoryCompactionStore>().toExtend<main.CompactionStore>();
const store = sqlite.openSqliteStore({
  path: ':memory:',
  durability: 'process',
  busyTimeoutMs: 1_000,
  secureDelete: false,
});
expectTypeOf(store).toEqualTypeOf<sqlite.SqliteStore>();
expectTypeOf(sqlite.openSqliteStore).toBeCallableWith('agent.db');
expectTypeOf(store.sessions).toEqualTypeOf<sqlite.SqliteSessionService>();
expectTypeOf(store.sessions).toExtend<BaseSessionService>();
expectTypeOf(store.compaction).toEqualTypeOf<sqlite.SqliteCompactionStore>();
expectTypeOf(store.compaction).toExtend<main.CompactionStore>();
expectTypeOf(store.compaction.records(key)).toEqualTypeOf<Promise<main.CompactionRecord[]>>();
expectTypeOf(store.compaction.failedFolds(key)).toEqualTypeOf<Promise<main.FailedFoldRecord[]>>();
expectTypeOf(store.compaction.calibrations(key)).toEqualTypeOf<Promise<main.CalibrationRecord[]>>();
expectTypeOf(store.compaction.deleteSession(key)).toEqualTypeOf<Promise<void>>();
expectTypeOf(store.close).toEqualTypeOf<() => void>();
expectTypeOf<keyof sqlite.SqliteStoreOptions>().toEqualTypeOf<
  'path' | 'durability' | 'busyTimeoutMs' | 'migrationsFolder' | 'redact' | 'secureDelete' | 'readonly'
>();
