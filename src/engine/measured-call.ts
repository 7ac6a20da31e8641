import type {LlmRequest} from '@google/adk';
import {Incremental} from '../estimate/incremental.ts';
import {type MeasuredRequest, type MeasureMemo, measureRequest} from '../estimate/measure.ts';
import {answersFollowCalls} from '../request/answers-follow-calls.ts';
import {repairOrphans} from '../request/repair-orphans.ts';

/** What is remembered of a scope's last request. */
export interface CallMemo {
  readonly measure: MeasureMemo;
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
export function measureCall(request: LlmRequest, repairs: boolean, earlier: CallMemo | undefined): MeasuredCall {
  const {contents} = request;
  // What had to be repaired once has to be at every call: the memo is of such a request.
  if (repairs && earlier?.isRepaired) {
    const repaired = repairOrphans(contents);
    return asMeasured(measureRequest(request, repaired, earlier.measure), repaired !== contents);
  }
  const measured = measureRequest(request, contents, earlier?.measure);
  const repaired = repairs && !isPaired.of(measured) ? repairOrphans(contents) : contents;
  return repaired === contents
    ? asMeasured(measured, false)
    : asMeasured(measureRequest(request, repaired, measured.memo), true);
}

function asMeasured(measured: MeasuredRequest, isRepaired: boolean): MeasuredCall {
  return {measured, memo: {measure: measured.memo, isRepaired}};
}
