import type {Event, Session} from '@google/adk';
import {SessionFrozenError} from '../store/session-errors.ts';

/**
 * Throws `SessionFrozenError` when an append could not change a session object as it must: its list of events, its state
 * under `names`, its time of the last update. Found out before an event is stored, so that no append fails after it is.
 */
export function assertChangeable(session: Session, names: readonly string[]): void {
  const {state, events} = session;
  const frozen =
    (Object.isFrozen(session) && 'session') ||
    (!Object.isExtensible(events) && 'session.events') ||
    (names.some((name) => !canDefine(state, name)) && 'session.state');
  if (frozen) {
    throw new SessionFrozenError({appName: session.appName, userId: session.userId, sessionId: session.id}, frozen);
  }
}

/** The caller's own event, made what was stored, as ADK's services keep that object; `stored` when it cannot be changed. */
export function settleEvent(event: Event, stored: Event): Event {
  if (event === stored) {
    return event;
  }
  const {actions} = event;
  const isSettled =
    Reflect.set(event, 'id', stored.id) &&
    (!actions || !stored.actions || Reflect.set(actions, 'stateDelta', stored.actions.stateDelta));
  return isSettled ? event : stored;
}

function canDefine(state: object, name: string): boolean {
  return Object.getOwnPropertyDescriptor(state, name)?.configurable ?? Object.isExtensible(state);
}
