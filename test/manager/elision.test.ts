import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {estimateContents, estimateRequest} from '../../src/index.ts';
import {answer, call, together, user} from '../../src/testing.ts';
import {ManagerHarness, requestOf} from '../support/manager-harness.ts';

const body = (size: number, letter = 'x'): Record<string, unknown> => ({text: letter.repeat(size)});
const ELIDED = {output: '[elided]'};

/** Bodies of the answers that stand in the contents, in order. */
function bodies(contents: readonly Content[]): unknown[] {
  return contents.flatMap((content) =>
    (content.parts ?? []).flatMap((part) => {
      const response = part.functionResponse ?? part.toolResponse;
      return response ? [response.response] : [];
    }),
  );
}

/** A tool loop: a question, then `steps` calls with answers of 800 bytes each, about 227 tokens a step. */
function loop(steps: number): Content[] {
  return [
    user('start'),
    ...Array.from({length: steps}, (_, step) => [
      call('read', {step}),
      answer('read', body(800, String.fromCharCode(97 + step))),
    ]).flat(),
  ];
}

const tokens = (contents: Content[]): number => estimateRequest(requestOf(contents), {media: 'modality'}).tokens;

describe('elision', () => {
  it('leaves a request below the trigger alone, down to object identity', async () => {
    const harness = new ManagerHarness();
    const {request} = await harness.call(loop(3));
    const contents = structuredClone(loop(3));
    const untouched = requestOf(contents);
    const before = [...contents];
    await harness.manager.beforeModel({context: (await harness.call([user('x')])).context, request: untouched});
    expect(untouched.contents).toBe(contents);
    untouched.contents.forEach((content, index) => {
      expect(content).toBe(before[index]);
    });
    expect(request.contents).toEqual(loop(3));
    expect(harness.records).toEqual([]);
  });

  it('elides the oldest answers and stops at the target', async () => {
    const harness = new ManagerHarness({targetFraction: 0.7});
    const history = loop(4);
    expect(tokens(history)).toBeGreaterThan(850);
    const out = await harness.contents(history);
    expect(bodies(out)).toEqual([ELIDED, ELIDED, body(800, 'c'), body(800, 'd')]);
    expect(tokens(out)).toBeLessThanOrEqual(700);
    const [record] = harness.records;
    expect(record).toMatchObject({kind: 'elision', tokensBefore: tokens(history), tokensAfter: tokens(out)});
    expect(record?.kind === 'elision' && record.covers.map(({index, toolName}) => [index, toolName])).toEqual([
      [2, 'read'],
      [4, 'read'],
    ]);
    expect(harness.warnings).toEqual([]);
  });

  it.each([
    ['one token below the trigger', 1, false],
    ['at the trigger', 0, true],
  ])('decides %s', async (_, above, isCompacted) => {
    const history = loop(4);
    const contextTokens = tokens(history) + above;
    const harness = new ManagerHarness({contextTokens, triggerFraction: 1, targetFraction: 0.9});
    await harness.contents(history);
    expect(harness.records.length > 0).toBe(isCompacted);
  });

  it('applies the same elisions to every later request, also below the trigger', async () => {
    const harness = new ManagerHarness();
    const first = await harness.contents(loop(4));
    const later = await harness.contents([...loop(4), user('and now?')]);
    expect(JSON.stringify(later.slice(0, first.length))).toBe(JSON.stringify(first));
    expect(harness.records).toHaveLength(1);
  });

  it('never elides content 0, the recent window or the last content', async () => {
    const history = [
      {role: 'user', parts: [{functionResponse: {name: 'read', response: body(4_000)}}]},
      call('read'),
      answer('read', body(4_000, 'y')),
    ];
    for (const keepRecentContents of [0, 1, 2]) {
      const harness = new ManagerHarness({keepRecentContents, repairOrphans: false});
      expect(await harness.contents(history)).toEqual(history);
      expect(harness.codes()).toEqual(['compaction.budget.exhausted']);
    }
  });

  it('leaves preserved tools, signed answers and small bodies alone', async () => {
    const signed = answer('read', body(2_000, 's'));
    Object.assign(signed.parts?.[0] ?? {}, {thoughtSignature: 'c2ln'});
    const history = [
      user('start'),
      together(call('read'), call('pin'), call('small')),
      together(signed, answer('pin', body(2_000, 'p')), answer('small', body(40))),
      user('next'),
      call('read'),
      answer('read', body(10)),
    ];
    const harness = new ManagerHarness({preserveToolNames: ['pin'], keepRecentContents: 1});
    expect(await harness.contents(history)).toEqual(history);
    expect(harness.codes()).toEqual(['compaction.budget.exhausted']);
  });

  it('does not apply a sticky elision to a tool that is preserved now', async () => {
    const store = new ManagerHarness();
    const out = await store.contents(loop(4));
    expect(bodies(out)[0]).toEqual(ELIDED);
    const preserving = new ManagerHarness({contextTokens: 100_000, preserveToolNames: ['read']});
    expect(bodies(await preserving.contents(loop(4)))).not.toContainEqual(ELIDED);
  });

  it('skips an elision that would not lower the estimate', async () => {
    const history = [
      user('start'),
      ...Array.from({length: 30}, () => [call('t'), answer('t', {e: 1})]).flat(),
      ...[call('t'), answer('t', {result: '[elided]'})],
      user('x'.repeat(1_000)),
    ];
    const harness = new ManagerHarness({minimumElisionTokens: 0, keepRecentContents: 1});
    expect(await harness.contents(history)).toEqual(history);
    expect(harness.kinds()).not.toContain('elision');
  });

  it('removes the media of an elided answer and keeps id, name and scheduling', async () => {
    const shot: Content = {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'call-1',
            name: 'shot',
            response: {ok: true},
            parts: [{inlineData: {mimeType: 'image/png', data: 'A'.repeat(4_000)}}],
          },
        },
      ],
    };
    const history = [user('start'), call('shot', {}, 'call-1'), shot, user('next'), user('y'.repeat(3_000))];
    const harness = new ManagerHarness({keepRecentContents: 1});
    const out = await harness.contents(history);
    expect(out[2]?.parts).toEqual([{functionResponse: {id: 'call-1', name: 'shot', response: ELIDED}}]);
  });

  it('elides server tool responses like function responses', async () => {
    const toolType = 'GOOGLE_SEARCH_WEB' as never;
    const history: Content[] = [
      user('start'),
      {
        role: 'model',
        parts: [{toolCall: {id: 't1', toolType}}, {toolResponse: {id: 't1', toolType, response: body(4_000)}}],
      },
      user('next'),
      user('last'),
    ];
    const out = await new ManagerHarness({keepRecentContents: 1}).contents(history);
    expect(out[1]?.parts?.[1]).toEqual({toolResponse: {id: 't1', toolType, response: ELIDED}});
    const preserved = new ManagerHarness({keepRecentContents: 1, preserveToolNames: ['GOOGLE_SEARCH_WEB']});
    expect(await preserved.contents(history)).toContainEqual(history[1]);
  });

  it('counts equal answers and restores them one at a time', async () => {
    const same = [call('read'), answer('read', body(1_200))];
    const history = [user('start'), ...same, ...same, ...same, user('end')];
    const harness = new ManagerHarness({keepRecentContents: 1, targetFraction: 0.6});
    const once = await harness.contents(history);
    expect(bodies(once)).toEqual([ELIDED, ELIDED, body(1_200)]);
    const shorter = [user('start'), ...same, user('end')];
    expect(bodies(await harness.contents(shorter))).toEqual([ELIDED]);
    expect(bodies(await harness.contents([user('start'), ...same, ...same, ...same, user('again')]))).toEqual([
      ELIDED,
      ELIDED,
      body(1_200),
    ]);
  });

  it('elides an answer that is older than one already elided', async () => {
    const harness = new ManagerHarness({keepRecentContents: 1});
    const late = [call('read'), answer('read', body(3_500, 'late'))];
    await harness.contents([user('start'), ...late, user('x')]);
    const early = [call('list'), answer('list', body(3_500, 'e'))];
    const out = await harness.contents([user('start'), ...early, ...late, user('x')]);
    expect(bodies(out)).toEqual([ELIDED, ELIDED]);
  });

  it('measures an elision by its difference: the figure equals a fresh estimate', async () => {
    const harness = new ManagerHarness();
    const out = await harness.contents(loop(6));
    const status = await harness.manager.status({appName: 'app', userId: 'ann', sessionId: 's1'});
    expect(status.scopes[0]?.estimate).toBe(tokens(out));
    expect(estimateContents(out)).toBeLessThanOrEqual(tokens(out));
  });
});
