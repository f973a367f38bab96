/** Growable columns of numbers. */
type Column = Uint8Array | Uint32Array | Int32Array | Float64Array;

const FIRST = 64;

/** Returns the array itself if it has `size` elements, else a longer copy filled up with 0. */
export function withRoom<T extends Column>(column: T, size: number): T {
  if (column.length >= size) return column;
  const Longer = column.constructor as new (length: number) => T;
  const longer = new Longer(Math.max(FIRST, size, Math.ceil(1.5 * column.length)));
  longer.set(column);
  return longer;
}

const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;

/** A long column in pages, which grows without copying existing pages. */
export class Pages {
  readonly #pages: Int32Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length;
    if ((at & (PAGE - 1)) === 0) this.#pages.push(new Int32Array(PAGE));
    (this.#pages[at >> PAGE_BITS] as Int32Array)[at & (PAGE - 1)] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return (this.#pages[index >> PAGE_BITS] as Int32Array)[index & (PAGE - 1)] as number;
  }
}
