import type {Event} from '@google/adk';
import type {Content} from '@google/genai';
import {partsOf} from '../request/parts.ts';
import type {Scope} from '../session-key.ts';

/** The contents ADK sends when a session holds these events. Rejects where ADK would end the turn. */
export type AssembleContents = (events: readonly Event[], scope: Scope) => Promise<Content[]>;

/**
 * The contents of a scope's model calls, one call after the other. ADK assembles each request from all events; here what
 * was assembled for one call is kept for the next, and ADK sees all events again only where the new ones reach back: an
 * answer to an earlier call, an id that was used before, a compaction of ADK's own.
 */
export class ContentAssembly {
  readonly #events: readonly Event[];
  readonly #scope: Scope;
  readonly #assemble: AssembleContents;
  readonly #callIds = new Set<string>();
  #assembled: {readonly eventIndex: number; readonly contents: readonly Content[]} = {eventIndex: 0, contents: []};

  constructor(events: readonly Event[], scope: Scope, assemble: AssembleContents) {
    this.#events = events;
    this.#scope = scope;
    this.#assemble = assemble;
  }

  /** The contents before the event at the index, which must not be below the one of the call before. */
  async before(eventIndex: number): Promise<readonly Content[]> {
    const start = this.#assembled.eventIndex;
    const added = this.#events.slice(start, eventIndex);
    const reachesBack = this.#reachesBack(added);
    for (const id of idsOf(added, 'functionCall')) {
      this.#callIds.add(id);
    }
    const contents = reachesBack
      ? await this.#assemble(this.#events.slice(0, eventIndex), this.#scope)
      : [...this.#assembled.contents, ...(await this.#assemble(added, this.#scope))];
    this.#assembled = {eventIndex, contents};
    return contents;
  }

  #reachesBack(added: readonly Event[]): boolean {
    const calls = new Set(idsOf(added, 'functionCall'));
    return (
      added.some((event) => 'isCompacted' in event) ||
      [...calls].some((id) => this.#callIds.has(id)) ||
      idsOf(added, 'functionResponse').some((id) => !calls.has(id))
    );
  }
}

/** Ids of calls or answers; an empty text for each that has none. */
function idsOf(events: readonly Event[], kind: 'functionCall' | 'functionResponse'): string[] {
  return events.flatMap((event) => partsOf(event.content).flatMap((part) => (part[kind] ? (part[kind].id ?? '') : [])));
}
