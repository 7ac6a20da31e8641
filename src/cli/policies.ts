import type {BaseLlm} from '@google/adk';
import {InvalidArgumentError} from 'commander';
import type {EstimatorName} from '../estimator-name.ts';
import {parsePolicy} from '../policy.ts';
import {dryRunSummarizer} from '../replay/dry-run-summarizer.ts';
import type {ReplayPolicy} from '../replay/policy-run.ts';
import {CommandError, EXIT} from './failure.ts';
import {fraction, oneOf, wholeNumber} from './option-values.ts';

/** The settings of one policy as they stand on the command line. */
export interface PolicySettings {
  readonly contextTokens: number;
  readonly trigger?: number;
  readonly target?: number;
  readonly keep?: number;
  readonly minimum?: number;
  readonly preserve?: string;
  readonly estimator?: EstimatorName;
  readonly fold?: boolean;
  readonly foldModel?: string;
}

/** Makes the model that writes summaries; only asked for when a policy names one. */
export type LoadModel = (name: string) => Promise<BaseLlm>;

type Setting = keyof PolicySettings;

const SETTINGS: Readonly<Record<string, {setting: Setting; read: (text: string) => unknown}>> = {
  'context-tokens': {setting: 'contextTokens', read: wholeNumber},
  trigger: {setting: 'trigger', read: fraction},
  target: {setting: 'target', read: fraction},
  keep: {setting: 'keep', read: wholeNumber},
  minimum: {setting: 'minimum', read: wholeNumber},
  preserve: {setting: 'preserve', read: (text) => text.replaceAll('+', ',')},
  estimator: {setting: 'estimator', read: oneOf('features', 'bytes')},
  fold: {setting: 'fold', read: isFold},
  'fold-model': {setting: 'foldModel', read: (text) => text},
};

/**
 * The policies of a command line: the common settings, and for each `--policy` those with its own in their place. With
 * `--policy` the common settings are defaults, and not a policy of their own.
 *
 * Throws `InvalidOptionsError` or `CommandError` for a setting that cannot be used.
 */
export async function readPolicies(
  common: PolicySettings,
  texts: readonly string[],
  loadModel: LoadModel,
): Promise<ReplayPolicy[]> {
  if (texts.length === 0) {
    return [await toPolicy('policy', common, loadModel)];
  }
  const policies: ReplayPolicy[] = [];
  for (const [index, text] of texts.entries()) {
    const {name = `policy ${index + 1}`, ...settings} = readSettings(text);
    policies.push(await toPolicy(name, {...common, ...settings}, loadModel));
  }
  return policies;
}

/** `name=deep,target=0.3,fold` */
function readSettings(text: string): Partial<PolicySettings> & {readonly name?: string} {
  const settings: Record<string, unknown> = {};
  for (const item of text.split(',').map((one) => one.trim())) {
    if (item === '' || item === 'default') {
      continue;
    }
    const [key = '', value = ''] = item.split(/=(.*)/su);
    if (key === 'name') {
      settings.name = value;
      continue;
    }
    const known = SETTINGS[key];
    if (known === undefined || (value === '' && key !== 'fold')) {
      throw new CommandError(
        `--policy ${text}: ${item} is no setting. Give name and ${Object.keys(SETTINGS).join(', ')}, as key=value, separated by commas.`,
        EXIT.usage,
      );
    }
    settings[known.setting] = readValue(text, item, () => known.read(value));
  }
  return settings;
}

/** `fold` alone, or with yes or no. */
function isFold(text: string): boolean {
  return ['', 'yes', 'true'].includes(text) || oneOf('yes', 'no', 'true', 'false')(text) === 'yes';
}

/** What was typed stands in the message: a number that is none would be shown as `NaN`. */
function readValue(text: string, item: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) {
      throw error;
    }
    throw new CommandError(`--policy ${text}: ${item} cannot be used. ${error.message}`, EXIT.usage, {cause: error});
  }
}

async function toPolicy(name: string, settings: PolicySettings, loadModel: LoadModel): Promise<ReplayPolicy> {
  const {contextTokens, trigger, target, keep, minimum, preserve, estimator, fold, foldModel} = settings;
  const policy = {
    contextTokens,
    triggerFraction: trigger,
    targetFraction: target,
    keepRecentContents: keep,
    minimumElisionTokens: minimum,
    preserveToolNames: preserve?.split(',').map((tool) => tool.trim()),
    estimator,
  };
  parsePolicy(policy);
  if (foldModel !== undefined) {
    return {name, policy, fold: {summarizer: await loadModel(foldModel)}};
  }
  return fold ? {name, policy, fold: {summarizer: dryRunSummarizer()}} : {name, policy};
}
