import {describe, expect, it} from 'vitest';
import {liveUserIndex, turnStarts} from '../../src/request/turns.ts';
import {answer, call, model, user} from '../../src/testing.ts';

const contents = [user('a'), model('b'), user('c'), call('x'), answer('x'), user('For context:'), model('d')];

describe('turns', () => {
  it('start at user contents without answers', () => {
    expect(turnStarts(contents)).toEqual([0, 2, 5]);
    expect(turnStarts(contents, 2)).toEqual([2, 5]);
    expect(turnStarts([])).toEqual([]);
  });

  it.each([
    ["where the invocation's user message stands", 2, 2],
    ['where the turn starts that an answer sent as user message belongs to', 4, 2],
    ['the last turn start without a message', -1, 5],
  ])('the live user content is %s', (_, messageIndex, index) => {
    expect(liveUserIndex([0, 2, 5], messageIndex)).toBe(index);
  });

  it('there may be none', () => {
    expect(liveUserIndex([])).toBe(-1);
    expect(liveUserIndex([3], 1)).toBe(-1);
  });
});
