/**
 * The whole graph of the last build on disk, laid out so that a build after a small change reads only the actions that
 * the change can reach. Nothing is loaded in advance: every query reads at an offset.
 *
 * Layout: header (magic, identity, then offset and length of each section, as doubles, and a checksum), then sections,
 * each starting at a multiple of eight bytes. The last section has checksums of all blocks behind the header; a block
 * is checked when it is first read, because a power loss may leave wrong bytes anywhere. Numbers are u32; lists of
 * lists are in compressed-row form (`starts`, then `items`).
 */
import { closeSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { type FileBytes, openBytes } from "../files/file-bytes.ts";
import { openOwnFile } from "../files/own-file.ts";
import { uniqueName } from "../files/unique.ts";
import { withRoom } from "../graph/column.ts";
import { wordSum } from "../key/word-sum.ts";
import type { Action, Address } from "../model/action.ts";
import { fault } from "../model/fault.ts";
import { onFile } from "../model/system-error.ts";
import { native } from "../native/native.ts";

const MAGIC = 0x61726707;

/** An action, its parent, and the paths that reach it. */
export interface GraphRow {
  readonly action: Action;
  /** The action whose expansion added it. */
  readonly parent?: Address;
  /** Paths whose change concerns it: source files, discovered inputs, places of outputs. */
  readonly files: readonly string[];
}

const SECTIONS = [
  "addressStarts",
  "addressText",
  "addressOrder",
  "actionStarts",
  "actionText",
  "consumerStarts",
  "consumers",
  "childStarts",
  "children",
  "fileStarts",
  "fileText",
  "userStarts",
  "users",
  "sums",
] as const;
type Section = (typeof SECTIONS)[number];

const HEADER_DOUBLES = 4 + 2 * SECTIONS.length;
const HEADER_BYTES = 8 * HEADER_DOUBLES;
/** Size of a block with a checksum of its own, in bytes. */
const BLOCK = 4096;
const WRITE_BYTES = 1024 * 1024;

/** Rows by number, made on request. */
export interface GraphRows {
  readonly count: number;
  readonly address: (number: number) => Address;
  readonly action: (number: number) => Action;
  readonly parent: (number: number) => Address | undefined;
  readonly files: (number: number) => readonly string[];
  readonly needs: (number: number) => readonly Address[];
  readonly places: (number: number) => readonly string[];
}

export function rowsOf(rows: readonly GraphRow[]): GraphRows {
  const row = (number: number): GraphRow => rows[number] as GraphRow;
  return {
    count: rows.length,
    address: (number) => row(number).action.address,
    action: (number) => row(number).action,
    parent: (number) => row(number).parent,
    files: (number) => row(number).files,
    needs: (number) => row(number).action.inputs.flatMap(({ from }) => ("action" in from ? from.action : [])),
    places: (number) => row(number).action.outputs.flatMap(({ place }) => place ?? []),
  };
}

/** Writes the rows; their order gives the actions their numbers. `identity` must be new and not 0. */
export function writeGraphFile(file: string, identity: number, rows: GraphRows): void {
  const { count } = rows;
  const numbers = new Map<Address, number>();
  const places = new Map<string, number>();
  for (let number = 0; number < count; number += 1) {
    numbers.set(rows.address(number), number);
    for (const place of rows.places(number)) places.set(place, number);
  }
  const paths: string[] = [];
  const pathNumbers = new Map<string, number>();
  const consumers = new Lists();
  const children = new Lists();
  const users = new Lists();
  for (let number = 0; number < count; number += 1) {
    const needs = new Set<number>();
    for (const path of rows.files(number)) {
      // A discovered input may be another action's output, although this action does not name it.
      const writer = writerOf(path, places);
      if (writer !== undefined && writer !== number) needs.add(writer);
      let known = pathNumbers.get(path);
      if (known === undefined) {
        known = paths.push(path) - 1;
        pathNumbers.set(path, known);
      }
      users.add(known, number);
    }
    for (const address of rows.needs(number)) {
      const need = numbers.get(address);
      if (need !== undefined) needs.add(need);
    }
    for (const need of needs) consumers.add(need, number);
    const parent = rows.parent(number);
    const parentNumber = parent === undefined ? undefined : numbers.get(parent);
    if (parentNumber !== undefined) children.add(parentNumber, number);
  }
  const order = Uint32Array.from({ length: count }, (_, number) => number);
  order.sort((a, b) => compare(rows.address(a), rows.address(b)));
  const pathOrder = Uint32Array.from(paths.keys()).sort((a, b) =>
    compare(paths[a] as string, paths[b] as string),
  );
  const writer = new SectionWriter(file, identity, count);
  try {
    onFile(writer.temporary, () => {
      writer.texts("addressStarts", "addressText", count, rows.address);
      writer.section("addressOrder", [bytesOf(order)]);
      writer.texts("actionStarts", "actionText", count, (number) =>
        JSON.stringify({ action: rows.action(number), parent: rows.parent(number) }),
      );
      writer.lists("consumerStarts", "consumers", consumers.inRows(count));
      writer.lists("childStarts", "children", children.inRows(count));
      writer.texts("fileStarts", "fileText", paths.length, (at) => paths[pathOrder[at] as number] as string);
      writer.lists("userStarts", "users", users.inRows(paths.length, pathOrder));
      writer.finish();
    });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** Lists of numbers, in compressed-row form. */
interface Rows {
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

/** Collects items of lists, in any order. */
class Lists {
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

/** The action that writes a path, or a folder around it. */
function writerOf(file: string, places: ReadonlyMap<string, number>): number | undefined {
  for (let at = file; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const writer = places.get(at);
    if (writer !== undefined) return writer;
  }
  return undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function bytesOf(array: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

class SectionWriter {
  readonly #file: string;
  readonly temporary: string;
  readonly #descriptor: number;
  readonly #header = new Float64Array(HEADER_DOUBLES);
  #at = HEADER_BYTES;

  constructor(file: string, identity: number, count: number) {
    this.#file = file;
    this.temporary = `${file}.${uniqueName()}`;
    this.#descriptor = openSync(this.temporary, "wx+");
    this.#header.set([MAGIC, identity, count]);
  }

  section(name: Section, parts: Iterable<Uint8Array>): void {
    const start = this.#nextStart();
    this.#at = start;
    for (const part of parts) {
      for (let done = 0; done < part.length; ) {
        done += writeSync(this.#descriptor, part, done, part.length - done, this.#at + done);
      }
      this.#at += part.length;
      fault("graph:between-writes");
    }
    const slot = 3 + 2 * SECTIONS.indexOf(name);
    this.#header[slot] = start;
    this.#header[slot + 1] = this.#at - start;
  }

  #nextStart(): number {
    return Math.ceil(this.#at / 8) * 8;
  }

  texts(startsName: Section, textName: Section, count: number, text: (number: number) => string): void {
    const starts = new Float64Array(count + 1);
    const base = this.#nextStart();
    const parts = function* (): Generator<Uint8Array> {
      let at = 0;
      let pending: string[] = [];
      let pendingFrom = 0;
      for (let number = 0; number < count; number += 1) {
        const piece = text(number);
        at += Buffer.byteLength(piece, "utf8") + 1;
        starts[number + 1] = at;
        // Each piece has a terminator of its own, so that surrogate halves of two pieces never join.
        pending.push(piece, "\0");
        if (at - pendingFrom < WRITE_BYTES) continue;
        yield Buffer.from(pending.join(""), "utf8");
        pending = [];
        pendingFrom = at;
      }
      yield Buffer.from(pending.join(""), "utf8");
    };
    this.section(textName, parts());
    for (let number = 0; number <= count; number += 1) starts[number] = base + (starts[number] as number);
    this.section(startsName, [bytesOf(starts)]);
  }

  lists(startsName: Section, itemsName: Section, { starts, items }: Rows): void {
    this.section(startsName, [bytesOf(starts)]);
    this.section(itemsName, [bytesOf(items)]);
  }

  finish(): void {
    const end = this.#nextStart();
    ftruncateSync(this.#descriptor, end);
    const sums = this.#sumsTo(end);
    this.section("sums", [bytesOf(sums)]);
    this.#header[HEADER_DOUBLES - 1] = sumOfHeader(this.#header, sums);
    writeSync(this.#descriptor, bytesOf(this.#header), 0, this.#header.byteLength, 0);
    fault("graph:before-rename");
    // Still open: whoever abandons a file that could not be renamed closes it.
    renameSync(this.temporary, this.#file);
    fault("graph:after-rename");
    closeSync(this.#descriptor);
  }

  /** Checksums of the blocks between the header and an offset. */
  #sumsTo(end: number): Uint32Array<ArrayBuffer> {
    const sums = new Uint32Array(Math.ceil((end - HEADER_BYTES) / BLOCK));
    const bytes = new Uint8Array(BLOCK * Math.min(sums.length, WRITE_BYTES / BLOCK));
    for (let block = 0; block < sums.length; ) {
      const at = HEADER_BYTES + block * BLOCK;
      const length = Math.min(bytes.length, end - at);
      readExactly(this.#descriptor, bytes.subarray(0, length), at);
      for (let from = 0; from < length; from += BLOCK, block += 1) {
        sums[block] = wordSum(
          new Uint32Array(bytes.buffer, from, Math.min(BLOCK, length - from) / 4),
          native,
        );
      }
    }
    return sums;
  }

  abandon(): void {
    closeSync(this.#descriptor);
    rmSync(this.temporary, { force: true });
  }
}

/** Checksum of the header (without its own field) and of the blocks' checksums. */
function sumOfHeader(header: Float64Array<ArrayBuffer>, sums: Uint32Array): number {
  const fields = new Uint32Array(header.buffer, header.byteOffset, 2 * (HEADER_DOUBLES - 1));
  return wordSum(sums, native, wordSum(fields));
}

function readExactly(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, bytes.length - at, offset + at);
    if (read === 0) throw new Error("what was just written is not there");
    at += read;
  }
}

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
