import {predictText} from './predict-text.ts';

/**
 * Tokens of a JSON value, as a float: keys and strings as text, numbers by their digits, and a constant for the marks
 * around each. A member that cannot be read, or that closes a cycle, counts as nothing. Never throws.
 */
export function predictValue(value: unknown): number {
  return predictNested(value, []);
}

function predictNested(value: unknown, ancestors: object[]): number {
  switch (typeof value) {
    case 'string':
      return predictText(value);
    case 'number':
      return String(value).length;
    case 'boolean':
      return 1;
    case 'object':
      return value === null ? 1 : predictObject(value, ancestors);
    default:
      return 0;
  }
}

function predictObject(value: object, ancestors: object[]): number {
  if (ancestors.includes(value)) return 0;
  ancestors.push(value);
  let tokens = 1;
  try {
    if (Array.isArray(value)) {
      for (const item of value) tokens += 1 + predictNested(item, ancestors);
    } else {
      for (const [key, member] of Object.entries(value)) {
        if (member !== undefined) tokens += 2 + predictText(key) + predictNested(member, ancestors);
      }
    }
  } catch {
    // What cannot be read cannot be sent either.
  }
  ancestors.pop();
  return tokens;
}
