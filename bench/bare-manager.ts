import {BasePlugin, type Context, type LlmRequest} from '@google/adk';
import Database from 'better-sqlite3';

/**
 * The least that a manager with these promises can do on a call that decides nothing: it reads one revision, compares every
 * content whole and counts the bytes of what is new. By hand, without any of the checks: it would overlook a `toJSON`, forgets
 * nothing, plans nothing, predicts and learns nothing, and fails the turn with the store.
 */
export class BareManager extends BasePlugin {
  readonly #revision: Database.Statement;
  readonly #members: unknown[] = [];
  #contents = 0;
  #bytes = 0;

  /** @param path of a database of its own */
  constructor(path: string) {
    super('bare-manager');
    const client = new Database(path);
    client.pragma('page_size = 8192');
    client.pragma('journal_mode = WAL');
    client.pragma('synchronous = NORMAL');
    client.exec('CREATE TABLE scopes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL)');
    client.exec("INSERT INTO scopes VALUES (1, 'scope', 1)");
    this.#revision = client.prepare('SELECT revision FROM scopes WHERE name = ?');
  }

  override async beforeModelCallback({
    llmRequest,
  }: {
    callbackContext: Context;
    llmRequest: LlmRequest;
  }): Promise<undefined> {
    this.#revision.get('scope');
    const {contents} = llmRequest;
    let at = 0;
    for (let index = 0; index < this.#contents; index += 1) {
      at = matchMembers(this.#members, at, contents[index]);
    }
    for (; this.#contents < contents.length; this.#contents += 1) {
      const content = contents[this.#contents];
      this.#bytes += Buffer.byteLength(JSON.stringify(content));
      addMembers(this.#members, content);
    }
    return undefined;
  }
}

function addMembers(members: unknown[], value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    members.push(value);
    return;
  }
  for (const key in value) {
    members.push(key);
    addMembers(members, (value as Record<string, unknown>)[key]);
  }
}

/** Where the members of the value end; throws when they are others. */
function matchMembers(members: readonly unknown[], start: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    if (members[start] !== value) {
      throw new Error('The benchmark changes no contents.');
    }
    return start + 1;
  }
  let at = start;
  for (const key in value) {
    if (members[at] !== key) {
      throw new Error('The benchmark changes no contents.');
    }
    at = matchMembers(members, at + 1, (value as Record<string, unknown>)[key]);
  }
  return at;
}
