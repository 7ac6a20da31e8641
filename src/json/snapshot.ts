/**
 * A private, flat copy of a plain JSON-like value, to recognise an equal one later. Strings are shared with the value, so
 * comparing an unchanged one costs pointer comparisons, and a snapshot costs a few words a member.
 */
export type Snapshot = readonly unknown[];

const ARRAY = Symbol('array');
/** Stands for a value that has no snapshot, and equals nothing. */
const UNKNOWN = Symbol('unknown');
const MAX_DEPTH = 500;

/**
 * The snapshot of a value; `undefined` when it holds anything but plain objects, arrays and primitives, or is nested too
 * deeply: such a value is never recognised.
 */
export function takeSnapshot(value: unknown): Snapshot | undefined {
  const items: unknown[] = [];
  // A copy is as long as it must be; a list that grew is longer.
  return appendSnapshot(items, value) ? items.slice() : undefined;
}

/** Appends the snapshot of a value to others. False when it has none: one item that matches nothing stands for it then. */
export function appendSnapshot(items: unknown[], value: unknown): boolean {
  const {length} = items;
  try {
    if (append(items, value, 0)) {
      return true;
    }
  } catch {
    // What throws when it is read has no snapshot.
  }
  items.length = length;
  items.push(UNKNOWN);
  return false;
}

/**
 * True when the value is, member by member and in the same order of keys, what it was when the snapshot was taken, so that the
 * same JSON is written for it. Never throws; a value that throws when it is read matches nothing.
 */
export function matchesSnapshot(snapshot: Snapshot, value: unknown): boolean {
  return matchesAt(snapshot, 0, value);
}

/** As `matchesSnapshot`, for the snapshot that begins at an item of a list of snapshots. */
export function matchesAt(snapshots: Snapshot, at: number, value: unknown): boolean {
  try {
    return !inheritsMembers() && matchFrom(snapshots, at, value) > at;
  } catch {
    return false;
  }
}

/**
 * How many of the values, from the first on, match the first `count` snapshots of a list, and where in it these end. Never
 * throws.
 */
export function matchingPrefix(
  snapshots: Snapshot,
  count: number,
  values: readonly unknown[],
): {readonly length: number; readonly end: number} {
  const most = inheritsMembers() ? 0 : Math.min(count, values.length);
  let length = 0;
  let end = 0;
  try {
    while (length < most) {
      const next = matchFrom(snapshots, end, values[length]);
      if (next < 0) {
        break;
      }
      length += 1;
      end = next;
    }
  } catch {
    // What throws when it is read matches nothing.
  }
  return {length, end};
}

/**
 * Puts the texts of a value in place of the equal ones in its snapshot, which begins at an item of a list: values that share
 * the texts are compared with it by their addresses from now on, and those before are kept no longer. What is not equal stays.
 */
export function takeOverTexts(snapshots: unknown[], at: number, value: unknown): void {
  try {
    takeOverFrom(snapshots, at, value);
  } catch {
    // What throws when it is read has no texts.
  }
}

function takeOverFrom(snapshots: unknown[], at: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'string' && snapshots[at] === value) {
      snapshots[at] = value;
    }
    return at + 1;
  }
  // An array's mark and length stand before its items, an object's keys before its members.
  let next = at + (Array.isArray(value) ? 2 : 1);
  for (const key in value) {
    next = takeOverFrom(snapshots, next, (value as Record<string, unknown>)[key]);
  }
  return next;
}

/** Walking by `for…in` is twice as fast as by `Object.keys`, but sees what someone put on the prototype of all objects. */
function inheritsMembers(): boolean {
  for (const _name in Object.prototype) {
    return true;
  }
  return false;
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
  if (!isPlain(value, Array.isArray(value) ? Array.prototype : Object.prototype)) {
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
  const keys = sharedKeys(Object.keys(value));
  items.push(keys);
  for (let index = 0; index < keys.length; index += 1) {
    const member = (value as Record<string, unknown>)[keys[index] as string];
    if (typeof member === 'string') {
      items.push(member);
    } else if (!append(items, member, depth + 1)) {
      return false;
    }
  }
  return true;
}

/** Where the snapshot goes on after what stands for `value`; -1 when it stands for something else. */
function matchFrom(snapshot: Snapshot, at: number, value: unknown): number {
  const item = snapshot[at];
  if (typeof value !== 'object' || value === null) {
    return Object.is(item, value) ? at + 1 : -1;
  }
  if (Array.isArray(value)) {
    // Whatever kind of array it is, its items are what is written.
    return item === ARRAY && snapshot[at + 1] === value.length && (value as Serialisable).toJSON === undefined
      ? matchItems(snapshot, at + 2, value)
      : -1;
  }
  return Array.isArray(item) && isPlain(value, Object.prototype) ? matchMembers(snapshot, at + 1, item, value) : -1;
}

function matchItems(snapshot: Snapshot, at: number, array: readonly unknown[]): number {
  let next = at;
  const {length} = array;
  for (let index = 0; index < length; index += 1) {
    const item = array[index];
    if (typeof item === 'object' && item !== null) {
      next = matchFrom(snapshot, next, item);
      if (next < 0) {
        return -1;
      }
    } else if (snapshot[next] === item || Object.is(snapshot[next], item)) {
      next += 1;
    } else {
      return -1;
    }
  }
  return next;
}

function matchMembers(snapshot: Snapshot, at: number, keys: readonly unknown[], object: object): number {
  let next = at;
  let index = 0;
  for (const key in object) {
    if (key !== keys[index]) {
      return -1;
    }
    index += 1;
    const member = (object as Record<string, unknown>)[key];
    // Most members are primitives: compared here, they cost no call.
    if (typeof member === 'object' && member !== null) {
      next = matchFrom(snapshot, next, member);
      if (next < 0) {
        return -1;
      }
    } else if (snapshot[next] === member || Object.is(snapshot[next], member)) {
      next += 1;
    } else {
      return -1;
    }
  }
  return index === keys.length ? next : -1;
}

interface Serialisable {
  readonly toJSON?: unknown;
}

/** Made by a literal or by JSON.parse, and not hiding a `toJSON` that no walk over its members would show. */
function isPlain(value: object, expected: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === expected || prototype === null) && (value as Serialisable).toJSON === undefined;
}

/** Contents have few shapes: objects with the same keys share one list of them. Bounded, for tools that answer with maps. */
const shapes = new Map<string, readonly string[]>();
const SHAPES_KEPT = 1_000;
const LONGEST_SHAPE = 32;

/** The shape used last of each number of keys: rows of one table need no look-up by name. */
const lastShapes: (readonly string[] | undefined)[] = [];

function sharedKeys(keys: readonly string[]): readonly string[] {
  if (keys.length > LONGEST_SHAPE) {
    return keys;
  }
  const last = lastShapes[keys.length];
  if (last && isSameShape(last, keys)) {
    return last;
  }
  const shape = namedShape(keys);
  lastShapes[keys.length] = shape;
  return shape;
}

function namedShape(keys: readonly string[]): readonly string[] {
  const name = keys.join('\u0000');
  const known = shapes.get(name);
  if (known && isSameShape(known, keys)) {
    return known;
  }
  if (!known && shapes.size < SHAPES_KEPT) {
    shapes.set(name, keys);
  }
  return keys;
}

function isSameShape(shape: readonly string[], keys: readonly string[]): boolean {
  for (let index = 0; index < keys.length; index += 1) {
    if (shape[index] !== keys[index]) {
      return false;
    }
  }
  return shape.length === keys.length;
}
