/**
 * Where the newest record of each key stands in a log, in a file beside it: a build that asks for few records
 * does not read the log. Losing it, or finding it damaged or of another log, costs reading the log.
 *
 * A hash table with open addressing: header, checksum, hashes of keys (u32), offsets (f64; -1: free). Keys are
 * in the log: who finds an offset looks there whether the key is the one.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { endianness } from "node:os";
import { fault } from "./fault.ts";
import { sha256 } from "./sha256.ts";
import { uniqueName } from "./unique.ts";

/** Numbers of the header: format, inode of the log, bytes of it that are indexed, records and keys in these, slots. */
const HEADER_NUMBERS = 6;
const CHECKSUM = 32;
const HEADER = 8 * HEADER_NUMBERS + CHECKSUM;
const FORMAT = endianness() === "LE" ? 1 : -1;

/** What of a log is indexed. */
export interface Indexed {
  readonly ino: number;
  readonly end: number;
  readonly records: number;
  readonly keys: number;
}

export class RecordIndex implements Indexed {
  readonly ino: number;
  readonly end: number;
  readonly records: number;
  readonly keys: number;
  readonly #hashes: Uint32Array;
  readonly #offsets: Float64Array;

  private constructor(header: Float64Array, hashes: Uint32Array, offsets: Float64Array) {
    [, this.ino, this.end, this.records, this.keys] = header as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    this.#hashes = hashes;
    this.#offsets = offsets;
  }

  /** Undefined where there is none that can be used. */
  static read(path: string): RecordIndex | undefined {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return undefined;
    }
    if (bytes.length < HEADER) return undefined;
    // Views need the alignment of their elements, which a buffer of its own has.
    const whole = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
    const header = new Float64Array(whole.buffer, whole.byteOffset, HEADER_NUMBERS);
    const slots = header[HEADER_NUMBERS - 1] as number;
    if (header[0] !== FORMAT || whole.length !== HEADER + 12 * slots) return undefined;
    if (!whole.subarray(HEADER - CHECKSUM, HEADER).equals(checksum(whole))) return undefined;
    return new RecordIndex(
      header,
      new Uint32Array(whole.buffer, whole.byteOffset + HEADER + 8 * slots, slots),
      new Float64Array(whole.buffer, whole.byteOffset + HEADER, slots),
    );
  }

  /** Offsets that may be the key's: most often one. */
  *find(key: string): Generator<number> {
    const mask = this.#offsets.length - 1;
    const wanted = hashOf(key);
    for (let at = wanted & mask; ; at = (at + 1) & mask) {
      const offset = this.#offsets[at] as number;
      if (offset < 0) return;
      if (this.#hashes[at] === wanted) yield offset;
    }
  }
}

/** Appears whole by rename, or not at all. Throws errors of the file system. */
export function writeRecordIndex(
  path: string,
  { ino, end, records }: Omit<Indexed, "keys">,
  offsets: ReadonlyMap<string, number>,
): void {
  // At most half full, and one slot at least is free.
  const slots = 2 ** Math.ceil(Math.log2(2 * offsets.size + 2));
  const bytes = Buffer.from(new ArrayBuffer(HEADER + 12 * slots));
  new Float64Array(bytes.buffer, 0, HEADER_NUMBERS).set([FORMAT, ino, end, records, offsets.size, slots]);
  const places = new Float64Array(bytes.buffer, HEADER, slots).fill(-1);
  const hashes = new Uint32Array(bytes.buffer, HEADER + 8 * slots, slots);
  for (const [key, offset] of offsets) {
    const wanted = hashOf(key);
    let at = wanted & (slots - 1);
    while ((places[at] as number) >= 0) at = (at + 1) & (slots - 1);
    places[at] = offset;
    hashes[at] = wanted;
  }
  checksum(bytes).copy(bytes, HEADER - CHECKSUM);
  const temporary = `${path}.${uniqueName()}`;
  try {
    writeFileSync(temporary, bytes);
    fault("index:before-rename");
    renameSync(temporary, path);
    fault("index:after-rename");
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Of everything but itself. */
function checksum(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, HEADER - CHECKSUM), bytes.subarray(HEADER)];
  return sha256(Buffer.concat(parts));
}

/** FNV-1a over UTF-16 units. */
export function hashOf(key: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) value = Math.imul(value ^ key.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
