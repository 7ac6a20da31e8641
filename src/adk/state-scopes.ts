import {State} from '@google/adk';
import {toNormalForm} from '../json/normal-form.ts';
import {UnstorableValueError} from '../store/session-errors.ts';
import {STATE_PREFIXES, type StateEntry} from '../store/sqlite/state-rows.ts';

/**
 * State as rows: each key with its owner, `temp:` keys left out. A value that JSON leaves out (undefined, a function)
 * stands for the removal of its key. Throws `UnstorableValueError` naming the key.
 */
export function toStateEntries(state: Readonly<Record<string, unknown>>): StateEntry[] {
  return Object.keys(state).flatMap((name) => {
    if (name.startsWith(State.TEMP_PREFIX)) {
      return [];
    }
    return [{...ownerOf(name), valueJson: toValueJson(name, state[name])}];
  });
}

/** Whether state under one of these names is shared: with the app, with the user. */
export function sharesState(names: readonly string[]): {readonly app: boolean; readonly user: boolean} {
  return {
    app: names.some((name) => name.startsWith(STATE_PREFIXES.app)),
    user: names.some((name) => name.startsWith(STATE_PREFIXES.user)),
  };
}

/** Writes rows into a live state object, in place: ADK and running tools hold on to that object. */
export function applyStateEntries(state: Record<string, unknown>, entries: readonly StateEntry[]): void {
  for (const {owner, key, valueJson} of entries) {
    const name = STATE_PREFIXES[owner] + key;
    if (valueJson === null) {
      delete state[name];
    } else {
      setOwn(state, name, JSON.parse(valueJson));
    }
  }
}

/** The key of an entry as tools see it, with its prefix. */
export function stateName({owner, key}: StateEntry): string {
  return STATE_PREFIXES[owner] + key;
}

/** Remembers what `state` holds under `names`, and gives the function that puts it back. */
export function captureState(state: Record<string, unknown>, names: readonly string[]): () => void {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(state, name)] as const);
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) {
        delete state[name];
      } else {
        Object.defineProperty(state, name, descriptor);
      }
    }
  };
}

function ownerOf(name: string): {owner: StateEntry['owner']; key: string} {
  if (name.startsWith(STATE_PREFIXES.app)) {
    return {owner: 'app', key: name.slice(STATE_PREFIXES.app.length)};
  }
  if (name.startsWith(STATE_PREFIXES.user)) {
    return {owner: 'user', key: name.slice(STATE_PREFIXES.user.length)};
  }
  return {owner: 'session', key: name};
}

function toValueJson(name: string, value: unknown): string | null {
  try {
    const normal = toNormalForm({value}) as {value?: unknown};
    return normal.value === undefined ? null : JSON.stringify(normal.value);
  } catch (error) {
    throw new UnstorableValueError(`The state key ${JSON.stringify(name)}`, error);
  }
}

/** An assignment that makes `__proto__` a key like any other. */
function setOwn(state: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(state, name, {value, writable: true, enumerable: true, configurable: true});
}
