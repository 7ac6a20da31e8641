import {type Content, MediaProcessing} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {answer, call, model, together, user} from '../../src/testing/build-request.ts';
import {requestFaults} from '../../src/testing/request-faults.ts';

const image = {inlineData: {mimeType: 'image/png', data: 'AAEC'}};
const bothCalls = together(call('read', {path: 'a'}), call('search'));
const bothAnswers = together(answer('read'), answer('search'));

describe('accepts', () => {
  it.each<[string, Content[]]>([
    ['one user text', [user('hi')]],
    ['a picture first', [user([image])]],
    ['a call and its answer', [user('hi'), call('read'), answer('read')]],
    ['parallel calls answered in one content', [user('hi'), bothCalls, bothAnswers, model('done'), user('more')]],
    ['parallel calls answered in two contents', [user('hi'), bothCalls, answer('read'), answer('search')]],
    ['a streamed text before its call', [user('hi'), model('I look.'), call('read'), answer('read')]],
    ['equal ids', [user('hi'), call('read', {}, 'c1'), answer('read', {}, 'c1')]],
    ['an answer that lost its id', [user('hi'), call('read', {}, 'c1'), answer('read')]],
    ['an empty text with a signature', [user('hi'), model([{text: '', thoughtSignature: 'c2ln'}]), user('more')]],
    ['calls in a row', [user('hi'), call('read'), answer('read'), call('read'), answer('read')]],
    ['a server tool inside one content', [user('hi'), model([{toolCall: {id: 't'}}, {toolResponse: {id: 't'}}])]],
  ])('%s', (_, contents) => {
    expect(requestFaults(contents)).toEqual([]);
  });
});

describe('refuses', () => {
  it.each<[string, Content[], string[]]>([
    ['no contents', [], ['contents is empty.']],
    ['missing parts', [user('hi'), {role: 'model'}], ['contents[1] has no parts.']],
    ['empty parts', [user('hi'), model([])], ['contents[1] has no parts.']],
    ['an empty part', [user('hi'), model([{}])], ['contents[1].parts[0] holds no data.']],
    ['a signature alone', [user('hi'), model([{thoughtSignature: 'eA=='}])], ['contents[1].parts[0] holds no data.']],
    [
      'media settings alone',
      [user([{text: 'hi'}, {mediaProcessing: MediaProcessing.STATIC}])],
      ['contents[0].parts[1] holds no data.'],
    ],
    ['speech settings alone', [user([{text: 'hi'}, {speechMetadata: {}}])], ['contents[0].parts[1] holds no data.']],
    [
      'an unknown role',
      [user('hi'), {role: 'system', parts: [{text: 'x'}]}],
      ['contents[1] has the role "system", valid are "user" and "model".'],
    ],
    ['a model content first', [model('hi')], ['contents[0] is not a user content with text or media.']],
    ['an empty text first', [user('')], ['contents[0] is not a user content with text or media.']],
    ['a call first', [call('read'), answer('read')], ['contents[0] is not a user content with text or media.']],
    [
      'an answer first',
      [answer('read'), user('hi')],
      [
        'contents[0] is not a user content with text or media.',
        'contents[0] answers read, which the content before it did not call.',
      ],
    ],
    [
      'an unanswered call at the end',
      [user('hi'), call('read')],
      ['contents[1] calls read but 0 of 1 answers follow at contents[2].'],
    ],
    [
      'a user text between call and answer',
      [user('hi'), call('read'), user('wait'), answer('read')],
      [
        'contents[1] calls read but 0 of 1 answers follow at contents[2].',
        'contents[3] answers read, which the content before it did not call.',
      ],
    ],
    [
      'one answer of two',
      [user('hi'), bothCalls, answer('read'), model('ok')],
      ['contents[1] calls read, search but 1 of 2 answers follow at contents[2].'],
    ],
    [
      'an answer too many',
      [user('hi'), call('read'), bothAnswers],
      ['contents[1] calls read but 2 of 1 answers follow at contents[2].'],
    ],
    [
      'an answer twice',
      [user('hi'), call('read'), answer('read'), answer('read')],
      ['contents[3] answers read, which the content before it did not call.'],
    ],
    [
      'answers in another order',
      [user('hi'), bothCalls, answer('search'), answer('read')],
      ['contents[2] answers search, read where contents[1] calls read, search.'],
    ],
    [
      'another id',
      [user('hi'), call('read', {}, 'c1'), answer('read', {}, 'c2')],
      ['contents[2] answers read where contents[1] calls read.'],
    ],
    [
      'a response that is not an object',
      [user('hi'), call('read'), user([{functionResponse: {name: 'read', response: ['x'] as never}}])],
      ['contents[2].parts[0] is a function response whose response is not an object.'],
    ],
    [
      'a missing response',
      [user('hi'), call('read'), user([{functionResponse: {name: 'read'}}])],
      ['contents[2].parts[0] is a function response whose response is not an object.'],
    ],
    [
      'a call by the user',
      [user('hi'), {...call('read'), role: 'user'}, answer('read')],
      ['contents[1].parts[0] is a function call outside a model content.'],
    ],
    [
      'a call and an answer in one model content',
      [user('hi'), together(call('read'), answer('read'))],
      ['contents[1].parts[1] is a function response in a model content.'],
    ],
  ])('%s', (_, contents, faults) => {
    expect(requestFaults(contents)).toEqual(faults);
  });
});
