import {z} from 'zod';
import type {ToolOutputBudget} from '../engine/tool-output-budget.ts';
import {type FoldOptions, type FoldSettings, managedFoldSettings} from '../fold/fold-options.ts';
import {callback, parseOptions} from '../options.ts';
import {type CompactionPolicy, parsePolicy, type ResolvedPolicy} from '../policy.ts';
import type {CompactionStore} from '../store/compaction-store.ts';
import type {CompactionRecord, FailedFoldRecord} from '../store/records.ts';
import type {Warning} from '../warnings.ts';

/** How a manager or a plugin compacts. `undefined` asks for the default everywhere. */
export interface CompactionOptions {
  /** When to compact, how far, and what to leave alone. */
  readonly policy: CompactionPolicy;
  /** Where decisions are kept. Default a `MemoryCompactionStore`, which forgets them when the process ends. */
  readonly store?: CompactionStore | undefined;
  /** How old history is summarised. Left out: elide and drop only. */
  readonly fold?: FoldOptions | undefined;
  /** A budget that starts afresh with every compaction of a session. */
  readonly toolOutputBudget?: ToolOutputBudget | undefined;
  /** Called for each warning. Default: ADK's logger. What it throws goes to the logger. */
  readonly onWarning?: ((warning: Warning) => void) | undefined;
  /** Called for each record after it took effect; not awaited. What it throws goes to the logger. */
  readonly onRecord?: ((record: CompactionRecord | FailedFoldRecord) => void | Promise<void>) | undefined;
  /** Milliseconds since the epoch, for the times in records. Default `Date.now`. */
  readonly clock?: (() => number) | undefined;
}

export interface ResolvedOptions extends Omit<CompactionOptions, 'policy' | 'fold'> {
  readonly policy: ResolvedPolicy;
  readonly fold: FoldSettings | undefined;
}

const STORE_METHODS = ['load', 'commit', 'saveCalibration', 'scopes', 'records', 'failedFolds', 'calibrations'];
const BUDGET_METHODS = ['reserve', 'consume', 'reset', 'report'];

const optionsSchema = z.strictObject({
  policy: z.custom<CompactionPolicy>(
    (value) => typeof value === 'object' && value !== null,
    'is required, such as {contextTokens: 200_000}',
  ),
  fold: z.unknown().optional(),
  store: z
    .custom<CompactionStore>(
      (value) => hasMethods(value, STORE_METHODS),
      'must be a CompactionStore, such as openSqliteStore(path).compaction',
    )
    .optional(),
  toolOutputBudget: z
    .custom<ToolOutputBudget>((value) => hasMethods(value, BUDGET_METHODS), 'must be a ToolOutputBudget')
    .optional(),
  onWarning: callback<NonNullable<CompactionOptions['onWarning']>>().optional(),
  onRecord: callback<NonNullable<CompactionOptions['onRecord']>>().optional(),
  clock: callback<() => number>().optional(),
});

/** Checks the options once. Throws `InvalidOptionsError` naming the field; nothing is built then. */
export function parseCompactionOptions(options: CompactionOptions): ResolvedOptions {
  const parsed = parseOptions(optionsSchema, options, '', Object.keys(optionsSchema.shape));
  return {
    ...parsed,
    policy: parsePolicy(options.policy),
    fold: options.fold === undefined ? undefined : managedFoldSettings(options.fold),
  };
}

/** By their methods, so that values of another copy of this package are taken too. */
function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
  );
}
