/**
 * An append-only file of records found by key, newest first. An append is one write, so several processes may share a
 * log; a record torn by a crash or a full disk is skipped. Records are parsed on request: memory holds only their
 * offsets.
 *
 * Record: magic (4 bytes), length of the payload (u32), checksum (first 4 bytes of its SHA-256), payload (key, NUL,
 * JSON).
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { NoFile, openOwnFile } from "../files/own-file.ts";
import { hashOf, RecordOffsets } from "../files/record-offsets.ts";
import { uniqueName } from "../files/unique.ts";
import { sha256 } from "../key/sha256.ts";
import { EngineError } from "../model/error.ts";
import { fault } from "../model/fault.ts";
import { errnoOf, isLossOfData, onFile } from "../model/system-error.ts";
import { RecordIndex, writeRecordIndex } from "./record-index.ts";

const MAGIC = Buffer.from("arc\n", "latin1");
const MAGIC_NUMBER = MAGIC.readUInt32LE(0);
const HEADER = 12;
/** Records per write when a log is rewritten. */
const BATCH = 64;
const NOTHING = Buffer.alloc(0);
const CHUNK = 4 * 1024 * 1024;
/**
 * How many bytes of a log may follow its index before the index is written again, which requires reading the whole log.
 */
const mayLackIndex = (length: number): number => Math.min(2 ** 20, Math.max(2 ** 16, length / 8));

export class RecordLog {
  readonly #path: string;
  readonly #name: string;
  #file: number | undefined;
  #writable = false;
  /** Inode of the file that is open for writing. */
  #writing: number | undefined;
  /** How far the log has been read. */
  #end = 0;
  /** Offsets of the records read so far, without those in the index. */
  readonly #offsets = new RecordOffsets();
  /** Records appended by this process since the log was last read. */
  #appended = new Appended();
  readonly #indexPath: string | undefined;
  #lost: unknown;
  /** Index of the first part of the log. */
  #index: RecordIndex | undefined;

  /**
   * `name` is the log's name for fault injection. `indexPath`: where an index of the newest records is kept. Opens
   * nothing yet.
   */
  constructor(path: string, name: string, indexPath?: string) {
    this.#path = path;
    this.#name = name;
    this.#indexPath = indexPath;
  }

  /** Values recorded for a key, newest first. Damaged ones are left out; of indexed ones only one is returned. */
  get(key: string): Iterable<string> {
    const hash = hashOf(key);
    // Fast path: a first build often looks up keys that were never written.
    return this.#index === undefined && !this.#offsets.has(hash) ? [] : this.#getEach(key, hash);
  }

  /** Why records were lost, once: the disk did not give them back. */
  takeLost(): unknown {
    const lost = this.#lost;
    this.#lost = undefined;
    return lost;
  }

  /** Reads of the log. If the disk does not give it back, it is removed, and nothing is known any more. */
  #reading<T>(read: () => T, otherwise: T): T {
    try {
      return onFile(this.#path, read);
    } catch (error) {
      if (!isLossOfData(error)) throw error;
      this.#lost = error;
      this.#startOver();
      rmSync(this.#path, { force: true });
      return otherwise;
    }
  }

  *#getEach(key: string, hash: number): Generator<string> {
    yield* this.#readEach(key, this.#offsets.find(hash));
    if (this.#index === undefined) return;
    const { end } = this.#index;
    let damaged = false;
    for (const offset of this.#index.find(key)) {
      const value = offset === undefined ? undefined : this.#read(offset, key);
      if (value !== undefined) {
        yield value;
        return;
      }
      damaged = true;
    }
    if (!damaged) return;
    this.#reading(() => this.#readAll(), undefined);
    yield* this.#readEach(
      key,
      [...this.#offsets.find(hash)].filter((offset) => offset < end),
    );
  }

  *#readEach(key: string, offsets: Iterable<number>): Generator<string> {
    for (const offset of offsets) {
      const value = this.#read(offset, key);
      if (value !== undefined) yield value;
    }
  }

  /**
   * Like `refresh` and `get`, but searches the bytes: faster for a log that is asked for so few keys that noting all
   * offsets would take longer.
   */
  *search(key: string): Generator<string> {
    const bytes = this.#reading(() => this.#allBytes(), NOTHING);
    const wanted = Buffer.from(`${key}\0`, "utf8");
    for (let at = bytes.length; at > HEADER; ) {
      at = bytes.lastIndexOf(wanted, at - 1);
      const value = at < HEADER ? undefined : valueIn(bytes.subarray(at - HEADER), key);
      if (value !== undefined) yield value;
    }
  }

  #allBytes(): Buffer {
    const file = this.#reader();
    return file === undefined ? NOTHING : readFully(file, 0, fstatSync(file).size);
  }

  /** All keys, each once. Reads the whole log. */
  keys(): IterableIterator<string> {
    const keys = new Set<string>();
    const note: OnRecord = (bytes, start, end) => void keys.add(bytes.toString("utf8", start, end));
    this.#reading(() => {
      if (this.#file !== undefined) scanRecords(this.#file, 0, this.#end, note);
    }, undefined);
    return keys.values();
  }

  /** Upper bound of the number of keys. */
  get keyCount(): number {
    return (this.#index?.keys ?? 0) + this.#offsets.keys;
  }

  /** Records on disk, including superseded ones. */
  get records(): number {
    return (this.#index?.records ?? 0) + this.#offsets.records;
  }

  /** Appends records with one write. They are found after the next `refresh`. `durable`: they survive a power loss. */
  append(records: readonly (readonly [key: string, json: string])[], durable = false): void {
    onFile(this.#path, () => this.#append(records, durable));
  }

  #append(records: readonly (readonly [key: string, json: string])[], durable: boolean): void {
    const bytes = encode(records);
    fault(`${this.#name}:before-append`);
    let file = this.#writer();
    this.#write(file, records, bytes);
    // Checked after the write: records written to a log that another process has replaced are lost, unless it saw them.
    while (!this.#isInPlace()) {
      this.#startOver();
      file = this.#writer();
      this.#write(file, records, bytes);
    }
    fault(`${this.#name}:after-append`);
    if (!durable) return;
    fsyncSync(file);
    fault(`${this.#name}:after-fsync`);
  }

  #write(file: number, records: readonly (readonly [key: string, json: string])[], bytes: Buffer): void {
    fault(`${this.#name}:torn-append`, () => writeSync(file, bytes, 0, bytes.length >> 1));
    if (writeSync(file, bytes) === bytes.length) this.#appended.add(records, bytes);
    else {
      // A short write leaves a torn record; writing the rest would not help if another arc wrote in between.
      this.#appended.forget();
      writeSync(file, bytes);
    }
  }

  /** Finds what this or another process appended since the last call. */
  refresh(): void {
    this.#reading(() => this.#refresh(), undefined);
  }

  #refresh(): void {
    const file = this.#reader();
    if (file === undefined) return;
    const { size, ino } = fstatSync(file);
    if (this.#end === 0 && this.#indexPath !== undefined) {
      const index = RecordIndex.read(this.#indexPath);
      if (index?.ino === ino && index.end <= size) {
        this.#index = index;
        this.#end = index.end;
      }
    }
    this.#scanTo(file, size);
  }

  #scanTo(file: number, size: number): void {
    const isOurs = this.#appended.noteAll(this.#end, size, this.#offsets);
    this.#end = isOurs
      ? size
      : scanRecords(file, this.#end, size, (bytes, start, end, offset) =>
          this.#offsets.note(hashOf(bytes.toString("utf8", start, end)), offset),
        );
  }

  /** Reads the part that the index covers. */
  #readAll(): void {
    if (this.#index === undefined) return;
    this.#forget();
    const file = this.#file as number;
    this.#scanTo(file, fstatSync(file).size);
  }

  /** Writes the index if it saves the next process much work. A failure costs only time. */
  saveIndex(): void {
    if (this.#indexPath === undefined || this.#file === undefined) return;
    if (this.#end - (this.#index?.end ?? 0) < mayLackIndex(this.#end)) return;
    this.#reading(() => this.#readAll(), undefined);
    if (this.#file === undefined) return;
    const { ino } = fstatSync(this.#file);
    try {
      // Another process may have replaced the log.
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== ino) return;
      writeRecordIndex(this.#indexPath, { ino, end: this.#end }, this.#offsets);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }

  /** Replaces all records that were found. What another process appends meanwhile stays. */
  rewrite(records: Iterable<readonly [key: string, json: string]>): void {
    onFile(this.#path, () => this.#rewrite(records));
  }

  #rewrite(records: Iterable<readonly [key: string, json: string]>): void {
    const temporary = `${this.#path}.${uniqueName()}`;
    const fresh = new RecordLog(temporary, `${this.#name}-rewrite`);
    let carried = this.#end;
    const carryRest = (): void => {
      if (this.#file === undefined) return;
      const { size } = fstatSync(this.#file);
      if (size > carried) writeSync(fresh.#writer(), readFully(this.#file, carried, size - carried));
      carried = size;
    };
    try {
      let batch: (readonly [string, string])[] = [];
      for (const record of records) {
        batch.push(record);
        if (batch.length < BATCH) continue;
        fresh.append(batch);
        batch = [];
      }
      fresh.append(batch);
      carryRest();
      // The new file may get the inode number that the index was made for.
      if (this.#indexPath !== undefined) rmSync(this.#indexPath, { force: true });
      fault(`${this.#name}:before-rename`);
      renameSync(temporary, this.#path);
      fault(`${this.#name}:after-rename`);
      // Processes that write after this notice that the log was replaced.
      carryRest();
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    } finally {
      fresh.close();
    }
    this.#startOver();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#writable = false;
  }

  /** Undefined when there is no readable log yet. */
  #reader(): number | undefined {
    if (this.#file !== undefined) return this.#file;
    // Checked first: there are many logs, and before the first build most do not exist.
    if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return undefined;
    try {
      this.#file = openOwnFile(this.#path);
    } catch (error) {
      if (error instanceof NoFile) throw this.#inTheWay();
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    return this.#file;
  }

  #writer(): number {
    if (this.#file !== undefined && this.#writable) return this.#file;
    const there = statSync(this.#path, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile()) throw this.#inTheWay();
    const file = openSync(this.#path, "a+", 0o644);
    const { ino } = fstatSync(file);
    if (this.#file !== undefined) {
      // What was read so far may belong to a log that was replaced since.
      const isSame = fstatSync(this.#file).ino === ino;
      closeSync(this.#file);
      if (!isSame) this.#forget();
    }
    this.#file = file;
    this.#writable = true;
    this.#writing = ino;
    return file;
  }

  #inTheWay(): EngineError {
    return new EngineError(
      "log-unusable",
      `${this.#path} is no file: something else lies where arc keeps its records`,
      `remove it: rm -r ${this.#path}`,
    );
  }

  /** Whether the log open for writing is still the one that others read. */
  #isInPlace(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#writing;
  }

  #startOver(): void {
    this.close();
    this.#forget();
  }

  /** Forgets everything that was read. */
  #forget(): void {
    this.#index = undefined;
    this.#end = 0;
    this.#offsets.clear();
    this.#appended = new Appended();
  }

  #read(offset: number, key: string): string | undefined {
    return this.#reading(() => this.#readAt(offset, key), undefined);
  }

  #readAt(offset: number, key: string): string | undefined {
    const file = this.#file;
    // The log was lost.
    if (file === undefined) return undefined;
    // Most records fit into one read.
    let bytes = readFully(file, offset, 2048);
    if (bytes.length < HEADER || bytes.readUInt32LE(0) !== MAGIC_NUMBER) return undefined;
    const end = HEADER + bytes.readUInt32LE(4);
    if (end > bytes.length) bytes = readFully(file, offset, end);
    return valueIn(bytes, key);
  }
}

/** Records that this process appended: if no other process wrote, their offsets are known without reading them back. */
class Appended {
  readonly #hashes: number[] = [];
  readonly #lengths: number[] = [];
  #bytes = 0;

  add(records: readonly (readonly [key: string, json: string])[], bytes: Buffer): void {
    let at = 0;
    for (const [key] of records) {
      const length = HEADER + bytes.readUInt32LE(at + 4);
      this.#hashes.push(hashOf(key));
      this.#lengths.push(length);
      at += length;
    }
    this.#bytes += bytes.length;
  }

  /** Their offsets are unknown from now on. */
  forget(): void {
    this.#bytes = Number.NaN;
  }

  /** Notes the records if they are everything between two offsets of the log; returns whether they are. */
  noteAll(start: number, end: number, offsets: RecordOffsets): boolean {
    const isAll = this.#bytes === end - start;
    let at = start;
    for (let number = 0; isAll && number < this.#hashes.length; number += 1) {
      offsets.note(this.#hashes[number] as number, at);
      at += this.#lengths[number] as number;
    }
    this.#hashes.length = 0;
    this.#lengths.length = 0;
    this.#bytes = 0;
    return isAll;
  }
}

/** Encodes records in one piece, for one write. */
function encode(records: readonly (readonly [key: string, json: string])[]): Buffer {
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
type OnRecord = (bytes: Buffer, start: number, end: number, offset: number) => void;

/** Reads the records from an offset up to the size of the file; returns how far it came. */
function scanRecords(file: number, from: number, size: number, onRecord: OnRecord): number {
  let at = from;
  while (at < size) {
    const want = Math.min(size - at, CHUNK);
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
  const resync = (): boolean => {
    const next = bytes.indexOf(MAGIC, at + 1);
    if (next === -1) return false;
    at = next;
    return true;
  };
  while (at + HEADER <= bytes.length) {
    if (bytes.readUInt32LE(at) !== MAGIC_NUMBER) {
      if (resync()) continue;
      return Math.max(at, bytes.length - MAGIC.length + 1);
    }
    const end = at + HEADER + bytes.readUInt32LE(at + 4);
    // A record that would end beyond the file is torn, or still being written by another process.
    if (offset + end > size) {
      if (resync()) continue;
      return at;
    }
    if (end > bytes.length) return at;
    const separator = bytes.indexOf(0, at + HEADER);
    if (separator === -1 || separator >= end) {
      if (resync()) continue;
      return end;
    }
    // A torn record, even one of which only a part of the header was written, may have swallowed the start of the next.
    const inner = bytes.indexOf(MAGIC, at + MAGIC.length);
    if (inner !== -1 && inner < end && !isWhole(bytes, at, end)) {
      at = inner;
      continue;
    }
    onRecord(bytes, at + HEADER, separator, offset + at);
    at = end;
  }
  return at;
}

function isWhole(bytes: Buffer, at: number, end: number): boolean {
  return checksum(bytes.subarray(at + HEADER, end)).equals(bytes.subarray(at + 8, at + HEADER));
}

/** The value of the record at the start of `bytes`; undefined unless it is intact and has this key. */
function valueIn(bytes: Buffer, key: string): string | undefined {
  if (bytes.length < HEADER || bytes.readUInt32LE(0) !== MAGIC_NUMBER) return undefined;
  const end = HEADER + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const payload = bytes.subarray(HEADER, end);
  if (!checksum(payload).equals(bytes.subarray(8, HEADER))) return undefined;
  const text = payload.toString("utf8");
  return text.startsWith(`${key}\0`) ? text.slice(key.length + 1) : undefined;
}

function readFully(file: number, position: number, length: number): Buffer {
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
