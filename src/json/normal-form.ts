import {Ancestors} from './ancestors.ts';
import {toJsonMember} from './json-member.ts';

/**
 * The plain JSON value that `canonicalJson` writes for `value`: what a store reads back after writing it. It shares nothing
 * with `value`, keeps the order of keys, and own `__proto__` keys stay own keys. A value that is left out gives null.
 *
 * Throws TypeError on a cycle and on a value nested deeper than 2,000 levels, naming the path to it (such as
 * `content.parts[0].functionResponse.response.self`), and what a getter or a `toJSON` throws.
 */
export function toNormalForm(value: unknown): unknown {
  return normalize(value, '', new Ancestors()) ?? null;
}

function normalize(value: unknown, key: string | number, ancestors: Ancestors): unknown {
  const member = toJsonMember(value, key);
  if (typeof member !== 'object' || member === null) {
    return member;
  }
  ancestors.enter(member, key);
  const copy = Array.isArray(member) ? normalizeArray(member, ancestors) : normalizeObject(member, ancestors);
  ancestors.leave();
  return copy;
}

function normalizeArray(array: readonly unknown[], ancestors: Ancestors): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < array.length; index++) {
    copy.push(normalize(array[index], index, ancestors) ?? null);
  }
  return copy;
}

function normalizeObject(object: object, ancestors: Ancestors): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const member = normalize((object as Record<string, unknown>)[key], key, ancestors);
    if (member === undefined) {
      continue;
    }
    if (key === '__proto__') {
      Object.defineProperty(copy, key, {value: member, enumerable: true, configurable: true, writable: true});
    } else {
      copy[key] = member;
    }
  }
  return copy;
}
