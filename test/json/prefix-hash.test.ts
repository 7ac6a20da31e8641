import type {Content} from '@google/genai';
import {describe, expect, it} from 'vitest';
import {prefixHash, sha256Hex} from '../../src/json/prefix-hash.ts';

describe('prefixHash', () => {
  it('is the SHA-256 of the canonical JSON', () => {
    const contents: Content[] = [{role: 'user', parts: [{text: 'é'}]}];
    // printf '[{"parts":[{"text":"é"}],"role":"user"}]' | sha256sum
    expect(prefixHash(contents)).toBe('75da2c7b8738b093a6a9a22ecd2b78b6768610e377f89c51b3ce38a6e5f0fd62');
    expect(prefixHash(contents)).toBe(sha256Hex('[{"parts":[{"text":"é"}],"role":"user"}]'));
  });

  it('of no contents is the hash of []', () => {
    expect(prefixHash([])).toBe('4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945');
  });

  it('is the same for keys in another order and members set to undefined', () => {
    expect(prefixHash([{role: 'user', parts: [{text: 'a'}]}])).toBe(
      prefixHash([{parts: [{text: 'a', inlineData: undefined}], role: 'user'} as unknown as Content]),
    );
  });

  it('differs when a content differs', () => {
    expect(prefixHash([{parts: [{text: 'a'}]}])).not.toBe(prefixHash([{parts: [{text: 'b'}]}]));
  });

  it('is empty for contents that cannot be serialised', () => {
    const args: Record<string, unknown> = {};
    args.self = args;
    expect(prefixHash([{parts: [{functionCall: {name: 't', args}}]}])).toBe('');
    const bad = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    expect(prefixHash([bad as unknown as Content])).toBe('');
  });
});
