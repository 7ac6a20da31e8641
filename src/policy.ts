import {z} from 'zod';
import type {EstimatorName} from './estimator-name.ts';
import {count, parseOptions} from './options.ts';

/** When to compact, how far, and what to leave alone. */
export interface CompactionPolicy {
  /**
   * The model's context window in tokens, or a function of the model's name that gives it. 0 switches everything off. A function that throws
   * or gives no finite number is warned about (`compaction.policy.window`) and counts as 0 for that call.
   */
  readonly contextTokens: number | ((model: string) => number);
  /** Share of the window at which to act, in (0, 1]. Default 0.85. */
  readonly triggerFraction?: number | undefined;
  /** Share of the window to come down to, in (0, 1], below the trigger. Default 0.60, or 0.7 × trigger when the trigger is 0.60 or less. */
  readonly targetFraction?: number | undefined;
  /** The newest contents, which are never elided or dropped. The last one never is, also at 0. Default 12. */
  readonly keepRecentContents?: number | undefined;
  /** Answers whose body is estimated below this many tokens are not elided. Default 200. */
  readonly minimumElisionTokens?: number | undefined;
  /** Tools whose answers are never elided, dropped or folded away. A server tool's name is its `toolType`. Default none. */
  readonly preserveToolNames?: readonly string[] | undefined;
  /** Whether to learn from the reported prompt token counts. Default true. */
  readonly calibration?: boolean | undefined;
  /** The deciding figure: `features` (`predictTokens`) or `bytes` (`estimateRequest` with `media: 'modality'`). Default `features`. */
  readonly estimator?: EstimatorName | undefined;
  /** Whether function calls that nothing answers get an answer in the request. Default true. */
  readonly repairOrphans?: boolean | undefined;
  /** `observe` decides and reports, and changes no request. Default `enforce`. */
  readonly mode?: 'enforce' | 'observe' | undefined;
}

/** A policy with every default in place. */
export interface ResolvedPolicy {
  readonly contextTokens: number | ((model: string) => number);
  readonly triggerFraction: number;
  readonly targetFraction: number;
  readonly keepRecentContents: number;
  readonly minimumElisionTokens: number;
  readonly preserveToolNames: ReadonlySet<string>;
  readonly calibration: boolean;
  readonly estimator: EstimatorName;
  readonly repairOrphans: boolean;
  readonly mode: 'enforce' | 'observe';
}

const fraction = z.number('must be a number in (0, 1]').gt(0, 'must be above 0').max(1, 'must be 1 or less');

const policyFields = z.strictObject({
  contextTokens: z.union(
    [
      z.number().min(0, 'must be 0 or more'),
      z.custom<(model: string) => number>((value) => typeof value === 'function'),
    ],
    'must be a number of tokens, 0 or more, or a function of the model name',
  ),
  triggerFraction: fraction.default(0.85),
  targetFraction: fraction.optional(),
  keepRecentContents: count.default(12),
  minimumElisionTokens: z.number('must be a number of tokens').min(0, 'must be 0 or more').default(200),
  preserveToolNames: z.array(z.string('must be a tool name'), 'must be a list of tool names').default([]),
  calibration: z.boolean('must be true or false').default(true),
  estimator: z.enum(['features', 'bytes'], "must be 'features' or 'bytes'").default('features'),
  repairOrphans: z.boolean('must be true or false').default(true),
  mode: z.enum(['enforce', 'observe'], "must be 'enforce' or 'observe'").default('enforce'),
});

const policySchema = policyFields
  .transform((policy): ResolvedPolicy => {
    const {triggerFraction} = policy;
    const defaultTarget = triggerFraction > 0.6 ? 0.6 : 0.7 * triggerFraction;
    return {
      ...policy,
      targetFraction: policy.targetFraction ?? defaultTarget,
      preserveToolNames: new Set(policy.preserveToolNames),
    };
  })
  .refine((policy) => policy.targetFraction < policy.triggerFraction, {
    path: ['targetFraction'],
    message: 'must be below policy.triggerFraction',
  });

/** Checks a policy and fills in the defaults. Throws `InvalidOptionsError` naming the field. */
export function parsePolicy(policy: CompactionPolicy): ResolvedPolicy {
  return parseOptions(policySchema, policy, 'policy', Object.keys(policyFields.shape));
}
