import {CompactionError} from '../errors.ts';
import {type SessionKey, sessionKeyText} from '../session-key.ts';

/** A session was to be created under ids that are taken. Nothing was changed. Code `session.exists`. */
export class SessionExistsError extends CompactionError {
  readonly key: SessionKey;

  constructor(key: SessionKey) {
    super('session.exists', `Session ${sessionKeyText(key)} already exists. Use getOrCreateSession, or another id.`);
    this.key = key;
  }
}

/** An event was appended to a session that is not in the store. Nothing was changed. Code `session.unknown`. */
export class SessionUnknownError extends CompactionError {
  readonly key: SessionKey;

  constructor(key: SessionKey, how: string) {
    super('session.unknown', `Session ${sessionKeyText(key)} ${how}. Create it, or load it again, before appending.`);
    this.key = key;
  }
}

/** An append would have to change a session object that cannot be changed. Nothing was stored. Code `session.frozen`. */
export class SessionFrozenError extends CompactionError {
  readonly key: SessionKey;

  /** `what` of the object is frozen, such as `session.state`. */
  constructor(key: SessionKey, what: string) {
    super(
      'session.frozen',
      `${what} of session ${sessionKeyText(key)} cannot be changed; nothing was stored. Append through the object that getSession gives, not frozen.`,
    );
    this.key = key;
  }
}

/** An id that cannot be stored unchanged. Code `session.id.invalid`. */
export class InvalidIdError extends CompactionError {
  /** Which id: `appName`, `userId`, `sessionId` or `event.id`. */
  readonly field: string;

  constructor(field: string, value: unknown) {
    const seen = JSON.stringify(value) ?? String(value);
    super('session.id.invalid', `${field} must be a string without lone surrogates; it is ${seen}.`);
    this.field = field;
  }
}

/** A value that has no JSON form. Nothing was changed. Code `session.value.unstorable`. */
export class UnstorableValueError extends CompactionError {
  constructor(what: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('session.value.unstorable', `${what} cannot be stored as JSON: ${reason}`, {cause});
  }
}
