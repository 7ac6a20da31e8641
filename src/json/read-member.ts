/** `value[key]`; `undefined` when `value` holds no members or reading throws. */
export function readMember(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** True for an array; false for what throws when it is asked. */
export function isList(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The elements of an array, `undefined` for each that throws; `undefined` for anything else. */
export function readItems(value: unknown): unknown[] | undefined {
  if (!isList(value)) {
    return undefined;
  }
  try {
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      items.push(readMember(value, index));
    }
    return items;
  } catch {
    return undefined;
  }
}

/** The names of the own enumerable members; none when there are none or asking throws. */
export function readNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}
