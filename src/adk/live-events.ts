import type {Event} from '@google/adk';

/**
 * The event list of a live session as this store last left it. Others edit that list too (ADK's compactors push, replace
 * and remove); while they have not, adding a new event needs no search through it.
 */
export class LiveEvents {
  #length = 0;
  #last: Event | undefined;

  /** Puts `event` where its id is in `events`, or at the end. */
  put(events: Event[], event: Event): void {
    const isUntouched = events.length === this.#length && events.at(-1) === this.#last;
    if (isUntouched || !this.replace(events, event)) {
      events.push(event);
    }
    this.settle(events);
  }

  /** Puts `event` where its id is in `events`; gives false when it is not there. */
  replace(events: Event[], event: Event): boolean {
    const index = events.findLastIndex((other) => other.id === event.id);
    if (index < 0) {
      return false;
    }
    events[index] = event;
    this.settle(events);
    return true;
  }

  /** Takes `events` as they are now for what this store left. */
  settle(events: readonly Event[]): void {
    this.#length = events.length;
    this.#last = events.at(-1);
  }
}
