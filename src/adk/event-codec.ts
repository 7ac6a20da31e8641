import {randomUUID} from 'node:crypto';
import {type Event, State, trimTempDeltaState} from '@google/adk';
import {InvalidOptionsError} from '../errors.ts';
import {type SessionKey, sessionKeyText} from '../session-key.ts';
import {toJsonText} from '../store/json-text.ts';
import {UnstorableValueError} from '../store/session-errors.ts';
import {checkedId} from '../store/sqlite/checked-ids.ts';
import type {EventRow} from '../store/sqlite/session-rows.ts';

/** Takes out of an event what must not be stored. Leaves the event it got as it is; the id stays whatever it gives. */
export type RedactEvent = (event: Event) => Event;

/** An event ready to be stored: nothing of the caller's was changed yet. */
export interface EncodedEvent {
  /**
   * The event with an id and without `temp:` state: the original when it is so already, otherwise a copy two levels deep
   * that shares what lies below.
   */
  readonly event: Event;
  readonly row: EventRow;
}

/**
 * Makes the stored form of an event. An event without an id gets one.
 *
 * Throws `UnstorableValueError` naming the event and the path to a value that has no JSON form, `InvalidIdError` for an
 * id that cannot be stored unchanged, and what `redact` throws.
 */
export function encodeEvent(key: SessionKey, event: Event, redact: RedactEvent | undefined): EncodedEvent {
  const eventId = checkedId('event.id', event.id || randomUUID());
  const storable = toStorable(redact === undefined ? event : redacted(event, redact), eventId);
  const timestamp = Number.isFinite(storable.timestamp) ? storable.timestamp : null;
  return {event: storable, row: {eventId, timestamp, bodyJson: toBodyJson(key, storable)}};
}

/** Reads a stored event. */
export function decodeEvent(bodyJson: string): Event {
  return JSON.parse(bodyJson) as Event;
}

function toStorable(event: Event, id: string): Event {
  const hasTemp = Object.keys(event.actions?.stateDelta ?? {}).some((name) => name.startsWith(State.TEMP_PREFIX));
  if (event.id === id && !hasTemp) {
    return event;
  }
  const copy = {...event, id};
  if (!hasTemp) {
    return copy;
  }
  copy.actions = {...event.actions};
  return trimTempDeltaState(copy);
}

function redacted(event: Event, redact: RedactEvent): Event {
  const result: unknown = redact(event);
  if (typeof result === 'object' && result !== null) {
    return result as Event;
  }
  throw new InvalidOptionsError(
    'redact',
    `must give an event back; for ${JSON.stringify(event.id)} it gave ${String(result)}`,
  );
}

function toBodyJson(key: SessionKey, event: Event): string {
  try {
    return toJsonText(event);
  } catch (error) {
    throw new UnstorableValueError(`Event ${JSON.stringify(event.id)} of session ${sessionKeyText(key)}`, error);
  }
}
