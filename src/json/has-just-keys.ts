/** True when an object has these members in this order, and no others. */
export function hasJustKeys(object: object, keys: readonly string[]): boolean {
  let index = 0;
  for (const key in object) {
    if (key !== keys[index]) {
      return false;
    }
    index += 1;
  }
  return index === keys.length;
}
