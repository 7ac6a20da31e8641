import type {Content, Part} from '@google/genai';

/** What a call or an answer says about itself. A server tool's name is its `toolType`. */
export interface ToolReference {
  readonly kind: 'function' | 'tool';
  readonly id?: string;
  readonly name: string;
}

/** The call in a part: `functionCall` or `toolCall`. */
export function callOf(part: Part | null | undefined): ToolReference | undefined {
  if (part?.functionCall) {
    return reference('function', part.functionCall.id, part.functionCall.name);
  }
  return part?.toolCall ? reference('tool', part.toolCall.id, part.toolCall.toolType) : undefined;
}

/** The answer in a part: `functionResponse` or `toolResponse`. */
export function answerOf(part: Part | null | undefined): ToolReference | undefined {
  if (part?.functionResponse) {
    return reference('function', part.functionResponse.id, part.functionResponse.name);
  }
  return part?.toolResponse ? reference('tool', part.toolResponse.id, part.toolResponse.toolType) : undefined;
}

function reference(kind: 'function' | 'tool', id: string | undefined, name: string | undefined): ToolReference {
  return id ? {kind, id, name: name ?? ''} : {kind, name: name ?? ''};
}

/** The parts of a content; an empty list where there are none. */
export function partsOf(content: Content | null | undefined): readonly Part[] {
  return Array.isArray(content?.parts) ? content.parts : [];
}

export function hasAnswers(content: Content | null | undefined): boolean {
  return partsOf(content).some((part) => answerOf(part) !== undefined);
}

/** Members of a part that say something about its data but are none. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'mediaProcessing',
  'partMetadata',
  'speechMetadata',
]);

/** Name of the member that holds the part's data, such as `text`; `undefined` when it holds none. */
export function dataMember(part: Part | null | undefined): string | undefined {
  return Object.entries(part ?? {}).find(([name, value]) => value != null && !ATTRIBUTES.has(name))?.[0];
}

export function isThought(part: Part | null | undefined): boolean {
  return part?.thought === true;
}

/** True for a user content without answers: a turn starts here. */
export function startsTurn(content: Content | null | undefined): boolean {
  return content?.role === 'user' && !hasAnswers(content);
}
