import type {Content, FunctionResponsePart, Part} from '@google/genai';
import {Base64Bytes} from '../estimate/base64-bytes.ts';
import {canonicalJson} from '../json/canonical-json.ts';
import {answerOf, callOf, isThought, partsOf} from '../request/parts.ts';

/** One piece of a block; only `text` may be clipped. */
export interface RecordPiece {
  /** A tool body, words of somebody, or a placeholder that is never clipped. */
  readonly kind: 'body' | 'words' | 'placeholder';
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** One content of the record. */
export interface RecordBlock {
  readonly role: string;
  readonly pieces: readonly RecordPiece[];
}

/** Writes a content as text, bodies as they came in; `undefined` when nothing but thoughts is in it. */
export function recordBlock(content: Content): RecordBlock | undefined {
  const pieces = partsOf(content)
    .filter((part) => !isThought(part))
    .flatMap(recordPieces)
    .filter((piece) => piece.before + piece.text !== '');
  return pieces.length > 0 ? {role: content.role ?? 'user', pieces} : undefined;
}

/** Writes one part as text: words, `call name(args)`, `answer name: body`, or a placeholder for media. */
function recordPieces(part: Part): RecordPiece[] {
  const call = callOf(part);
  if (call) {
    return [piece('body', toJson((part.functionCall ?? part.toolCall)?.args), `call ${call.name}(`, ')')];
  }
  const answer = answerOf(part);
  if (answer) {
    const body = toJson((part.functionResponse ?? part.toolResponse)?.response);
    const media = part.functionResponse?.parts ?? [];
    return [piece('body', body, `answer ${answer.name}: `), ...media.map((item) => piece('placeholder', medium(item)))];
  }
  if (part.inlineData || part.fileData) {
    return [piece('placeholder', medium(part))];
  }
  if (part.executableCode) {
    return [piece('body', part.executableCode.code ?? '', `code ${part.executableCode.language ?? ''}: `)];
  }
  if (part.codeExecutionResult) {
    const {outcome = '', output = ''} = part.codeExecutionResult;
    return [piece('body', output, `code result ${outcome}: `)];
  }
  return typeof part.text === 'string' ? [piece('words', part.text)] : [piece('body', toJson(part), 'part: ')];
}

/** A part as one text, nothing clipped. */
export function partText(part: Part): string {
  return recordPieces(part)
    .map(({before, text, after}) => before + text + after)
    .join('\n');
}

function piece(kind: RecordPiece['kind'], text: string, before = '', after = ''): RecordPiece {
  return {kind, before, text, after};
}

function medium({inlineData, fileData}: Pick<FunctionResponsePart, 'inlineData' | 'fileData'>): string {
  if (inlineData) {
    return `[${inlineData.mimeType ?? 'media'}, ${new Base64Bytes(inlineData.data ?? '').length} bytes]`;
  }
  return `[${fileData?.mimeType ?? 'file'} at ${fileData?.fileUri ?? 'an unknown place'}]`;
}

function toJson(value: unknown): string {
  try {
    return canonicalJson(value ?? {});
  } catch {
    return '[unserialisable]';
  }
}
