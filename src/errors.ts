const MARKER = Symbol.for('adk-compaction.error');

/**
 * Base of every error this package throws. `code` is stable and safe to switch on; `message` is for people; `cause` is
 * what went wrong underneath.
 */
export class CompactionError extends Error {
  readonly code: string;
  readonly [MARKER] = true;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }

  /** True for errors of this package, also when two copies of it are loaded. */
  static isInstance(value: unknown): value is CompactionError {
    return typeof value === 'object' && value !== null && (value as {[MARKER]?: unknown})[MARKER] === true;
  }
}

/** An option that cannot be used. Nothing was built or changed. */
export class InvalidOptionsError extends CompactionError {
  /** Path of the option, such as `policy.targetFraction`. */
  readonly field: string;

  constructor(field: string, message: string, options?: ErrorOptions) {
    super('compaction.options.invalid', `${field}: ${message}`, options);
    this.field = field;
  }
}

/** An error's code or class, for places that must not hold its message: it may quote a conversation. */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) {
    return typeof error;
  }
  return textMember(error, 'code') ?? textMember(error, 'name') ?? 'Error';
}

function textMember(error: object, name: string): string | undefined {
  try {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
