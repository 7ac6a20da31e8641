import type {Content} from '@google/genai';
import {expectation} from '../calibrate/calibration.ts';
import {contentSize, listSize, type MeasuredRequest} from '../estimate/measure.ts';
import {decidingFigure, type Figure, type Size} from '../estimate/size.ts';
import {choosePins, type PinRules} from '../fold/fold-input.ts';
import {type History, historyOf} from '../fold/history.ts';
import type {Bounds} from '../plan/bounds.ts';
import {pairsInPlace} from '../plan/turns.ts';
import type {BrokenPromise} from '../plan/verify.ts';
import type {View} from '../plan/view.ts';
import type {ResolvedPolicy} from '../policy.ts';
import type {ScopeWarnings} from '../warnings.ts';
import type {ScopeState} from './scope-state.ts';

/** Everything one model call is decided by. */
export interface Situation {
  readonly state: ScopeState;
  /** The revision of the state when the call began; what it decides is stored only while the session is not deleted. */
  readonly basedOn: string | undefined;
  /** `state.adoptions` when the call began. */
  readonly adoptions: number;
  readonly request: MeasuredRequest;
  /** The same contents as a fold sees them. */
  readonly history: History;
  readonly bounds: Bounds;
  readonly model: string;
  readonly contextTokens: number;
  /** Expected tokens from which on something is done. */
  readonly triggerTokens: number;
  /** Expected tokens to come down to. */
  readonly targetTokens: number;
  /** True when the host asked for a compaction whatever the estimate says. */
  readonly isForced: boolean;
  /** Promises that plans made for this call would have broken. */
  readonly rejections: BrokenPromise[];
  readonly figure: Figure;
  /** Tokens of a list of contents alone, by the deciding figure. */
  estimate(contents: readonly Content[]): number;
  /** Tokens the provider is expected to report for a view. */
  expected(view: View): number;
}

export function situationOf(
  policy: ResolvedPolicy,
  facts: Pick<Situation, 'state' | 'request' | 'model' | 'contextTokens' | 'isForced'> & {
    readonly bounds: Omit<Bounds, 'hasPins' | 'isPinned'>;
  },
  pins: PinRules | undefined,
): Situation {
  const {state, request, bounds, model, contextTokens, isForced} = facts;
  const figure = decidingFigure(policy.estimator, model);
  const learnt = policy.calibration ? state.calibration(policy.estimator, model) : undefined;
  const history = historyOf(request.contents, {
    liveUserIndex: bounds.liveStart,
    protectLive: true,
    arePairsInPlace: () => pairsInPlace.of(request),
    prefixHash: (split) => request.prefixHash(split),
  });
  const measuredSizes = lazily(
    () => new Map(request.contents.map((content, index) => [content, request.sizeOf(index)])),
  );
  const pinned = lazily(
    () => new Set(pins?.pin ? choosePins(history, request.contents.length, cautiousPins(pins, state.warnings)) : []),
  );
  let lastSize: Size | undefined;
  let lastExpected = 0;
  // Listed: spreading into an object of so many members takes ten times as long.
  return {
    state,
    basedOn: state.snapshot?.revision,
    adoptions: state.adoptions,
    request,
    bounds: {
      recentStart: bounds.recentStart,
      liveStart: bounds.liveStart,
      preserveToolNames: bounds.preserveToolNames,
      hasPins: pins?.pin !== undefined,
      isPinned: (content) => pinned().has(content),
    },
    model,
    contextTokens,
    isForced,
    rejections: [],
    history,
    figure,
    estimate: (contents) =>
      figure(listSize(contents.map((content) => measuredSizes().get(content) ?? contentSize(content)))),
    triggerTokens: Math.floor(contextTokens * policy.triggerFraction),
    targetTokens: Math.floor(contextTokens * policy.targetFraction),
    // Asked for the same view several times in a row.
    expected: ({size}) => {
      if (size !== lastSize) {
        lastSize = size;
        lastExpected = expectation(policy.estimator, learnt, figure(size));
      }
      return lastExpected;
    },
  };
}

/** A callback that throws fails a fold; to elisions and drops it says: keep what it could not be asked about. */
function cautiousPins({filter, pin}: PinRules, warnings: ScopeWarnings): PinRules {
  const ask = <Answer>(answer: () => Answer, otherwise: Answer): Answer => {
    try {
      return answer();
    } catch (error) {
      warnings.raise(
        'compaction.fold.failed',
        'A callback that chooses pins threw; the contents it could not be asked about stay.',
        error,
      );
      return otherwise;
    }
  };
  return {
    filter: (contents) => ask(() => filter(contents), contents),
    ...(pin && {pin: (content) => ask(() => pin(content), true)}),
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: {readonly value: Value} | undefined;
  return () => {
    made ??= {value: make()};
    return made.value;
  };
}
