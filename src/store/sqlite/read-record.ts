import type {CompactionRecord, FailedFoldRecord} from '../records.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The record in a row's JSON text; `undefined` when the text is not the JSON of such a record. */
export function readRecord(text: string): CompactionRecord | FailedFoldRecord | undefined {
  const value = parseObject(text);
  if (value === undefined) {
    return undefined;
  }
  if (value.kind === 'failed-fold') {
    return isFailedFold(value) ? (value as unknown as FailedFoldRecord) : undefined;
  }
  return isCompaction(value) ? (value as unknown as CompactionRecord) : undefined;
}

/** The numbers by name in a row's JSON text; `undefined` when they are not. */
export function readNumbers(text: string): Record<string, number> | undefined {
  const value = parseObject(text);
  return value !== undefined && Object.values(value).every(Number.isFinite)
    ? (value as Record<string, number>)
    : undefined;
}

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCompaction(value: Fields): boolean {
  const {kind, split, prefixHash, output, pinned, covers} = value;
  return (
    (kind === 'elision' || kind === 'fold' || kind === 'drop') &&
    hasCommonFields(value) &&
    Number.isFinite(value.tokensAfter) &&
    isListOf(covers, (item) => isObject(item) && typeof item.identity === 'string' && isIndex(item.index)) &&
    (split === undefined || isIndex(split)) &&
    (prefixHash === undefined || typeof prefixHash === 'string') &&
    (output === undefined || isListOf(output, isObject)) &&
    (pinned === undefined || isListOf(pinned, (item) => isIndex(item) && (split === undefined || item < Number(split))))
  );
}

function isFailedFold(value: Fields): boolean {
  const {split, prefixHash, errorClass, attempts} = value;
  return (
    hasCommonFields(value) &&
    isIndex(split) &&
    (prefixHash === undefined || typeof prefixHash === 'string') &&
    typeof errorClass === 'string' &&
    Number.isFinite(attempts)
  );
}

function hasCommonFields({scope, time, tokensBefore}: Fields): boolean {
  return (
    isObject(scope) && typeof scope.agentName === 'string' && Number.isFinite(time) && Number.isFinite(tokensBefore)
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
