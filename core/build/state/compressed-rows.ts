import { withRoom } from "../graph/column.ts";

/** Lists of numbers, in compressed-row form. */
export interface Rows {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/** Collects items of lists, in any order. */
export class Lists {
  #lists = new Uint32Array(0);
  #items = new Uint32Array(0);
  #count = 0;

  add(list: number, item: number): void {
    this.#lists = withRoom(this.#lists, this.#count + 1);
    this.#items = withRoom(this.#items, this.#count + 1);
    this.#lists[this.#count] = list;
    this.#items[this.#count] = item;
    this.#count += 1;
  }

  /** Returns the lists, each in the order of adding; `order` is the order of the lists. */
  inRows(lists: number, order?: Uint32Array): Rows {
    const position = new Uint32Array(lists);
    for (let at = 0; at < lists; at += 1) position[order?.[at] ?? at] = at;
    const starts = new Uint32Array(lists + 1);
    for (let at = 0; at < this.#count; at += 1) {
      const list = position[this.#lists[at] as number] as number;
      starts[list + 1] = (starts[list + 1] as number) + 1;
    }
    for (let list = 0; list < lists; list += 1)
      starts[list + 1] = (starts[list + 1] as number) + (starts[list] as number);
    const next = starts.slice();
    const items = new Uint32Array(this.#count);
    for (let at = 0; at < this.#count; at += 1) {
      const list = position[this.#lists[at] as number] as number;
      items[next[list] as number] = this.#items[at] as number;
      next[list] = (next[list] as number) + 1;
    }
    return { starts, items };
  }
}
