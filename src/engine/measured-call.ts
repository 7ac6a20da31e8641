import type {LlmRequest} from '@google/adk';
import {Incremental} from '../estimate/incremental.ts';
import {type MeasuredRequest, type MeasureMemo, measureRequest} from '../estimate/measure.ts';
import {answersFollowCalls} from '../request/answers-follow-calls.ts';
import {repairOrphans} from '../request/repair-orphans.ts';

/** What is remembered of a scope's last request: as it came, and as it was repaired. */
export interface CallMemo {
  readonly incoming: MeasureMemo;
  readonly repaired?: MeasureMemo | undefined;
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
  const incoming = measureRequest(request, request.contents, earlier?.incoming);
  const contents = repairs && !isPaired.of(incoming) ? repairOrphans(request.contents) : request.contents;
  if (contents === request.contents) {
    return {measured: incoming, memo: {incoming: incoming.memo}};
  }
  const repaired = measureRequest(request, contents, earlier?.repaired);
  return {measured: repaired, memo: {incoming: incoming.memo, repaired: repaired.memo}};
}
