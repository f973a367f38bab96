/**
 * Changes at the end of a stamp file: after a small build a few rows are appended instead of the whole file being
 * written anew. Of a crash, or a disk that loses what was written last, remains a record whose checksum is wrong: it
 * and all behind it count as never written, and the rows as they were before.
 *
 * Record: magic, length in bytes, checksum, 0 (u32 each); for each row its number and flags (u32), stamp (4 doubles)
 * and digest (32 bytes). The native launcher reads the stamps of the same records. Numbers from the count of rows on are
 * actions: what the digest begins with says what each is known to have made.
 */
import { wordSum } from "../key/word-sum.ts";

export interface StampChange {
  readonly row: number;
  readonly flags: number;
  /** mtime and ctime in ms, size, inode. */
  readonly stamp: ArrayLike<number>;
  /** Zeros: none. */
  readonly digest: Uint8Array;
}

const MAGIC = 0x61726370;
const HEADER = 16;
const ROW = 72;
const STAMP = 8;
const DIGEST = 40;

export function encodePatch(changes: readonly StampChange[]): Uint8Array {
  const bytes = new Uint8Array(HEADER + ROW * changes.length);
  const words = new Uint32Array(bytes.buffer);
  for (const [at, { row, flags, stamp, digest }] of changes.entries()) {
    const start = HEADER + ROW * at;
    words.set([row, flags], start / 4);
    new Float64Array(bytes.buffer, start + STAMP, 4).set(stamp);
    bytes.set(digest, start + DIGEST);
  }
  words.set([MAGIC, bytes.length, wordSum(words.subarray(HEADER / 4)), 0]);
  return bytes;
}

/** Calls back for each row changed by the records from `start` on, oldest first; returns where the last whole one ends. */
export function readPatches(
  bytes: Uint8Array,
  start: number,
  onChange: (change: StampChange) => void,
): number {
  const { buffer, byteOffset, length } = bytes;
  let at = start;
  while (at + HEADER <= length) {
    const [magic, size = 0, sum, zero] = new Uint32Array(buffer, byteOffset + at, 4);
    if (magic !== MAGIC || zero !== 0 || size < HEADER || (size - HEADER) % ROW !== 0 || at + size > length)
      break;
    const words = new Uint32Array(buffer, byteOffset + at + HEADER, (size - HEADER) / 4);
    if (wordSum(words) !== sum) break;
    for (let row = at + HEADER; row < at + size; row += ROW) {
      const [number = 0, flags = 0] = new Uint32Array(buffer, byteOffset + row, 2);
      const stamp = new Float64Array(buffer, byteOffset + row + STAMP, 4);
      onChange({ row: number, flags, stamp, digest: bytes.subarray(row + DIGEST, row + ROW) });
    }
    at += size;
  }
  return at;
}
