import type {SessionKey} from '../../session-key.ts';
import {InvalidIdError} from '../session-errors.ts';

/**
 * Gives `id` back, or throws `InvalidIdError` when it is no string or holds a lone surrogate: SQLite would store, and
 * find, another id. Every other string is a valid id, and nothing in it has a meaning.
 */
export function checkedId(field: string, id: unknown): string {
  if (typeof id !== 'string' || !id.isWellFormed()) {
    throw new InvalidIdError(field, id);
  }
  return id;
}

declare const CHECKED: unique symbol;

/** A session key whose ids can all be stored: only `checkedKey` makes one. */
export type CheckedKey = Pick<SessionKey, keyof SessionKey> & {readonly [CHECKED]: true};

/** The three ids, each checked by `checkedId`. */
export function checkedKey({appName, userId, sessionId}: SessionKey): CheckedKey {
  return {
    appName: checkedId('appName', appName),
    userId: checkedId('userId', userId),
    sessionId: checkedId('sessionId', sessionId),
  } as CheckedKey;
}
