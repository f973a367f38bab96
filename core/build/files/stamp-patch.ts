/**
 * Changes at the end of a stamp file: after a small build a few rows are appended instead of writing the whole file
 * again. A crash, or a disk that loses the last writes, leaves a record with a wrong checksum: it and everything behind
 * it is ignored, and the rows keep their earlier values.
 *
 * Record: magic, length in bytes, checksum, 0 (u32 each); for each row its number and flags (u32), stamp (4 doubles)
 * and digest (32 bytes). The native launcher reads the stamps of the same records. Row numbers at or above the count of
 * rows stand for actions: for these the first bytes of the digest hold the checksum of the action's last known result.
 */
import { wordSum } from "../key/word-sum.ts";

export interface StampChange {
  readonly row: number;
  readonly flags: number;
  /** mtime and ctime in ms, size, inode. */
  readonly stamp: ArrayLike<number>;
  /** All zeros: none. */
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

/**
 * Calls `onChange` for each row in the records from `start` on, oldest first. Returns where the last intact record
 * ends.
 */
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
