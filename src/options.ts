import {z} from 'zod';
import {InvalidOptionsError} from './errors.ts';

/**
 * Parses options once, at the edge. Throws {@link InvalidOptionsError} that names the first field at fault, such as
 * `policy.targetFraction`, and says what was seen.
 *
 * A misspelt name comes first: it explains whatever else seems to be missing.
 *
 * @param prefix path of `value` itself, put before the field's own path
 * @param known names of the options there are, for whoever used another
 */
export function parseOptions<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix = '',
  known: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const {issues} = result.error;
  const issue = issues.find((one) => one.code === 'unrecognized_keys') ?? issues[0];
  const path = [...(prefix === '' ? [] : [prefix]), ...(issue?.path ?? []).map(String)];
  if (issue?.code === 'unrecognized_keys') {
    const names = known.length === 0 ? 'check its spelling' : `there are ${known.join(', ')}`;
    throw new InvalidOptionsError([...path, issue.keys[0] ?? ''].join('.'), `there is no such option; ${names}.`);
  }
  const seen = valueAt(value, issue?.path ?? []);
  throw new InvalidOptionsError(path.join('.') || 'options', `${sentence(issue, seen)} (seen: ${describe(seen)}).`);
}

/** What is wrong, in our words where a schema has none of its own. */
function sentence(issue: z.core.$ZodIssue | undefined, seen: unknown): string {
  switch (issue?.code) {
    case 'invalid_type':
      return isOwnWords(issue.message)
        ? issue.message
        : `${seen === undefined ? 'is required and ' : ''}must be ${kind(issue.expected)}`;
    case 'invalid_value':
      return isOwnWords(issue.message)
        ? issue.message
        : `must be ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}`;
    case 'invalid_union':
      return isOwnWords(issue.message) ? issue.message : 'is of a kind that is not taken here';
    default:
      return issue?.message ?? 'is not valid';
  }
}

function isOwnWords(message: string): boolean {
  return !message.startsWith('Invalid ');
}

function kind(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

const COUNT = 'must be a whole number, 0 or more';

/** A whole number of 0 or more. */
export const count = z.int(COUNT).min(0, COUNT);

/** A function of the given type; what it takes and gives is the caller's contract. */
export function callback<Type>(): z.ZodType<Type> {
  return z.custom<Type>((value) => typeof value === 'function', 'must be a function');
}

/**
 * What an option's callback gave. Throws a TypeError for a promise: nobody would wait for it, and one that rejects would end
 * the process.
 */
export function requireSync<Value>(given: Value): Value {
  if (given instanceof Promise) {
    given.catch(() => undefined);
    throw new TypeError('The callback gave a promise; it must not be async.');
  }
  return given;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

function describe(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, 80));
  }
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? 'an array' : 'an object';
  }
  return typeof value === 'function' ? 'a function' : String(value);
}
