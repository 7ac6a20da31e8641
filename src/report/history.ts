import type {StoredCompaction} from '../replay/recorded-session.ts';
import {type Scope, scopeText} from '../session-key.ts';
import {type CalibrationRecord, type CompactionRecord, type FailedFoldRecord, failureReason} from '../store/records.ts';

/** What compaction did before one model call. */
export type Action = CompactionRecord | FailedFoldRecord;

/** One model call of a scope: its figures, when the provider reported a count, and what compaction did before it. */
export interface HistoryCall {
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly sample?: CalibrationRecord;
  readonly actions: readonly Action[];
}

/** A scope that asks for no summary because the last one failed. */
export interface BackOff {
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly reason: string;
}

/**
 * The model calls of a session, oldest first. Actions and samples are kept apart in a store; an action belongs to the next
 * sample of its scope that was sent with the tokens that the action left, else to the next one. A call whose count was
 * never reported stands on its own.
 */
export function sessionHistory({records, failedFolds, samples}: StoredCompaction): HistoryCall[] {
  const scopes = new Map<string, {actions: Action[]; samples: CalibrationRecord[]}>();
  const of = (scope: Scope): {actions: Action[]; samples: CalibrationRecord[]} => {
    const text = scopeText(scope);
    const known = scopes.get(text) ?? {actions: [], samples: []};
    scopes.set(text, known);
    return known;
  };
  for (const record of records) {
    of(record.scope).actions.push(record);
  }
  for (const record of failedFolds) {
    of(record.scope).actions.push(record);
  }
  for (const sample of samples) {
    of(sample.scope).samples.push(sample);
  }
  return [...scopes.values()].flatMap(scopeHistory).sort((one, other) => one.time - other.time);
}

/** Scopes whose newest fold attempt failed in a way that the back-off goes by. */
export function backOffs({records, failedFolds}: StoredCompaction): BackOff[] {
  const newest = new Map<string, FailedFoldRecord>();
  for (const failure of failedFolds) {
    if (failure.prefixHash !== undefined) {
      newest.set(scopeText(failure.scope), failure);
    }
  }
  for (const {kind, scope, time} of records) {
    const failure = newest.get(scopeText(scope));
    if (kind === 'fold' && failure !== undefined && time >= failure.time) {
      newest.delete(scopeText(scope));
    }
  }
  return [...newest.values()].map((failure) => ({
    scope: failure.scope,
    since: failure.time,
    reason: failureReason(failure),
  }));
}

/** The tools whose answers a compaction covered, with how many of each, the most frequent first. */
export function toolCounts({covers}: CompactionRecord): {readonly name: string; readonly count: number}[] {
  const counts = new Map<string, number>();
  for (const {toolName = 'unnamed'} of covers) {
    counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({name, count})).sort((one, other) => other.count - one.count);
}

function scopeHistory({actions, samples}: {actions: Action[]; samples: CalibrationRecord[]}): HistoryCall[] {
  const groups = actionGroups(actions);
  const owners = new Map<CalibrationRecord, Group>();
  // Those whose tokens tell first: a call that was never sampled must not take the sample of the next one.
  for (const find of [sampleByTokens, sampleByTime]) {
    const owned = new Set(owners.values());
    for (const group of groups.filter((one) => !owned.has(one))) {
      const sample = find(group, samples);
      if (sample !== undefined && !owners.has(sample)) {
        owners.set(sample, group);
      }
    }
  }
  const owned = new Set(owners.values());
  const alone = groups
    .filter((group) => !owned.has(group))
    .map((group): HistoryCall => ({scope: group[0].scope, time: group[0].time, actions: group}));
  const sampled = samples.map((sample): HistoryCall => {
    return {scope: sample.scope, time: sample.time, sample, actions: owners.get(sample) ?? []};
  });
  return [...alone, ...sampled].sort((one, other) => one.time - other.time);
}

type Group = [Action, ...Action[]];

/** Actions of one call follow each other: each begins with the tokens that the one before left. */
function actionGroups(actions: readonly Action[]): Group[] {
  const groups: Group[] = [];
  for (const action of [...actions].sort((one, other) => one.time - other.time)) {
    const last = groups.at(-1);
    if (last !== undefined && tokensLeft(last) === action.tokensBefore) {
      last.push(action);
    } else {
      groups.push([action]);
    }
  }
  return groups;
}

function tokensLeft(group: Group): number {
  const last = group.at(-1) ?? group[0];
  return last.kind === 'failed-fold' ? last.tokensBefore : last.tokensAfter;
}

/** Samples that may be of the group's call: those of the first millisecond that is not before it, and the one after. */
function candidates(group: Group, samples: readonly CalibrationRecord[]): CalibrationRecord[] {
  const {time} = group.at(-1) ?? group[0];
  const from = samples.findIndex((sample) => sample.time >= time);
  if (from < 0) {
    return [];
  }
  const later = samples.findIndex((sample, index) => index > from && sample.time > (samples[from]?.time ?? 0));
  return samples.slice(from, later < 0 ? samples.length : later + 1);
}

function sampleByTokens(group: Group, samples: readonly CalibrationRecord[]): CalibrationRecord | undefined {
  const left = tokensLeft(group);
  return candidates(group, samples).find(({prediction, estimate}) => prediction === left || estimate === left);
}

function sampleByTime(group: Group, samples: readonly CalibrationRecord[]): CalibrationRecord | undefined {
  return candidates(group, samples)[0];
}
