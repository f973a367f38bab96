/**
 * An append-only file of records found by key, newest first. An append is one write, so several processes may share a
 * log; a record torn by a crash or a full disk is skipped. Records are parsed on request: memory holds only their
 * offsets.
 */
import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { NoFile, openOwnFile } from "../files/own-file.ts";
import { hashOf, RecordOffsets } from "../files/record-offsets.ts";
import { uniqueName } from "../files/unique.ts";
import { EngineError } from "../model/error.ts";
import { fault } from "../model/fault.ts";
import { errnoOf, isLossOfData, onFile } from "../model/system-error.ts";
import { AppendedRecords } from "./appended-records.ts";
import { encode, findRecords, type OnRecord, readFully, readRecord, scanRecords } from "./record-bytes.ts";
import { RecordIndex, writeRecordIndex } from "./record-index.ts";
import { shareNewFile } from "./shared-store.ts";

/** Records per write when a log is rewritten. */
const BATCH = 64;
const NOTHING = Buffer.alloc(0);
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
  #appended = new AppendedRecords();
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
    yield* findRecords(
      this.#reading(() => this.#allBytes(), NOTHING),
      key,
    );
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

  /** About how many bytes of the log are of use: what follows the index is taken to supersede what it can. */
  get usefulBytes(): number {
    const { end, superseded } = this.#index ?? { end: 0, superseded: 0 };
    return Math.max(end - superseded, this.#end - end - this.#offsets.superseded);
  }

  /** Bytes of the log. */
  get bytes(): number {
    return this.#end;
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
    if (there === undefined) shareNewFile(file, this.#path);
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
    this.#appended = new AppendedRecords();
  }

  #read(offset: number, key: string): string | undefined {
    return this.#reading(() => this.#readAt(offset, key), undefined);
  }

  #readAt(offset: number, key: string): string | undefined {
    const file = this.#file;
    // The log was lost.
    if (file === undefined) return undefined;
    return readRecord(file, offset, key);
  }
}
