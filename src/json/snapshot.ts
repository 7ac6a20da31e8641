/**
 * A private, flat copy of a plain JSON-like value, to recognise an equal one later. Strings are shared with the value, so
 * comparing an unchanged one costs pointer comparisons, and a snapshot costs a few words a member.
 */
export type Snapshot = readonly unknown[];

const ARRAY = Symbol('array');
const MAX_DEPTH = 500;

/**
 * The snapshot of a value; `undefined` when it holds anything but plain objects, arrays and primitives, or is nested too
 * deeply: such a value is never recognised.
 */
export function takeSnapshot(value: unknown): Snapshot | undefined {
  const items: unknown[] = [];
  return append(items, value, 0) ? items : undefined;
}

/** True when the value is, member by member and in the same order of keys, what it was when the snapshot was taken. */
export function matchesSnapshot(snapshot: Snapshot, value: unknown): boolean {
  return matchFrom(snapshot, 0, value) === snapshot.length;
}

/** Objects stand as their keys and then their members, arrays as a mark, their length and their items. */
function append(items: unknown[], value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    items.push(value);
    return typeof value !== 'function' && typeof value !== 'symbol';
  }
  if (depth === MAX_DEPTH) {
    return false;
  }
  if (Array.isArray(value)) {
    items.push(ARRAY, value.length);
    for (let index = 0; index < value.length; index += 1) {
      if (!append(items, value[index], depth + 1)) {
        return false;
      }
    }
    return true;
  }
  if (!isPlain(value)) {
    return false;
  }
  const keys = sharedKeys(Object.keys(value));
  items.push(keys);
  return keys.every((key) => append(items, (value as Record<string, unknown>)[key], depth + 1));
}

/** Where the snapshot goes on after what stands for `value`; -1 when it stands for something else. */
function matchFrom(snapshot: Snapshot, at: number, value: unknown): number {
  const item = snapshot[at];
  if (typeof value !== 'object' || value === null) {
    return Object.is(item, value) ? at + 1 : -1;
  }
  if (Array.isArray(value)) {
    let next = item === ARRAY && snapshot[at + 1] === value.length ? at + 2 : -1;
    for (let index = 0; index < value.length && next >= 0; index += 1) {
      next = matchFrom(snapshot, next, value[index]);
    }
    return next;
  }
  const keys = Object.keys(value);
  if (!Array.isArray(item) || item.length !== keys.length || !isPlain(value)) {
    return -1;
  }
  let next = at + 1;
  for (let index = 0; index < keys.length && next >= 0; index += 1) {
    const key = keys[index] as string;
    next = key === item[index] ? matchFrom(snapshot, next, (value as Record<string, unknown>)[key]) : -1;
  }
  return next;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Contents have few shapes: objects with the same keys share one list of them. Bounded, for tools that answer with maps. */
const shapes = new Map<string, readonly string[]>();
const SHAPES_KEPT = 1_000;

function sharedKeys(keys: readonly string[]): readonly string[] {
  if (keys.length > 32) {
    return keys;
  }
  const name = keys.join('\u0000');
  const known = shapes.get(name);
  if (known && known.length === keys.length && known.every((key, index) => key === keys[index])) {
    return known;
  }
  if (!known && shapes.size < SHAPES_KEPT) {
    shapes.set(name, keys);
  }
  return keys;
}
