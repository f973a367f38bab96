/**
 * The graph file: header (magic, identity, then offset and length of each section, as doubles, and a checksum), then
 * sections, each starting at a multiple of eight bytes. The last section has checksums of all blocks behind the header;
 * a block is checked when it is first read, because a power loss may leave wrong bytes anywhere. Numbers are u32; lists
 * of lists are in compressed-row form (`starts`, then `items`).
 */
import { wordSum } from "../key/word-sum.ts";
import { native } from "../native/native.ts";

export const MAGIC = 0x61726707;

export const SECTIONS = [
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
export type Section = (typeof SECTIONS)[number];

export const HEADER_DOUBLES = 4 + 2 * SECTIONS.length;
export const HEADER_BYTES = 8 * HEADER_DOUBLES;
/** Size of a block with a checksum of its own, in bytes. */
export const BLOCK = 4096;

/** Order of addresses and paths in the file. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Checksum of the header (without its own field) and of the blocks' checksums. */
export function sumOfHeader(header: Float64Array<ArrayBuffer>, sums: Uint32Array): number {
  const fields = new Uint32Array(header.buffer, header.byteOffset, 2 * (HEADER_DOUBLES - 1));
  return wordSum(sums, native, wordSum(fields));
}
