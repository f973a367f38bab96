/**
 * Index of a log: the offsets of each key's records, in a file beside it, so that a build that needs few records does
 * not read the log. If it is lost, damaged or of another log, the log is read.
 *
 * A hash table with open addressing: header, offsets (f64; -1: free), hashes of keys (u32), checksums of the header and
 * of each block of slots; a block is checked when it is first used. The index has no keys, so whoever finds an offset
 * must compare the key in the log.
 */
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { endianness } from "node:os";
import { openOwnFile } from "../files/own-file.ts";
import { hashOf, type RecordOffsets } from "../files/record-offsets.ts";
import { uniqueName } from "../files/unique.ts";
import { readWhole } from "../files/whole-file.ts";
import { sha256 } from "../key/sha256.ts";
import { fault } from "../model/fault.ts";
import { native } from "../native/native.ts";
import { shareNewFile } from "./shared-store.ts";

/**
 * Numbers in the header: format, inode of the log, bytes of the log that are indexed, records and keys therein, slots,
 * bytes of superseded records.
 */
const HEADER_NUMBERS = 7;
const HEADER = 8 * HEADER_NUMBERS;
const FORMAT = endianness() === "LE" ? 3 : -3;
/** Slots per block. */
const BLOCK = 64;
const CHECKSUM = 8;

/** The part of a log that is indexed. */
interface Indexed {
  readonly ino: number;
  readonly end: number;
  readonly records: number;
  readonly keys: number;
  readonly superseded: number;
}

/** Views of the parts of an index with this many slots. */
class Parts {
  readonly header: Float64Array;
  readonly offsets: Float64Array;
  readonly hashes: Uint32Array;
  /** Checksums of the header, then of the blocks. */
  readonly checksums: Buffer;

  static bytes(slots: number): number {
    return HEADER + 12 * slots + CHECKSUM * (1 + Math.ceil(slots / BLOCK));
  }

  /** `bytes` must be aligned. */
  constructor({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>, slots: number) {
    this.header = new Float64Array(buffer, byteOffset, HEADER_NUMBERS);
    this.offsets = new Float64Array(buffer, byteOffset + HEADER, slots);
    this.hashes = new Uint32Array(buffer, byteOffset + HEADER + 8 * slots, slots);
    const sums = HEADER + 12 * slots;
    this.checksums = Buffer.from(buffer, byteOffset + sums, byteLength - sums);
  }

  checksumOf(block: number): Buffer {
    const [from, to] = [block * BLOCK, (block + 1) * BLOCK];
    const parts = [this.header, this.offsets.subarray(from, to), this.hashes.subarray(from, to)];
    return checksum(block < 0 ? [this.header] : parts);
  }

  /** Block -1 is the header. Each block's checksum includes the header, so that a block of another index fails. */
  isWhole(block: number): boolean {
    const at = (block + 1) * CHECKSUM;
    return this.checksumOf(block).equals(this.checksums.subarray(at, at + CHECKSUM));
  }
}

export class RecordIndex implements Indexed {
  readonly ino: number;
  readonly end: number;
  readonly records: number;
  readonly keys: number;
  readonly superseded: number;
  readonly #parts: Parts;
  readonly #whole = new Set<number>();

  private constructor(parts: Parts) {
    const [, ino = 0, end = 0, records = 0, keys = 0, , superseded = 0] = parts.header;
    this.ino = ino;
    this.end = end;
    this.records = records;
    this.keys = keys;
    this.superseded = superseded;
    this.#parts = parts;
  }

  /** Undefined if there is no usable index. */
  static read(path: string): RecordIndex | undefined {
    let whole: Buffer<ArrayBuffer>;
    try {
      whole = readWhole(openOwnFile(path), native);
    } catch {
      return undefined;
    }
    if (whole.length < HEADER) return undefined;
    const [format, , , , , slots = 0] = new Float64Array(whole.buffer, 0, HEADER_NUMBERS);
    if (format !== FORMAT || whole.length !== Parts.bytes(slots)) return undefined;
    const parts = new Parts(whole, slots);
    return parts.isWhole(-1) ? new RecordIndex(parts) : undefined;
  }

  /** Offsets that may be the key's, newest first, usually one. Undefined: the relevant part of the index is damaged. */
  *find(key: string): Generator<number | undefined> {
    const { offsets, hashes } = this.#parts;
    const mask = offsets.length - 1;
    const hash = hashOf(key);
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      if (!this.#isWhole(Math.floor(at / BLOCK))) {
        yield undefined;
        return;
      }
      const offset = offsets[at] as number;
      if (offset < 0) return;
      if (hashes[at] === hash) yield offset;
    }
  }

  #isWhole(block: number): boolean {
    if (this.#whole.has(block)) return true;
    if (!this.#parts.isWhole(block)) return false;
    this.#whole.add(block);
    return true;
  }
}

/** Written atomically by rename. Throws errors of the file system. */
export function writeRecordIndex(
  path: string,
  { ino, end }: Pick<Indexed, "ino" | "end">,
  offsets: RecordOffsets,
): void {
  const { records, keys, superseded } = offsets;
  // At most half full, with at least one free slot.
  const slots = 2 ** Math.ceil(Math.log2(2 * records + 2));
  const bytes = new Uint8Array(Parts.bytes(slots));
  const parts = new Parts(bytes, slots);
  parts.header.set([FORMAT, ino, end, records, keys, slots, superseded]);
  parts.offsets.fill(-1);
  for (const [hash, offset] of offsets.entries()) {
    let at = hash & (slots - 1);
    while ((parts.offsets[at] as number) >= 0) at = (at + 1) & (slots - 1);
    parts.offsets[at] = offset;
    parts.hashes[at] = hash;
  }
  for (let block = -1; block * BLOCK < slots; block += 1) {
    parts.checksumOf(block).copy(parts.checksums, (block + 1) * CHECKSUM);
  }
  const temporary = `${path}.${uniqueName()}`;
  try {
    const file = openSync(temporary, "wx");
    try {
      writeFileSync(file, bytes);
      shareNewFile(file, temporary);
    } finally {
      closeSync(file);
    }
    fault("index:before-rename");
    renameSync(temporary, path);
    fault("index:after-rename");
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function checksum(arrays: readonly (Float64Array | Uint32Array)[]): Buffer {
  const bytes = arrays.map((array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return sha256(Buffer.concat(bytes)).subarray(0, CHECKSUM);
}
