import {z} from 'zod';
import {InvalidOptionsError} from './errors.ts';

/**
 * Parses options once, at the edge. Throws {@link InvalidOptionsError} that names the first field at fault, such as
 * `policy.targetFraction`, and says what was seen.
 *
 * @param prefix path of `value` itself, put before the field's own path
 */
export function parseOptions<Schema extends z.ZodType>(schema: Schema, value: unknown, prefix = ''): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const issue = result.error.issues[0];
  const path = [...(prefix === '' ? [] : [prefix]), ...(issue?.path ?? []).map(String)];
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    throw new InvalidOptionsError([...path, key].join('.'), 'there is no such option; check its spelling.');
  }
  const field = path.join('.') || 'options';
  throw new InvalidOptionsError(
    field,
    `${issue?.message ?? 'is not valid'} (seen: ${describe(valueAt(value, issue?.path ?? []))}).`,
  );
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
