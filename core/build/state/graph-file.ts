/**
 * The graph of the last build on disk, laid out so that a build after a small change reads only the actions that the
 * change can reach. Nothing is loaded in advance: every query reads at an offset.
 */
import { type FileBytes, openBytes } from "../files/file-bytes.ts";
import { openOwnFile } from "../files/own-file.ts";
import { wordSum } from "../key/word-sum.ts";
import type { Action, Address } from "../model/action.ts";
import { native } from "../native/native.ts";
import {
  BLOCK,
  compare,
  HEADER_BYTES,
  HEADER_DOUBLES,
  MAGIC,
  SECTIONS,
  type Section,
  sumOfHeader,
} from "./graph-layout.ts";

/** The file's bytes are not those that were written: the graph must be made again. */
export class DamagedGraph extends Error {
  constructor() {
    super("the graph of the last build is damaged");
  }
}

export class GraphFile {
  readonly count: number;
  readonly #bytes: FileBytes;
  readonly #header: Float64Array;
  /** Checksums of the blocks between the header and the section of checksums. */
  readonly #sums: Uint32Array;
  readonly #whole: Uint8Array;

  private constructor(bytes: FileBytes, header: Float64Array, sums: Uint32Array) {
    this.#bytes = bytes;
    this.#header = header;
    this.#sums = sums;
    this.#whole = new Uint8Array(sums.length);
    this.count = header[2] as number;
  }

  /** Undefined unless the file is intact and has this identity, if one is given. */
  static open(file: string, identity?: number): GraphFile | undefined {
    let descriptor: number;
    try {
      descriptor = openOwnFile(file);
    } catch {
      return undefined;
    }
    const bytes = openBytes(descriptor);
    if (bytes.size >= HEADER_BYTES) {
      const header = bytes.float64s(0, HEADER_DOUBLES);
      const [start = 0, length = 0] = header.subarray(3 + 2 * SECTIONS.indexOf("sums"));
      const isWanted = identity === undefined || header[1] === identity;
      if (header[0] === MAGIC && isWanted && bytes.size === start + length) {
        const sums = bytes.uint32s(start, length / 4);
        if (sumOfHeader(header, sums) === header[HEADER_DOUBLES - 1])
          return new GraphFile(bytes, header, sums);
      }
    }
    bytes.close();
    return undefined;
  }

  close(): void {
    this.#bytes.close();
  }

  address(number: number): Address {
    return this.#text("addressStarts", number);
  }

  /** Throws `DamagedGraph`, like every method that reads the file. */
  row(number: number): { readonly action: Action; readonly parent?: Address } {
    return JSON.parse(this.#text("actionStarts", number));
  }

  /** Places of the action's outputs. */
  *places(): Generator<string> {
    for (let number = 0; number < this.count; number += 1) {
      for (const { place } of this.row(number).action.outputs) if (place !== undefined) yield place;
    }
  }

  /** Actions that take an output of this one, by name or through its place. */
  consumers(number: number): Uint32Array {
    return this.#list("consumerStarts", "consumers", number);
  }

  /** Actions that this action's expansion added. */
  children(number: number): Uint32Array {
    return this.#list("childStarts", "children", number);
  }

  /** Actions that read or write a path. */
  usersOf(path: string): Uint32Array {
    const count = this.#length("fileStarts") / 8 - 1;
    const found = search(count, (at) => compare(this.#text("fileStarts", at), path));
    return found === undefined ? new Uint32Array() : this.#list("userStarts", "users", found);
  }

  numberOf(address: Address): number | undefined {
    const at = search(this.count, (index) =>
      compare(this.address(this.#uint32("addressOrder", index)), address),
    );
    return at === undefined ? undefined : this.#uint32("addressOrder", at);
  }

  #start(section: Section): number {
    return this.#header[3 + 2 * SECTIONS.indexOf(section)] as number;
  }

  #length(section: Section): number {
    return this.#header[4 + 2 * SECTIONS.indexOf(section)] as number;
  }

  #text(starts: Section, number: number): string {
    const at = this.#start(starts) + number * 8;
    this.#check(at, at + 16);
    const [start = 0, end = 0] = this.#bytes.float64s(at, 2);
    this.#check(start, end);
    return this.#bytes.text(start, end - 1);
  }

  #uint32(section: Section, index: number): number {
    const at = this.#start(section) + index * 4;
    this.#check(at, at + 4);
    return this.#bytes.uint32s(at, 1)[0] as number;
  }

  #list(starts: Section, items: Section, number: number): Uint32Array {
    const at = this.#start(starts) + number * 4;
    this.#check(at, at + 8);
    const [from = 0, to = 0] = this.#bytes.uint32s(at, 2);
    const start = this.#start(items);
    this.#check(start + from * 4, start + to * 4);
    return this.#bytes.uint32s(start + from * 4, to - from);
  }

  /** Checks the blocks between two offsets. */
  #check(from: number, to: number): void {
    const last = Math.floor((to - 1 - HEADER_BYTES) / BLOCK);
    for (let block = Math.floor((from - HEADER_BYTES) / BLOCK); block <= last; block += 1) {
      if (this.#whole[block] === 1) continue;
      const at = HEADER_BYTES + block * BLOCK;
      const words = (Math.min(at + BLOCK, this.#start("sums")) - at) / 4;
      if (
        !(block < this.#sums.length) ||
        wordSum(this.#bytes.uint32s(at, words), native) !== this.#sums[block]
      ) {
        throw new DamagedGraph();
      }
      this.#whole[block] = 1;
    }
  }
}

/** Binary search; `order` compares the element at an index to the one sought. */
function search(count: number, order: (index: number) => number): number | undefined {
  let low = 0;
  let high = count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const sign = order(middle);
    if (sign === 0) return middle;
    if (sign < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
