import {Ancestors} from '../json/ancestors.ts';
import {toJsonMember} from '../json/json-member.ts';
import {KeyCosts} from '../json/key-costs.ts';
import {predictText} from './predict-text.ts';

const TOKENS_PER_KEY = 1.5;
const TOKENS_PER_ITEM = 1;

const KEY_TOKENS = new KeyCosts((key) => TOKENS_PER_KEY + predictText(key));

/** Stands for a member that is not part of the JSON text. */
const LEFT_OUT = -1;

/**
 * Tokens of a JSON value, as a float: keys and strings as text, numbers by their digits, and a constant for the marks
 * around each member. A member that has no JSON form (it closes a cycle, nests too deep, or its getter or `toJSON`
 * throws) counts as nothing. Never throws.
 */
export function predictValue(value: unknown): number {
  return Math.max(0, memberTokens({'': value}, '', new Ancestors()));
}

function memberTokens(holder: object, key: string | number, ancestors: Ancestors): number {
  const depth = ancestors.depth;
  try {
    return valueTokens((holder as Record<string | number, unknown>)[key], key, ancestors);
  } catch {
    ancestors.leaveTo(depth);
    return LEFT_OUT;
  }
}

function valueTokens(value: unknown, key: string | number, ancestors: Ancestors): number {
  const member = toJsonMember(value, key);
  if (typeof member === 'string') {
    return predictText(member);
  }
  if (member === undefined) {
    return LEFT_OUT;
  }
  if (typeof member !== 'object' || member === null) {
    return predictText(String(member));
  }
  if (!ancestors.tryEnter(member, key)) {
    return LEFT_OUT;
  }
  const tokens = Array.isArray(member) ? arrayTokens(member, ancestors) : objectTokens(member, ancestors);
  ancestors.leave();
  return tokens;
}

function arrayTokens(array: readonly unknown[], ancestors: Ancestors): number {
  let tokens = 0;
  for (let index = 0; index < array.length; index++) {
    tokens += TOKENS_PER_ITEM + Math.max(0, memberTokens(array, index, ancestors));
  }
  return tokens;
}

function objectTokens(object: object, ancestors: Ancestors): number {
  let tokens = 0;
  const keys = Object.keys(object);
  const costs = KEY_TOKENS.of(keys);
  for (let index = 0; index < keys.length; index++) {
    const member = memberTokens(object, keys[index] as string, ancestors);
    if (member !== LEFT_OUT) {
      tokens += (costs[index] as number) + member;
    }
  }
  return tokens;
}
