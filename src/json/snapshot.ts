/**
 * A private copy of a plain JSON-like value, to recognise an equal one later: strings are shared, so comparing an
 * unchanged value costs pointer comparisons. `undefined` when the value holds anything but plain objects, arrays and
 * primitives; such a value is never recognised.
 */
export function takeSnapshot(value: unknown): Snapshot | undefined {
  const copied = copy(value, 0);
  return copied === FOREIGN ? undefined : {value: copied};
}

export interface Snapshot {
  readonly value: unknown;
}

/** True when `value` is, member by member, what it was when the snapshot was taken. Never true for a value it could not copy. */
export function matchesSnapshot(snapshot: Snapshot, value: unknown): boolean {
  return isSame(snapshot.value, value);
}

const FOREIGN = Symbol('foreign');
const MAX_DEPTH = 500;

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? FOREIGN : value;
  }
  if (depth === MAX_DEPTH) {
    return FOREIGN;
  }
  if (Array.isArray(value)) {
    const list = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) {
      list[index] = copy(value[index], depth + 1);
      if (list[index] === FOREIGN) {
        return FOREIGN;
      }
    }
    return list;
  }
  if (!isPlain(value)) {
    return FOREIGN;
  }
  const record: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    const member = copy((value as Record<string, unknown>)[key], depth + 1);
    if (member === FOREIGN) {
      return FOREIGN;
    }
    record[key] = member;
  }
  return record;
}

function isSame(mine: unknown, theirs: unknown): boolean {
  if (mine === theirs) {
    return true;
  }
  if (typeof mine !== 'object' || mine === null || typeof theirs !== 'object' || theirs === null) {
    return mine !== mine && theirs !== theirs;
  }
  if (Array.isArray(mine)) {
    return (
      Array.isArray(theirs) && mine.length === theirs.length && mine.every((item, index) => isSame(item, theirs[index]))
    );
  }
  if (Array.isArray(theirs) || !isPlain(theirs)) {
    return false;
  }
  const keys = Object.keys(theirs);
  const record = mine as Record<string, unknown>;
  return (
    keys.length === Object.keys(record).length &&
    keys.every((key) => key in record && isSame(record[key], (theirs as Record<string, unknown>)[key]))
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
