import type {Content, Part} from '@google/genai';
import fc from 'fast-check';

const TOOLS = ['read', 'list', 'search', 'pin'];
/** Objects as JSON.parse makes them. */
const PLAIN = {noNullPrototype: true} as const;
const texts = fc.oneof(
  fc.string({unit: 'grapheme', maxLength: 40}),
  fc.integer({min: 1, max: 300}).map((size) => 'word '.repeat(size)),
);
const bodies = fc.oneof(
  fc.record({text: texts}, PLAIN),
  fc.record(
    {rows: fc.array(fc.record({n: fc.integer(), s: fc.string({maxLength: 8})}, PLAIN), {maxLength: 30})},
    PLAIN,
  ),
  fc.constant({output: '[elided]'}),
  fc.constant({error: 'ENOENT'}),
  fc.constant({}),
);

interface Step {
  readonly calls: readonly {name: string; id: string | undefined; response: Record<string, unknown>; media: boolean}[];
  readonly thought: string | undefined;
  readonly signature: string | undefined;
  readonly isSplit: boolean;
}

const steps: fc.Arbitrary<Step> = fc.record({
  calls: fc.array(
    fc.record({
      name: fc.constantFrom(...TOOLS),
      id: fc.option(fc.uuid(), {nil: undefined}),
      response: bodies,
      media: fc.boolean(),
    }),
    {minLength: 1, maxLength: 3},
  ),
  thought: fc.option(texts, {nil: undefined}),
  signature: fc.option(fc.constant('c2lnbmF0dXJl'), {nil: undefined}),
  isSplit: fc.boolean(),
});

function stepContents({calls, thought, signature, isSplit}: Step): Content[] {
  const request: Part[] = [
    ...(thought === undefined ? [] : [{text: thought, thought: true}]),
    ...calls.map(({name, id}, index) => ({
      functionCall: {...(id === undefined ? {} : {id}), name, args: {index}},
      ...(signature !== undefined && index === 0 ? {thoughtSignature: signature} : {}),
    })),
  ];
  const answers: Part[] = calls.map(({name, id, response, media}) => ({
    functionResponse: {
      ...(id === undefined ? {} : {id}),
      name,
      response,
      ...(media ? {parts: [{inlineData: {mimeType: 'image/png', data: 'QUJD'.repeat(50)}}]} : {}),
    },
  }));
  const model = {role: 'model', parts: request};
  return isSplit
    ? [model, ...answers.map((part) => ({role: 'user', parts: [part]}))]
    : [model, {role: 'user', parts: answers}];
}

const openings: fc.Arbitrary<Content> = fc.oneof(
  texts.map((text) => ({role: 'user', parts: [{text: `ask ${text}`}]})),
  texts.map((text) => ({role: 'user', parts: [{text: 'For context:'}, {text: `[other] said: ${text}`}]})),
  fc.constant<Content>({
    role: 'user',
    parts: [{text: 'see'}, {inlineData: {mimeType: 'image/png', data: 'QUJD'.repeat(100)}}],
  }),
);

const turns = fc
  .record({
    opening: openings,
    steps: fc.array(steps, {maxLength: 3}),
    closing: fc.option(texts, {nil: undefined}),
    orphan: fc.option(fc.constantFrom(...TOOLS), {nil: undefined, freq: 6}),
  })
  .map(({opening, steps: inside, closing, orphan}): Content[] => [
    opening,
    ...inside.flatMap(stepContents),
    ...(orphan === undefined ? [] : [{role: 'model', parts: [{functionCall: {name: orphan, args: {}}}]}]),
    ...(closing === undefined ? [] : [{role: 'model', parts: [{text: `say ${closing}`}]}]),
  ]);

/**
 * Histories as ADK hands them over: a user content first, calls followed by their answers, in one content or several; with
 * and without ids, thoughts, signatures, media, other agents' words, and now and then a call that a crash left unanswered.
 * Cut at a place where a model is called: the last content is a user content.
 */
export const histories: fc.Arbitrary<Content[]> = fc
  .tuple(fc.array(turns, {minLength: 1, maxLength: 5}), openings, fc.array(steps, {maxLength: 3}))
  .map(([before, live, running]) => [...before.flat(), live, ...running.flatMap(stepContents)]);
