/** Typed arrays that grow. */
type Column = Uint8Array | Uint32Array | Int32Array | Float64Array;

const FIRST = 64;

/** The array itself when it has so many elements, else a longer one with the same in front and 0 behind. */
export function withRoom<T extends Column>(column: T, size: number): T {
  if (column.length >= size) return column;
  const Longer = column.constructor as new (length: number) => T;
  const longer = new Longer(Math.max(FIRST, size, Math.ceil(1.5 * column.length)));
  longer.set(column);
  return longer;
}
