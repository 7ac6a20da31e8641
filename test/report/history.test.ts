import {describe, expect, it} from 'vitest';
import {backOffs, type HistoryCall, sessionHistory} from '../../src/report/history.ts';
import type {CalibrationRecord, CompactionRecord, FailedFoldRecord} from '../../src/store/records.ts';

const SCOPE = {agentName: 'reader'};

function sample(time: number, prediction: number, more: Partial<CalibrationRecord> = {}): CalibrationRecord {
  return {
    scope: SCOPE,
    model: 'm',
    time,
    estimate: prediction + 7,
    prediction,
    expected: prediction,
    reported: prediction,
    ...more,
  };
}
function elision(
  time: number,
  tokensBefore: number,
  tokensAfter: number,
  more: Partial<CompactionRecord> = {},
): CompactionRecord {
  return {kind: 'elision', scope: SCOPE, time, tokensBefore, tokensAfter, covers: [{identity: 'x', index: 1}], ...more};
}
function failure(time: number, tokensBefore: number, more: Partial<FailedFoldRecord> = {}): FailedFoldRecord {
  return {
    kind: 'failed-fold',
    scope: SCOPE,
    time,
    split: 4,
    prefixHash: 'h',
    tokensBefore,
    errorClass: 'error',
    reason: '503',
    attempts: 2,
    ...more,
  };
}
const shape = (calls: readonly HistoryCall[]): unknown[] =>
  calls.map(({sample: taken, actions}) => [taken?.reported, ...actions.map((action) => action.kind)]);

describe('sessionHistory', () => {
  it('puts what was done before a call to its sample', () => {
    const calls = sessionHistory({
      records: [elision(20, 900, 500), {...elision(21, 500, 400), kind: 'fold', split: 3, output: []}],
      failedFolds: [],
      samples: [sample(10, 800), sample(25, 400), sample(30, 450)],
    });
    expect(shape(calls)).toEqual([[800], [400, 'elision', 'fold'], [450]]);
  });

  it('keeps a failed fold between the steps that it stood between', () => {
    const calls = sessionHistory({
      records: [elision(20, 900, 500), {...elision(22, 500, 300), kind: 'drop'}],
      failedFolds: [failure(21, 500)],
      samples: [sample(25, 300)],
    });
    expect(shape(calls)).toEqual([[300, 'elision', 'failed-fold', 'drop']]);
  });

  it.each<[string, number[], number]>([
    ['the sample sent with the tokens that were left', [800, 500], 1],
    ['also when the earlier one is it', [500, 800], 0],
  ])('where all happened in one millisecond takes %s', (_, predictions, owner) => {
    const samples = predictions.map((prediction) => sample(10, prediction));
    const calls = sessionHistory({records: [elision(10, 900, 500)], failedFolds: [], samples});
    expect(calls.map((call) => call.actions.length)).toEqual(
      predictions.map((_prediction, index) => (index === owner ? 1 : 0)),
    );
  });

  it('knows the tokens of the bytes estimator as well', () => {
    const samples = [sample(10, 800), sample(10, 450, {estimate: 500})];
    const calls = sessionHistory({records: [elision(10, 900, 500)], failedFolds: [], samples});
    expect(calls.map((call) => call.actions.length)).toEqual([0, 1]);
  });

  it('lets a call stand on its own whose count was never reported', () => {
    const calls = sessionHistory({
      records: [elision(20, 900, 500), elision(40, 950, 600)],
      failedFolds: [],
      samples: [sample(10, 800), sample(45, 600)],
    });
    expect(shape(calls)).toEqual([[800], [undefined, 'elision'], [600, 'elision']]);
    expect(calls.map((call) => call.actions[0]?.tokensBefore)).toEqual([undefined, 900, 950]);
    expect(sessionHistory({records: [elision(20, 900, 500)], failedFolds: [], samples: []})).toHaveLength(1);
  });

  it('keeps scopes apart', () => {
    const other = {agentName: 'writer', branch: 'b'};
    const calls = sessionHistory({
      records: [elision(20, 900, 500, {scope: other})],
      failedFolds: [],
      samples: [sample(25, 500), sample(26, 500, {scope: other})],
    });
    expect(calls.map(({scope, actions}) => [scope.agentName, actions.length])).toEqual([
      ['reader', 0],
      ['writer', 1],
    ]);
  });
});

describe('backOffs', () => {
  const fold = {...elision(30, 500, 400), kind: 'fold'} as const;
  it.each<[string, CompactionRecord[], FailedFoldRecord[], unknown[]]>([
    ['a failed fold', [], [failure(20, 500)], [{scope: SCOPE, since: 20, reason: 'error: 503'}]],
    [
      'the newest of several',
      [],
      [failure(20, 500), failure(25, 600, {errorClass: 'no-text', attempts: 2})],
      [{scope: SCOPE, since: 25, reason: 'no-text: 503'}],
    ],
    ['none after a fold that was made', [fold], [failure(20, 500)], []],
    [
      'one after a fold that was made before',
      [fold],
      [failure(40, 500)],
      [{scope: SCOPE, since: 40, reason: 'error: 503'}],
    ],
    [
      'none for a failure that no back-off goes by',
      [],
      [{kind: 'failed-fold', scope: SCOPE, time: 20, split: 4, tokensBefore: 5, errorClass: 'aborted', attempts: 1}],
      [],
    ],
  ])('tells of %s', (_, records, failedFolds, expected) => {
    expect(backOffs({records, failedFolds, samples: []})).toEqual(expected);
  });
});
