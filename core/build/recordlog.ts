/**
 * An append-only file of records found by key, newest first. An append is one write, so several
 * processes may share a log; a record that a crash or a full disk tore is skipped over. Records are
 * parsed when asked for: the memory holds only where they are.
 *
 * Record: magic (4 bytes), length of the payload (u32), checksum (first 4 bytes of its SHA-256), payload
 * (key, NUL, JSON).
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
import { errnoOf } from "./error.ts";
import { fault } from "./fault.ts";
import { RecordIndex, writeRecordIndex } from "./recordindex.ts";
import { sha256 } from "./sha256.ts";
import { uniqueName } from "./unique.ts";

const MAGIC = Buffer.from("arc\n", "latin1");
const MAGIC_NUMBER = MAGIC.readUInt32LE(0);
const HEADER = 12;
/** So many records are written at once when a log is rewritten. */
const BATCH = 64;
const CHUNK = 4 * 1024 * 1024;
/** An index is written anew when so many bytes of the log came after it. */
const UNINDEXED = 1024 * 1024;

export class RecordLog {
  readonly #path: string;
  readonly #name: string;
  #file: number | undefined;
  #writable = false;
  /** Inode of the file that is open for writing. */
  #writing: number | undefined;
  /** How far the log has been read. */
  #end = 0;
  /** Offsets of a key's records: one, or several, oldest first. */
  readonly #offsets = new Map<string, number | number[]>();
  #records = 0;
  readonly #indexPath: string | undefined;
  /** Of the first part of the log; its keys are in `#offsets` only if they were written again since. */
  #index: RecordIndex | undefined;

  /**
   * `name` is what fault injection calls it. `indexPath`: an index of the newest records is kept there. Opens
   * nothing yet.
   */
  constructor(path: string, name: string, indexPath?: string) {
    this.#path = path;
    this.#name = name;
    this.#indexPath = indexPath;
  }

  /** Values recorded for a key, newest first; damaged ones are left out. */
  *get(key: string): Generator<string> {
    let offsets = this.#offsets.get(key);
    if (offsets === undefined && this.#index !== undefined) {
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
      this.#readAll();
      offsets = this.#offsets.get(key);
    }
    if (offsets === undefined) return;
    const all = typeof offsets === "number" ? [offsets] : offsets;
    for (let at = all.length - 1; at >= 0; at -= 1) {
      const value = this.#read(all[at] as number, key);
      if (value !== undefined) yield value;
    }
  }

  /**
   * The same as after `refresh`, looked for in the bytes: for a log that is asked for so few keys that noting where
   * all records are takes longer.
   */
  *search(key: string): Generator<string> {
    const file = this.#reader();
    if (file === undefined) return;
    const bytes = readFully(file, 0, fstatSync(file).size);
    const wanted = Buffer.from(`${key}\0`, "utf8");
    for (let at = bytes.length; at > HEADER; ) {
      at = bytes.lastIndexOf(wanted, at - 1);
      const value = at < HEADER ? undefined : valueIn(bytes.subarray(at - HEADER), key);
      if (value !== undefined) yield value;
    }
  }

  keys(): IterableIterator<string> {
    this.#readAll();
    return this.#offsets.keys();
  }

  /** At most so many keys are there. */
  get keyCount(): number {
    return (this.#index?.keys ?? 0) + this.#offsets.size;
  }

  /** Records on disk, superseded ones included. */
  get records(): number {
    return this.#records;
  }

  /**
   * Appends records with one write. They are found after the next `refresh`. `durable`: they survive a loss
   * of power.
   */
  append(records: readonly (readonly [key: string, json: string])[], durable = false): void {
    const parts: Buffer[] = [];
    for (const [key, json] of records) {
      const payload = Buffer.from(`${key}\0${json}`, "utf8");
      const header = Buffer.allocUnsafe(HEADER);
      header.writeUInt32LE(MAGIC_NUMBER, 0);
      header.writeUInt32LE(payload.length, 4);
      checksum(payload).copy(header, 8);
      parts.push(header, payload);
    }
    fault(`${this.#name}:before-append`);
    const bytes = Buffer.concat(parts);
    const file = this.#writer();
    fault(`${this.#name}:torn-append`, () => writeSync(file, bytes, 0, bytes.length >> 1));
    let written = writeSync(file, bytes);
    // A short write leaves a torn record; the rest would be torn, too, if another arc wrote in between.
    if (written < bytes.length) written = writeSync(file, bytes);
    fault(`${this.#name}:after-append`);
    if (!durable) return;
    fsyncSync(file);
    fault(`${this.#name}:after-fsync`);
  }

  /** Finds what was appended since the last call, by this process or another. */
  refresh(): void {
    const file = this.#reader();
    if (file === undefined) return;
    const { size, ino } = fstatSync(file);
    if (this.#end === 0 && this.#indexPath !== undefined) {
      const index = RecordIndex.read(this.#indexPath);
      if (index?.ino === ino && index.end <= size) {
        this.#index = index;
        this.#end = index.end;
        this.#records = index.records;
      }
    }
    this.#scanTo(file, size);
  }

  #scanTo(file: number, size: number): void {
    while (this.#end < size) {
      const want = Math.min(size - this.#end, CHUNK);
      const taken = this.#scan(readFully(file, this.#end, want), size);
      if (taken === 0) {
        // One record is longer than the chunk, or the tail is not whole yet.
        if (want === size - this.#end) return;
        const whole = this.#scan(readFully(file, this.#end, size - this.#end), size);
        if (whole === 0) return;
        this.#end += whole;
      } else this.#end += taken;
    }
  }

  /** Reads what the index spared. */
  #readAll(): void {
    if (this.#index === undefined) return;
    this.#forget();
    const file = this.#file as number;
    this.#scanTo(file, fstatSync(file).size);
  }

  /** Writes the index where that spares the next process much. What fails costs it time, nothing else. */
  saveIndex(): void {
    if (this.#indexPath === undefined || this.#file === undefined) return;
    if (this.#end - (this.#index?.end ?? 0) < UNINDEXED) return;
    this.#readAll();
    const newest = new Map<string, number>();
    for (const [key, offsets] of this.#offsets)
      newest.set(key, typeof offsets === "number" ? offsets : (offsets.at(-1) as number));
    const { ino } = fstatSync(this.#file);
    try {
      // Another process may have put another log in this one's place.
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== ino) return;
      writeRecordIndex(this.#indexPath, { ino, end: this.#end, records: this.#records }, newest);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }

  /** Puts other records in place of all there are. What another process appends meanwhile may be lost. */
  rewrite(records: Iterable<readonly [key: string, json: string]>): void {
    const temporary = `${this.#path}.${uniqueName()}`;
    const fresh = new RecordLog(temporary, `${this.#name}-rewrite`);
    try {
      let batch: (readonly [string, string])[] = [];
      for (const record of records) {
        batch.push(record);
        if (batch.length < BATCH) continue;
        fresh.append(batch);
        batch = [];
      }
      fresh.append(batch);
      fresh.close();
      // The new file may come to have the number of one that the index was of.
      if (this.#indexPath !== undefined) rmSync(this.#indexPath, { force: true });
      fault(`${this.#name}:before-rename`);
      renameSync(temporary, this.#path);
      fault(`${this.#name}:after-rename`);
    } catch (error) {
      fresh.close();
      rmSync(temporary, { force: true });
      throw error;
    }
    this.#startOver();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#writable = false;
  }

  /** Undefined when there is no log yet, or none that may be read. */
  #reader(): number | undefined {
    if (this.#file !== undefined) return this.#file;
    // Asked first: there are many logs, and most are not there before the first build.
    if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return undefined;
    try {
      this.#file = openSync(this.#path, "r");
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
    }
    return this.#file;
  }

  #writer(): number {
    if (this.#file !== undefined && this.#writable) {
      // Rewritten by another process: what was appended to the old file would be lost.
      const there = statSync(this.#path, { throwIfNoEntry: false });
      if (there?.ino === this.#writing) return this.#file;
      this.#startOver();
    }
    const file = openSync(this.#path, "a+", 0o644);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = file;
    this.#writable = true;
    this.#writing = fstatSync(file).ino;
    return file;
  }

  #startOver(): void {
    this.close();
    this.#forget();
  }

  /** As if nothing had been read. */
  #forget(): void {
    this.#index = undefined;
    this.#end = 0;
    this.#records = 0;
    this.#offsets.clear();
  }

  /** Notes the records in `bytes`; returns how many bytes are done with. */
  #scan(bytes: Buffer, size: number): number {
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
      if (this.#end + end > size) {
        if (resync()) continue;
        return at;
      }
      if (end > bytes.length) return at;
      const separator = bytes.indexOf(0, at + HEADER);
      if (separator === -1 || separator >= end) {
        if (resync()) continue;
        return end;
      }
      // A torn record may have swallowed the start of the next one.
      const inner = bytes.indexOf(MAGIC, at + HEADER);
      if (inner !== -1 && inner < end && !this.#isWhole(bytes, at, end)) {
        at = inner;
        continue;
      }
      this.#note(bytes.toString("utf8", at + HEADER, separator), this.#end + at);
      at = end;
    }
    return at;
  }

  #isWhole(bytes: Buffer, at: number, end: number): boolean {
    return checksum(bytes.subarray(at + HEADER, end)).equals(bytes.subarray(at + 8, at + HEADER));
  }

  #note(key: string, offset: number): void {
    this.#records += 1;
    const known = this.#offsets.get(key);
    if (known === undefined) this.#offsets.set(key, offset);
    else if (typeof known === "number") this.#offsets.set(key, [known, offset]);
    else known.push(offset);
  }

  #read(offset: number, key: string): string | undefined {
    const file = this.#file as number;
    // Most records fit, so that one read does.
    let bytes = readFully(file, offset, 2048);
    if (bytes.length < HEADER || bytes.readUInt32LE(0) !== MAGIC_NUMBER) return undefined;
    const end = HEADER + bytes.readUInt32LE(4);
    if (end > bytes.length) bytes = readFully(file, offset, end);
    return valueIn(bytes, key);
  }
}

/** Of the record that bytes begin with; undefined unless it is whole and the key's. */
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
