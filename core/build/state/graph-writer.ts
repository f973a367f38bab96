/** Writes the graph of a build: see graph-layout.ts. */
import { closeSync, ftruncateSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { uniqueName } from "../files/unique.ts";
import { wordSum } from "../key/word-sum.ts";
import type { Action, Address } from "../model/action.ts";
import { fault } from "../model/fault.ts";
import { onFile } from "../model/system-error.ts";
import { native } from "../native/native.ts";
import { Lists, type Rows } from "./compressed-rows.ts";
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

const WRITE_BYTES = 1024 * 1024;

/** An action, its parent, and the paths that reach it. */
export interface GraphRow {
  readonly action: Action;
  /** The action whose expansion added it. */
  readonly parent?: Address;
  /** Paths whose change concerns it: source files, discovered inputs, places of outputs. */
  readonly files: readonly string[];
}

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

/** The action that writes a path, or a folder around it. */
function writerOf(file: string, places: ReadonlyMap<string, number>): number | undefined {
  for (let at = file; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
    const writer = places.get(at);
    if (writer !== undefined) return writer;
  }
  return undefined;
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

function readExactly(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, bytes.length - at, offset + at);
    if (read === 0) throw new Error("what was just written is not there");
    at += read;
  }
}
