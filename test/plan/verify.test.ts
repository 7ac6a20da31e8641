import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {elidePart} from '../../src/plan/elide-part.ts';
import {verify} from '../../src/plan/verify.ts';
import type {Rendered} from '../../src/plan/view.ts';
import {answer, call, model, user} from '../../src/testing.ts';

const before = [
  user('start'),
  call('read', {}, 'c1'),
  answer('read', {text: 'long'}, 'c1'),
  model([{text: 'signed', thoughtSignature: 'c2ln'}]),
  user('last'),
];
const at = (...sources: number[]): Rendered => ({
  contents: sources.map((source) => before[source] ?? user('Summary')),
  sources,
});
const withContent = (index: number, content: Content): Rendered => ({
  contents: before.map((original, place) => (place === index ? content : original)),
  sources: before.map((_, place) => place),
});
const elided = (content: Content | undefined): Content => ({...content, parts: (content?.parts ?? []).map(elidePart)});
const figures = {before: 100, after: 90};

describe('verify', () => {
  it.each<[string, Rendered]>([
    ['the request itself', at(0, 1, 2, 3, 4)],
    ['a dropped turn', at(0, 4)],
    ['a pair folded away', at(-1, 3, 4)],
    ['pins beside a summary', at(-1, 1, 2, 4)],
    ['an elided answer', withContent(2, elided(before[2]))],
  ])('accepts %s', (_, plan) => {
    expect(verify(before, plan, figures)).toEqual([]);
  });

  it.each<[string, Rendered, string]>([
    ['nothing at all', at(), 'no-contents'],
    ['another last content', at(0, 1, 2, 3), 'last-content-changed'],
    ['a copy of the last content', withContent(4, user('last')), 'last-content-changed'],
    ['a model content first', at(3, 4), 'first-content-not-user'],
    ['an answer first', at(2, 4), 'first-content-not-user'],
    ['a call without its answer', at(0, 1, 3, 4), 'pair-split'],
    ['an answer without its call', at(0, 2, 4), 'pair-split'],
    ['a call without its answer beside a summary', at(-1, 0, 1, 3, 4), 'pair-split'],
    ['another order', at(0, 3, 1, 2, 4), 'order-changed'],
    ['a content twice', at(0, 0, 4), 'order-changed'],
    ['a summary behind', at(0, -1, 4), 'order-changed'],
    ['a content without parts', withContent(3, {role: 'model', parts: []}), 'empty-content'],
    ['a lost signature', withContent(3, model('signed')), 'part-changed'],
    ['an elided answer with another id', withContent(2, elided(answer('read', {}, 'c2'))), 'part-changed'],
    ['an answer with another body', withContent(2, answer('read', {text: 'short'}, 'c1')), 'part-changed'],
    ['another role', withContent(2, {...elided(before[2]), role: 'model'}), 'part-changed'],
  ])('refuses %s', (_, plan, promise) => {
    expect(verify(before, plan, figures)).toContain(promise);
  });

  it('refuses a signed answer that was elided', () => {
    const signed = answer('read', {text: 'long'}, 'c1');
    Object.assign(signed.parts?.[0] ?? {}, {thoughtSignature: 'c2ln'});
    const list = [...before.slice(0, 2), signed, user('last')];
    const contents = list.map((content, index) => (index === 2 ? elided(content) : content));
    expect(verify(list, {contents, sources: [0, 1, 2, 3]}, figures)).toEqual(['part-changed']);
  });

  it('refuses an estimate that grew, and accepts one that stayed', () => {
    expect(verify(before, at(0, 4), {before: 10, after: 11})).toEqual(['estimate-grew']);
    expect(verify(before, at(0, 4), {before: 10, after: 10})).toEqual([]);
  });

  it('does not ask for more than came in', () => {
    const broken = [model('first'), {role: 'user', parts: []}, answer('x'), user('last')];
    expect(verify(broken, {contents: broken, sources: [0, 1, 2, 3]}, figures)).toEqual([]);
  });
});
