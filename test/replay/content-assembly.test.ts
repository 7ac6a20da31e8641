import {createEvent, type Event} from '@google/adk';
import type {Content, Part} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {recordedContents} from '../../src/adk/recorded-contents.ts';
import {ContentAssembly} from '../../src/replay/content-assembly.ts';
import {modelCalls} from '../../src/replay/model-calls.ts';
import {RECORDINGS, recordedSession} from '../support/recordings.ts';

const SCOPE = {agentName: 'reader'};

function event(author: string, role: string, ...parts: Part[]): Event {
  return createEvent({author, content: {role, parts}});
}
const user = (text: string): Event => event('user', 'user', {text});
const call = (id: string, author = 'reader'): Event =>
  event(author, 'model', {functionCall: {id, name: 'read', args: {id}}});
const answer = (id: string, text: string, author = 'reader'): Event =>
  event(author, 'user', {functionResponse: {id, name: 'read', response: {text}}});

/** Every prefix of the events, as the assembly gives it after the one before. */
async function byPrefix(
  events: readonly Event[],
): Promise<{assembled: readonly Content[][]; whole: Content[][]; calls: number}> {
  let calls = 0;
  const assembly = new ContentAssembly(events, SCOPE, (some, scope) => {
    calls += some.length;
    return recordedContents(some, scope);
  });
  const assembled: Content[][] = [];
  const whole: Content[][] = [];
  for (let index = 0; index <= events.length; index += 1) {
    assembled.push([...(await assembly.before(index))]);
    whole.push(await recordedContents(events.slice(0, index), SCOPE));
  }
  return {assembled, whole, calls};
}

describe('ContentAssembly', () => {
  it.each<[string, Event[]]>([
    ['a tool loop', [user('go'), call('a'), answer('a', '1'), call('b'), answer('b', '2'), user('on')]],
    [
      'a late answer',
      [user('go'), call('a'), answer('a', 'pending'), user('and?'), call('b'), answer('b', '2'), answer('a', 'final')],
    ],
    [
      'an id used twice',
      [user('go'), call('a'), answer('a', '1'), user('again'), call('a'), answer('a', '2'), user('on')],
    ],
    [
      "another agent's words",
      [user('go'), call('x', 'other'), answer('x', '1', 'other'), event('other', 'model', {text: 'hi'}), user('on')],
    ],
    [
      'empty texts and a call that nothing answers',
      [user('go'), event('reader', 'model', {text: ''}), call('a'), user('on'), call('b'), answer('b', '1')],
    ],
    ["ADK's own ids", [user('go'), call('adk-1'), answer('adk-1', '1'), user('on')]],
  ])('gives what ADK gives for all events: %s', async (_, events) => {
    const {assembled, whole} = await byPrefix(events);
    expect(assembled).toEqual(whole);
  });

  it('shows ADK each event once where none reaches back', async () => {
    const loop = Array.from({length: 20}, (_, index) => [call(`c${index}`), answer(`c${index}`, 'text')]).flat();
    const assembly: number[] = [];
    const events = [user('go'), ...loop];
    const contents = new ContentAssembly(events, SCOPE, (some, scope) => {
      assembly.push(some.length);
      return recordedContents(some, scope);
    });
    for (let index = 1; index <= events.length; index += 2) {
      await contents.before(index);
    }
    expect(assembly.reduce((sum, count) => sum + count, 0)).toBe(events.length);
  });

  it.skipIf(RECORDINGS === undefined).each(['coding-session.adk.jsonl', 'shopping.session.json'])(
    'gives what ADK gives for every call of %s (skipped where ADK_COMPACTION_RECORDINGS is not set)',
    async (name) => {
      const {events} = recordedSession(name);
      const calls = modelCalls(events);
      const scope = calls[0]?.scope ?? SCOPE;
      const assembly = new ContentAssembly(events, scope, recordedContents);
      for (const [index, {eventIndex}] of calls.entries()) {
        const contents = await assembly.before(eventIndex);
        // Whole assembly of each call is quadratic: every seventh, and the last.
        if (index % 7 === 0 || index === calls.length - 1) {
          expect(contents).toEqual(await recordedContents(events.slice(0, eventIndex), scope));
        }
      }
    },
  );
});
