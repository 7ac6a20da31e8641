import type {Content} from '@google/genai';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {type MeasuredRequest, type MeasureMemo, measureRequest} from '../../src/estimate/measure.ts';
import {boundsOf} from '../../src/plan/bounds.ts';
import {Decisions} from '../../src/plan/decisions.ts';
import {elide} from '../../src/plan/elide.ts';
import {placedAnswers} from '../../src/plan/placed-answers.ts';
import {recognise} from '../../src/plan/recognise.ts';
import {completeTurns} from '../../src/plan/turns.ts';
import type {View} from '../../src/plan/view.ts';
import {requestOf} from '../support/manager-harness.ts';

/** Few bodies and no ids, so that many answers are each other's equals. */
const BODIES = ['a', 'b', 'c'].map((letter) => letter.repeat(400));

const answering = (body: number): Content => ({
  role: 'user',
  parts: [{functionResponse: {name: 'read', response: {output: BODIES[body % BODIES.length]}}}],
});

/** What may happen to a history between two calls. */
type Change = (contents: Content[], pick: number) => unknown;

const CHANGES: Readonly<Record<string, Change>> = {
  'an answer comes': (contents, pick) => contents.push(answering(pick)),
  'two answers come': (contents, pick) => contents.push(answering(pick), answering(pick + 1)),
  'a text comes': (contents) => contents.push({role: 'user', parts: [{text: 'go on'}]}),
  'a content goes': (contents, pick) => contents.splice(pick % contents.length, 1),
  'an answer is put between': (contents, pick) => contents.splice(pick % contents.length, 0, answering(pick)),
  'an answer changes': (contents, pick) => contents.splice(pick % contents.length, 1, answering(pick + 1)),
};

function elidedIn(view: View): number[] {
  return view.render().contents.flatMap((content, index) => (content === view.request.contents[index] ? [] : [index]));
}

describe('recognise', () => {
  const policy = {keepRecentContents: 2, preserveToolNames: new Set<string>()};
  const bounds = (request: MeasuredRequest) => ({
    ...boundsOf(request, policy, -1),
    hasPins: false,
    isPinned: () => false,
  });

  it('finds in a request that follows another what it finds in one seen for the first time', () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat({max: 50}), fc.constantFrom(0, 0, 0, 0, 2)),
      {
        minLength: 5,
        maxLength: 30,
      },
    );
    let elisions = 0;
    fc.assert(
      fc.property(steps, (changes) => {
        const decisions = new Decisions();
        const contents: Content[] = [{role: 'user', parts: [{text: 'Read all.'}]}, answering(0)];
        let memo: MeasureMemo | undefined;
        for (const [name, pick, wanted] of changes) {
          CHANGES[name]?.(contents, pick);
          const copies = structuredClone(contents);
          const request = measureRequest(requestOf(copies), copies, memo);
          memo = request.memo;
          const view = recognise(request, decisions, bounds(request));
          const fresh = measureRequest(requestOf(copies), copies);
          expect(elidedIn(view)).toEqual(elidedIn(recognise(fresh, decisions, bounds(fresh))));
          let more = wanted;
          const step = elide(view, {
            bounds: bounds(request),
            figure: (size) => size.weight.canonicalBytes,
            minimumTokens: 0,
            isDone: () => more-- === 0,
          });
          decisions.add(step?.decisions ?? []);
          elisions += step?.covers.length ?? 0;
        }
      }),
      {numRuns: 200},
    );
    expect(elisions).toBeGreaterThan(400);
  });

  it('counts an elided answer no longer once its turn may be dropped', () => {
    const turn = (letter: string): Content[] => [
      {role: 'user', parts: [{text: letter}]},
      {role: 'model', parts: [{functionCall: {name: 'read', args: {}}}]},
      {role: 'user', parts: [{functionResponse: {name: 'read', response: {output: letter.repeat(400)}}}]},
      {role: 'model', parts: [{text: letter}]},
    ];
    const contents = [...turn('a'), ...turn('b'), ...turn('c'), ...turn('d')];
    const first = measureRequest(requestOf(contents), contents);
    const decisions = new Decisions();
    for (const {identity = ''} of completeTurns(first).slice(1)) {
      decisions.add([{kind: 'drop', identity, occurrences: 1}]);
    }
    for (const {identity = ''} of placedAnswers(first).slice(0, 3)) {
      decisions.add([{kind: 'elision', identity, occurrences: 1}]);
    }
    const short = contents.slice(0, 13);
    const earlier = measureRequest(requestOf(short), short);
    const room = {...bounds(earlier), recentStart: 11};
    expect(recognise(earlier, decisions, room).render().contents.length).toBe(short.length - 4);
    const later = measureRequest(requestOf(contents), contents, earlier.memo);
    const fresh = measureRequest(requestOf(contents), contents);
    const view = recognise(later, decisions, bounds(later));
    expect(view.render().contents.length).toBe(contents.length - 8);
    expect(view.size).toEqual(recognise(fresh, decisions, bounds(fresh)).size);
  });
});
