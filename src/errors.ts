const MARKER = Symbol.for('adk-compaction.error');

/**
 * Base of every error this package throws. `code` is stable and safe to switch on; `message` is for people; `cause` is
 * what went wrong underneath.
 */
export class CompactionError extends Error {
  readonly code: string;
  /** Names of its classes, the most special one first. */
  readonly [MARKER]: readonly string[];

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this[MARKER] = classNames(new.target);
  }

  /** True for errors of this class, also when two copies of the package are loaded. */
  static isInstance<Type extends CompactionError>(
    this: {readonly name: string; readonly prototype: Type},
    value: unknown,
  ): value is Type {
    const names = typeof value === 'object' && value !== null ? (value as {[MARKER]?: unknown})[MARKER] : undefined;
    // biome-ignore lint/complexity/noThisInStatic: a subclass asks for its own name
    return Array.isArray(names) && names.includes(this.name);
  }
}

function classNames(type: typeof CompactionError): string[] {
  return type === CompactionError ? [type.name] : [type.name, ...classNames(Object.getPrototypeOf(type))];
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
