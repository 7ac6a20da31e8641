import type {LlmRequest} from '@google/adk';
import {Incremental} from '../estimate/incremental.ts';
import {keepTextsOf, type MeasuredRequest, type MeasureMemo, measureRequest} from '../estimate/measure.ts';
import {answersFollowCalls} from '../request/answers-follow-calls.ts';
import {repairOrphans} from '../request/repair-orphans.ts';
import type {ModelCall} from './model-call.ts';

/** What is remembered of a scope's last request. */
export interface CallMemo {
  readonly measure: MeasureMemo;
  /** Stands for `ModelCall.source`. */
  readonly source: object | undefined;
  /** True when it was not decided on as it came. */
  readonly isRepaired: boolean;
}

/** A request measured as it will be decided on. */
export interface MeasuredCall {
  readonly measured: MeasuredRequest;
  /** What to hand to the scope's next call. */
  readonly memo: CallMemo;
}

const isPaired: Incremental<boolean> = new Incremental(({contents}, start, earlier) =>
  answersFollowCalls(contents, earlier ? start : 0),
);

/** Measures a request; where calls or answers are left without the other, as it is once they are repaired. */
export function measureCall(
  {request, source}: Pick<ModelCall, 'request' | 'source'>,
  repairs: boolean,
  earlier: CallMemo | undefined,
): MeasuredCall {
  const {measured, isRepaired} = measureRepaired(request, repairs, earlier);
  const memo = {measure: measured.memo, source: source && standInOf(source), isRepaired};
  if (earlier && earlier.source !== memo.source) {
    keepTextsOf(measured);
  }
  return {measured, memo};
}

const standIns = new WeakMap<object, object>();

/** The same for the same object, and keeps nothing of it. A WeakRef would keep it until the current task of the process ends. */
function standInOf(source: object): object {
  const known = standIns.get(source);
  if (known) {
    return known;
  }
  const standIn = {};
  standIns.set(source, standIn);
  return standIn;
}

function measureRepaired(
  request: LlmRequest,
  repairs: boolean,
  earlier: CallMemo | undefined,
): {readonly measured: MeasuredRequest; readonly isRepaired: boolean} {
  const {contents} = request;
  // What had to be repaired once has to be at every call: the memo is of such a request.
  if (repairs && earlier?.isRepaired) {
    const repaired = repairOrphans(contents);
    return {measured: measureRequest(request, repaired, earlier.measure), isRepaired: repaired !== contents};
  }
  const measured = measureRequest(request, contents, earlier?.measure);
  const repaired = repairs && !isPaired.of(measured) ? repairOrphans(contents) : contents;
  return repaired === contents
    ? {measured, isRepaired: false}
    : {measured: measureRequest(request, repaired, measured.memo), isRepaired: true};
}
