import type {Part} from '@google/genai';
import {Ancestors} from '../json/ancestors.ts';
import {LEFT_OUT, memberBytes, NULL_BYTES} from '../json/byte-length.ts';
import {toJsonMember} from '../json/json-member.ts';
import {readMember} from '../json/read-member.ts';
import {fileDataTokens, inlineDataCost} from './media.ts';
import {JsonCost, MILLITOKENS} from './text-cost.ts';
import {addMember, KEY_COSTS} from './value-cost.ts';

// The constants of structure were fitted to token counts that the Gemini API reported: see docs/accuracy.md.
const CONTENT_MILLITOKENS = 3 * MILLITOKENS;
const CALL_MILLITOKENS = 3 * MILLITOKENS;

/** What a content costs: its bytes, and the tokens of what the model is shown of it. */
export class ContentCost extends JsonCost {
  /** Base64 characters of the thought signatures; what they cost depends on the model. */
  signatureCharacters = 0;
}

/** What one content costs: its parts and a constant. Never throws; null and other odd values cost the constant. */
export function contentCost(content: unknown): ContentCost {
  const cost = costOf(content, addContent);
  cost.millitokens += CONTENT_MILLITOKENS;
  return cost;
}

/** What one part costs. Never throws. */
export function partCost(part: unknown): ContentCost {
  return costOf(part, addPart);
}

/** Adds `holder[key]`; false, and nothing added, when it is no part of the JSON text. */
type AddMember = (cost: ContentCost, holder: object, key: string | number, ancestors: Ancestors) => boolean;

function costOf(value: unknown, add: AddMember): ContentCost {
  const cost = new ContentCost();
  if (!add(cost, {'': value}, '', new Ancestors())) {
    cost.bytes = NULL_BYTES;
  }
  return cost;
}

const addPart = objectOf((cost, part, name, ancestors) => {
  switch (name as keyof Part) {
    case 'thoughtSignature':
      return addSignature(cost, part, name, ancestors);
    case 'thought':
      return addUnseen(cost, part, name, ancestors);
    case 'functionCall':
    case 'functionResponse':
    case 'toolCall':
    case 'toolResponse':
      return addCall(cost, part, name, ancestors);
    case 'inlineData':
      return addMedia(cost, part, name, ancestors, inlineDataCost(readMember(part, name)).tokens);
    case 'fileData':
      return addMedia(cost, part, name, ancestors, fileDataTokens(readMember(part, name)));
    default:
      return addMember(cost, part, name, ancestors);
  }
});

const addParts = structureOf(Array.isArray, (cost, parts: readonly unknown[], ancestors) => {
  cost.bytes += Math.max(parts.length + 1, 2);
  for (let index = 0; index < parts.length; index++) {
    if (!addPart(cost, parts, index, ancestors)) {
      cost.bytes += NULL_BYTES;
    }
  }
});

const addContent = objectOf((cost, content, name, ancestors) =>
  name === 'parts' ? addParts(cost, content, name, ancestors) : addUnseen(cost, content, name, ancestors),
);

const addCallMembers = objectOf((cost, call, name, ancestors) => {
  switch (name) {
    case 'id':
      return addUnseen(cost, call, name, ancestors);
    case 'parts':
      return addParts(cost, call, name, ancestors);
    default:
      return addMember(cost, call, name, ancestors);
  }
});

/** A call or an answer: its name, its values and a constant. The id is not shown to the model. */
function addCall(cost: ContentCost, part: object, name: string, ancestors: Ancestors): boolean {
  const isAdded = addCallMembers(cost, part, name, ancestors);
  cost.millitokens += isAdded ? CALL_MILLITOKENS : 0;
  return isAdded;
}

/** Pictures and the like cost what the model spends on them; what is none of them counts as any other value. */
function addMedia(cost: ContentCost, part: object, name: string, ancestors: Ancestors, tokens: number): boolean {
  if (tokens === 0) {
    return addMember(cost, part, name, ancestors);
  }
  cost.millitokens += MILLITOKENS * tokens;
  return addUnseen(cost, part, name, ancestors);
}

function addSignature(cost: ContentCost, part: object, name: string, ancestors: Ancestors): boolean {
  const {bytes} = cost;
  const isAdded = addUnseen(cost, part, name, ancestors);
  cost.signatureCharacters += Math.max(0, cost.bytes - bytes - 2);
  return isAdded;
}

/** What is sent, but not shown to the model. */
function addUnseen(cost: ContentCost, holder: object, key: string | number, ancestors: Ancestors): boolean {
  const bytes = memberBytes(holder, key, ancestors);
  if (bytes === LEFT_OUT) {
    return false;
  }
  cost.bytes += bytes;
  return true;
}

function objectOf(
  addNamed: (cost: ContentCost, object: object, name: string, ancestors: Ancestors) => boolean,
): AddMember {
  return structureOf(isObject, (cost, object, ancestors) => {
    const names = Object.keys(object);
    const costs = KEY_COSTS.of(names);
    let isEmpty = true;
    for (let index = 0; index < names.length; index++) {
      if (addNamed(cost, object, names[index] as string, ancestors)) {
        cost.bytes += (costs[index] as JsonCost).bytes;
        isEmpty = false;
      }
    }
    cost.bytes += isEmpty ? 2 : 1;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Walks what has the structure that the model is shown; anything else in its place is not shown. */
function structureOf<T extends object>(
  hasStructure: (value: unknown) => value is T,
  addMembers: (cost: ContentCost, value: T, ancestors: Ancestors) => void,
): AddMember {
  return (cost, holder, key, ancestors) => {
    const depth = ancestors.depth;
    try {
      const value = toJsonMember((holder as Record<string | number, unknown>)[key], key);
      if (!hasStructure(value)) {
        return addUnseen(cost, holder, key, ancestors);
      }
      if (!ancestors.tryEnter(value, key)) {
        return false;
      }
      addMembers(cost, value, ancestors);
      ancestors.leave();
      return true;
    } catch {
      ancestors.leaveTo(depth);
      return false;
    }
  };
}
