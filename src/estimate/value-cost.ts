import {Ancestors} from '../json/ancestors.ts';
import {NULL_BYTES} from '../json/byte-length.ts';
import {toJsonMember} from '../json/json-member.ts';
import {KeyMemo} from '../json/key-memo.ts';
import {addNumber} from './number-cost.ts';
import {addText, JsonCost, MILLITOKENS} from './text-cost.ts';

const KEY_MILLITOKENS = 1.5 * MILLITOKENS;
const ITEM_MILLITOKENS = MILLITOKENS;

/** The cost of each key of an object. */
export const KEY_COSTS = new KeyMemo((keys) => keys.map(keyCost));

/** A key with the colon and the comma after it. */
function keyCost(key: string): JsonCost {
  const cost = new JsonCost();
  addText(cost, key);
  cost.bytes += 2;
  cost.millitokens += KEY_MILLITOKENS;
  return cost;
}

/**
 * What a JSON value costs. Its tokens are those of keys and strings as text, of numbers by their digits, and a constant for
 * the marks around each member. A member that has no JSON form (it closes a cycle, nests too deep, or its getter or `toJSON`
 * throws) is left out like an undefined one. Never throws.
 */
export function valueCost(value: unknown): JsonCost {
  const cost = new JsonCost();
  if (!addMember(cost, {'': value}, '', new Ancestors())) {
    cost.bytes = NULL_BYTES;
  }
  return cost;
}

/** Adds `holder[key]`; false, and nothing added, when it is no part of the JSON text. */
export function addMember(cost: JsonCost, holder: object, key: string | number, ancestors: Ancestors): boolean {
  const depth = ancestors.depth;
  try {
    return addValue(cost, (holder as Record<string | number, unknown>)[key], key, ancestors);
  } catch {
    ancestors.leaveTo(depth);
    return false;
  }
}

function addValue(cost: JsonCost, value: unknown, key: string | number, ancestors: Ancestors): boolean {
  const member = typeof value === 'string' ? value : toJsonMember(value, key);
  if (typeof member === 'string') {
    addText(cost, member);
    return true;
  }
  if (member === undefined) {
    return false;
  }
  if (typeof member === 'number') {
    addNumber(cost, member);
    return true;
  }
  if (typeof member !== 'object' || member === null) {
    addText(cost, String(member));
    cost.bytes -= 2;
    return true;
  }
  if (!ancestors.tryEnter(member, key)) {
    return false;
  }
  if (Array.isArray(member)) {
    addArray(cost, member, ancestors);
  } else {
    addObject(cost, member, ancestors);
  }
  ancestors.leave();
  return true;
}

function addArray(cost: JsonCost, array: readonly unknown[], ancestors: Ancestors): void {
  const {length} = array;
  cost.bytes += Math.max(length + 1, 2);
  cost.millitokens += ITEM_MILLITOKENS * length;
  for (let index = 0; index < length; index++) {
    if (!addMember(cost, array, index, ancestors)) {
      cost.bytes += NULL_BYTES;
    }
  }
}

function addObject(cost: JsonCost, object: object, ancestors: Ancestors): void {
  const keys = Object.keys(object);
  const costs = KEY_COSTS.of(keys);
  let isEmpty = true;
  for (let index = 0; index < keys.length; index++) {
    if (addMember(cost, object, keys[index] as string, ancestors)) {
      const key = costs[index] as JsonCost;
      cost.bytes += key.bytes;
      cost.millitokens += key.millitokens;
      isEmpty = false;
    }
  }
  cost.bytes += isEmpty ? 2 : 1;
}
