import type {CompactionRecord, FailedFoldRecord} from '../../src/store/records.ts';

/** How an agent process is started; its first argument, as JSON. */
export interface AgentOptions {
  /** The SQLite file. */
  readonly database: string;
  /** Folder with the source that the tools read. */
  readonly sourceRoot: string;
  readonly model: string;
  /** The model that writes summaries. */
  readonly summarizer: string;
  /** 0: without compaction. */
  readonly contextTokens: number;
}

/** What the conductor sends to an agent process: one turn at a time. */
export interface TurnOrder {
  readonly text: string;
  /** The tool that never returns in this turn, so that the process can be killed inside it. */
  readonly hangInTool?: string;
}

/** What an agent process sends back. */
export type Report =
  | {readonly kind: 'compaction'; readonly record: CompactionRecord | FailedFoldRecord}
  | WarningReport
  | ModelCallReport
  | {readonly kind: 'inside-tool'}
  | {readonly kind: 'turn-done'}
  | {readonly kind: 'turn-failed'; readonly message: string};

/** One answer of the model; figures in tokens, of the request that it answers. */
export interface ModelCallReport {
  readonly kind: 'model-call';
  /** The tools it calls, ready to print; empty when it answers the user. */
  readonly calls: readonly string[];
  readonly estimate?: number;
  readonly expected?: number;
  readonly reported?: number;
}

/** A warning of the plugin. */
export interface WarningReport {
  readonly kind: 'warning';
  readonly code: string;
  readonly message: string;
}
