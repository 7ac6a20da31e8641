import {toJsonMember} from '../json/json-member.ts';
import {readItems, readMember, readNames} from '../json/read-member.ts';
import {predictText} from './predict-text.ts';

const TOKENS_PER_KEY = 1.5;
const TOKENS_PER_ITEM = 1;

/**
 * Tokens of a JSON value, as a float: keys and strings as text, numbers by their digits, and a constant for the marks
 * around each member. A member that cannot be read, or that closes a cycle, counts as nothing. Never throws.
 */
export function predictValue(value: unknown): number {
  return predictNested(value, '', []);
}

function predictNested(value: unknown, key: string | number, ancestors: object[]): number {
  try {
    const member = toJsonMember(value, key);
    switch (typeof member) {
      case 'string':
        return predictText(member);
      case 'number':
        return predictText(String(member));
      case 'boolean':
        return 1;
      case 'object':
        return member === null ? 1 : predictMembers(member, ancestors);
      default:
        return 0;
    }
  } catch {
    // Documented: what cannot be read (a toJSON that throws, too deep a value) counts as nothing.
    return 0;
  }
}

function predictMembers(value: object, ancestors: object[]): number {
  if (ancestors.includes(value)) return 0;
  ancestors.push(value);
  let tokens = 0;
  const items = readItems(value);
  if (items) {
    for (const [index, item] of items.entries()) tokens += TOKENS_PER_ITEM + predictNested(item, index, ancestors);
  } else {
    for (const key of readNames(value)) {
      const member = readMember(value, key);
      if (member !== undefined) tokens += TOKENS_PER_KEY + predictText(key) + predictNested(member, key, ancestors);
    }
  }
  ancestors.pop();
  return tokens;
}
