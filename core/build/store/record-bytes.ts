/**
 * Records as bytes of a log: magic (4 bytes), length of the payload (u32), checksum (first 4 bytes of its SHA-256),
 * payload (key, NUL, JSON).
 */
import { readSync } from "node:fs";
import { sha256 } from "../key/sha256.ts";

const MAGIC = Buffer.from("arc\n", "latin1");
const MAGIC_NUMBER = MAGIC.readUInt32LE(0);
const HEADER = 12;
const CHUNK = 4 * 1024 * 1024;

/** The length in bytes of the record whose header `bytes` holds at `at`; undefined if none begins there. */
export const recordLength = (bytes: Buffer, at: number): number | undefined =>
  bytes.length < at + HEADER || bytes.readUInt32LE(at) !== MAGIC_NUMBER
    ? undefined
    : HEADER + bytes.readUInt32LE(at + 4);

/** Encodes records in one piece, for one write. */
export function encode(records: readonly (readonly [key: string, json: string])[]): Buffer {
  const parts: Buffer[] = [];
  for (const [key, json] of records) {
    const payload = Buffer.from(`${key}\0${json}`, "utf8");
    const header = Buffer.allocUnsafe(HEADER);
    header.writeUInt32LE(MAGIC_NUMBER, 0);
    header.writeUInt32LE(payload.length, 4);
    checksum(payload).copy(header, 8);
    parts.push(header, payload);
  }
  return Buffer.concat(parts);
}

/** Called for each record: its key is `bytes` from `start` to `end`, the record at `offset` of the file. */
export type OnRecord = (bytes: Buffer, start: number, end: number, offset: number) => void;

/**
 * Reads the records from an offset up to the size of the file; returns how far it came. Every intact record is among
 * those that it reports; damaged ones may be, too. `chunk`: bytes to read at a time.
 */
export function scanRecords(
  file: number,
  from: number,
  size: number,
  onRecord: OnRecord,
  chunk: number = CHUNK,
): number {
  let at = from;
  while (at < size) {
    const want = Math.min(size - at, chunk);
    let scanned = scan(readFully(file, at, want), at, size, onRecord);
    if (scanned === 0) {
      // One record is longer than the chunk, or the last one is incomplete.
      if (want === size - at) return at;
      scanned = scan(readFully(file, at, size - at), at, size, onRecord);
      if (scanned === 0) return at;
    }
    at += scanned;
  }
  return at;
}

/** Reports the records in `bytes`, which lie at `offset` of a file of that size; returns how many bytes are done. */
function scan(bytes: Buffer, offset: number, size: number, onRecord: OnRecord): number {
  let at = 0;
  /** A record that would end beyond the file: torn if an intact one follows, else still being written. */
  let pending: number | undefined;
  while (at + HEADER <= bytes.length) {
    const length = recordLength(bytes, at);
    const end = at + (length ?? 0);
    if (length === undefined || offset + end > size) {
      if (length !== undefined) pending ??= at;
      const next = magicIn(bytes, at + 1, bytes.length);
      if (next === undefined) return pending ?? bytes.length;
      at = next;
      continue;
    }
    if (end > bytes.length) break;
    const separator = bytes.indexOf(0, at + HEADER);
    const hasKey = separator !== -1 && separator < end;
    // A torn record, even one of which only a part of the header was written, may have swallowed the start of the next.
    const inner = magicIn(bytes, at + MAGIC.length, end);
    if (hasKey && (inner === undefined || isWhole(bytes, at, end))) {
      onRecord(bytes, at + HEADER, separator, offset + at);
      pending = undefined;
      at = end;
    } else at = inner ?? end;
  }
  return pending ?? at;
}

/** Where the start of a record stands first, between two places of `bytes`; the end of `bytes` may cut it off. */
function magicIn(bytes: Buffer, from: number, to: number): number | undefined {
  const whole = bytes.indexOf(MAGIC, from);
  if (whole !== -1) return whole < to ? whole : undefined;
  for (let at = Math.max(from, bytes.length - MAGIC.length + 1); at < to; at += 1)
    if (bytes.subarray(at).equals(MAGIC.subarray(0, bytes.length - at))) return at;
  return undefined;
}

function isWhole(bytes: Buffer, at: number, end: number): boolean {
  return checksum(bytes.subarray(at + HEADER, end)).equals(bytes.subarray(at + 8, at + HEADER));
}

/** The values of the intact records of a key in `bytes`, newest first. */
export function* findRecords(bytes: Buffer, key: string): Generator<string> {
  const wanted = Buffer.from(`${key}\0`, "utf8");
  for (let at = bytes.lastIndexOf(wanted); at >= HEADER; at = bytes.lastIndexOf(wanted, at - 1)) {
    const value = valueIn(bytes.subarray(at - HEADER), key);
    if (value !== undefined) yield value;
  }
}

/** The value of the record at an offset of a file; undefined unless it is intact and has this key. */
export function readRecord(file: number, offset: number, key: string): string | undefined {
  // Most records fit into one read.
  const bytes = readFully(file, offset, 2048);
  const length = recordLength(bytes, 0);
  if (length === undefined) return undefined;
  return valueIn(length > bytes.length ? readFully(file, offset, length) : bytes, key);
}

function valueIn(bytes: Buffer, key: string): string | undefined {
  const length = recordLength(bytes, 0);
  if (length === undefined || length > bytes.length || !isWhole(bytes, 0, length)) return undefined;
  const text = bytes.toString("utf8", HEADER, length);
  return text.startsWith(`${key}\0`) ? text.slice(key.length + 1) : undefined;
}

export function readFully(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const count = readSync(file, bytes, read, length - read, position + read);
    if (count === 0) break;
    read += count;
  }
  return bytes.subarray(0, read);
}

function checksum(payload: Buffer): Buffer {
  return sha256(payload).subarray(0, 4);
}
