/**
 * Checked access to lists and maps, for code that knows that an element is there. What is not there is a bug, and
 * throws where it is read instead of where it is used.
 */

export function itemAt<T>(list: ArrayLike<T>, at: number): T {
  const element = list[at];
  if (element === undefined) throw new RangeError(`no element ${at} in a list of ${list.length}`);
  return element;
}

export const firstOf = <T>(list: ArrayLike<T>): T => itemAt(list, 0);

export const lastOf = <T>(list: ArrayLike<T>): T => itemAt(list, list.length - 1);

export function entryOf<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError("no value for a key of a map");
  return value;
}
