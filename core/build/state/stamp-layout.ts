/** What a row of a stamp file says of a path, and the part behind the rows that only a real build needs. */
import type { FileEntry } from "../files/files.ts";
import { pathIndexBytes } from "../files/path-index.ts";
import { ABSENT, ANY_SIZE, ANY_TIME } from "../files/up-to-date.ts";
import { SUM_BYTES } from "../key/result.ts";
import { wordSum } from "../key/word-sum.ts";
import type { Depend } from "../model/stat-signature.ts";
import { native } from "../native/native.ts";

export const DIGEST_BYTES = 32;
export const FLAG = { executable: 1, digest: 2, racy: 4, mustExist: 8 } as const;

/**
 * Layout of the part that only this module reads: an index of the paths, digests, flags; for each action its checksum
 * and `WANT` byte.
 */
export function coldLayout(
  rows: number,
  actions: number,
): { digestsAt: number; flagsAt: number; sumsAt: number; wantedAt: number } {
  const digestsAt = pathIndexBytes(rows);
  const flagsAt = digestsAt + rows * DIGEST_BYTES;
  const sumsAt = flagsAt + rows;
  return { digestsAt, flagsAt, sumsAt, wantedAt: sumsAt + actions * SUM_BYTES };
}

export function flagsOf(entry: FileEntry | undefined): number {
  return (
    (entry?.executable ? FLAG.executable : 0) |
    (entry?.racy ? FLAG.racy : 0) |
    (entry?.digest === undefined ? 0 : FLAG.digest)
  );
}

const UNTRUSTED = [0, 0, 0, Number.NaN];

export function rowOfEntry(entry: FileEntry | undefined): readonly number[] {
  return entry?.racy ? UNTRUSTED : rowOfDepend(entry?.stamp);
}

export function rowOfDepend(depend: Depend): readonly number[] {
  if (depend === null) return UNTRUSTED;
  if (depend === undefined) return [0, 0, 0, ABSENT];
  if (depend === "exists") return [ANY_TIME, ANY_TIME, ANY_SIZE, 0];
  return [depend.mtimeMs, depend.ctimeMs, depend.size, depend.ino];
}

/** The last one to three bytes are summed one by one. */
export function sumOfCold({ buffer, byteOffset, length }: Uint8Array): number {
  const words = length >> 2;
  const isAligned = byteOffset % 4 === 0;
  const aligned = isAligned ? buffer : buffer.slice(byteOffset, byteOffset + length);
  const sum = wordSum(new Uint32Array(aligned, isAligned ? byteOffset : 0, words), native);
  return wordSum(Uint32Array.from(new Uint8Array(buffer, byteOffset + 4 * words, length % 4)), native, sum);
}
