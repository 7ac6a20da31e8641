import {describe, expect, it} from 'vitest';
import {liveUserIndex, turnStarts} from '../../src/request/turns.ts';
import {answer, call, model, user} from '../../src/testing.ts';

const contents = [user('a'), model('b'), user('c'), call('x'), answer('x'), user('For context:'), model('d')];

describe('turns', () => {
  it('start at user contents without answers', () => {
    expect(turnStarts(contents)).toEqual([0, 2, 5]);
    expect(turnStarts([])).toEqual([]);
  });

  it.each([
    ["the invocation's user message", 'c', 2],
    ['the last turn start without a match', 'nowhere', 5],
  ])('the live user content is %s', (_, text, index) => {
    expect(liveUserIndex(contents, (content) => content.parts?.[0]?.text === text)).toBe(index);
  });

  it('an answer sent as user message belongs to the turn it stands in', () => {
    expect(liveUserIndex(contents, (content) => content.parts?.[0]?.functionResponse !== undefined)).toBe(2);
  });

  it('the last match counts, and there may be none', () => {
    expect(liveUserIndex([user('x'), model('m'), user('x')], (content) => content.parts?.[0]?.text === 'x')).toBe(2);
    expect(liveUserIndex([model('m')])).toBe(-1);
  });
});
