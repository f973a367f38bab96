/** Writes the files that `up-to-date.ts` reads, and reads the part that only a real build needs: digests. */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { bootIdentity, ON_DISK_MS } from "../files/boot.ts";
import type { FileEntries } from "../files/file-rows.ts";
import type { FileEntry } from "../files/files.ts";
import { makeFolders } from "../files/folders.ts";
import { PathIndex, pathIndexBytes, writePathIndex } from "../files/path-index.ts";
import { encodePatch, type StampChange } from "../files/stamp-patch.ts";
import { uniqueName } from "../files/unique.ts";
import {
  ABSENT,
  ANY_SIZE,
  ANY_TIME,
  alignedTo8,
  HEADER,
  HEADER_DOUBLES,
  MAGIC,
  ROW_DOUBLES,
  readStampRows,
  type StampRows,
  sumOfHot,
} from "../files/up-to-date.ts";
import { SUM_BYTES, sumOf } from "../key/result.ts";
import { wordSum } from "../key/word-sum.ts";
import type { Digest } from "../model/action.ts";
import { fault } from "../model/fault.ts";
import type { Depend, FileStamp } from "../model/stat-signature.ts";
import { errnoOf, onFile } from "../model/system-error.ts";
import { native } from "../native/native.ts";
import type { ActionRecord } from "./state.ts";

/** How many kinds of calls keep their stamps. */
const KEPT = 8;

const DIGEST_BYTES = 32;
const FLAG = { executable: 1, digest: 2, racy: 4, mustExist: 8 } as const;

export interface StampFileContent {
  readonly context: string;
  readonly summary: string;
  /** Text of the caller, without NUL. */
  readonly carry: string;
  /** Identity of the graph; 0 when none can be resumed. */
  readonly graph: number;
  /** What decides the graph itself, with stamps taken before it was read. */
  readonly depends: ReadonlyMap<string, Depend>;
  readonly entries: FileEntries;
  /** For each action of the graph the checksum of its result (`sumOf`); 0: it has none. */
  readonly sums: Float64Array;
  /** One byte per action of the graph: its meaning for this kind of call (`WANT`); empty: all are done. */
  readonly wanted: Uint8Array;
}

/**
 * Layout of the part that only this module reads: an index of the paths, digests, flags; for each action its checksum
 * and `WANT` byte.
 */
function coldLayout(
  rows: number,
  actions: number,
): { digestsAt: number; flagsAt: number; sumsAt: number; wantedAt: number } {
  const digestsAt = pathIndexBytes(rows);
  const flagsAt = digestsAt + rows * DIGEST_BYTES;
  const sumsAt = flagsAt + rows;
  return { digestsAt, flagsAt, sumsAt, wantedAt: sumsAt + actions * SUM_BYTES };
}

export function writeStampFile(file: string, content: StampFileContent): void {
  const { entries } = content;
  // A path that must only exist, and is looked at anyway, needs no row of its own.
  const depends = new Map(
    [...content.depends].filter(([path, depend]) => depend !== "exists" || !entries.has(path)),
  );
  const paths = [...depends.keys()];
  for (const path of entries.keys()) if (!depends.has(path)) paths.push(path);
  const rows = paths.length;
  const stamps = new Float64Array(rows * ROW_DOUBLES);
  const { digestsAt, flagsAt, sumsAt, wantedAt } = coldLayout(rows, content.sums.length);
  const cold = Buffer.alloc(wantedAt + content.wanted.length);
  cold.set(writePathIndex(paths));
  for (const [row, path] of paths.entries()) {
    const entry = entries.get(path);
    stamps.set(depends.has(path) ? rowOfDepend(depends.get(path)) : rowOfEntry(entry), row * ROW_DOUBLES);
    const must = content.depends.get(path) === "exists" ? FLAG.mustExist : 0;
    if (entry?.digest !== undefined) cold.write(entry.digest, digestsAt + row * DIGEST_BYTES, "hex");
    cold[flagsAt + row] = must | flagsOf(entry);
  }
  for (const [number, sum] of content.sums.entries()) {
    cold.writeUIntLE(sum, sumsAt + number * SUM_BYTES, SUM_BYTES);
  }
  cold.set(content.wanted, wantedAt);
  const text = Buffer.from(
    `${[content.context, content.summary, content.carry, ...paths].join("\0")}\0`,
    "utf8",
  );
  const header = new Float64Array(HEADER_DOUBLES);
  header[HEADER.rows] = rows;
  header[HEADER.depends] = depends.size;
  header[HEADER.ascii] = paths.every(isAscii) ? 1 : 0;
  header[HEADER.graph] = content.graph;
  header[HEADER.actions] = content.sums.length;
  writeWhole(file, header, [stamps, text, cold]);
}

/** Texts of a stamp file that change although its paths stay. */
export interface StampTexts {
  readonly summary: string;
  readonly carry: string;
  readonly graph: number;
}

/** How many bytes may be appended to a file before it is written again as a whole. */
const mayBeAppended = (written: number): number => Math.max(4096, written / 16);

/** Updates entries of some paths and checksums of some actions. False when a path has no row. */
export function patchStampFile(
  memory: StampMemory,
  entries: ReadonlyMap<string, FileEntry | undefined>,
  sums: ReadonlyMap<number, number>,
  texts: StampTexts,
): boolean {
  const { rows } = memory;
  const changes: StampChange[] = [];
  for (const [path, entry] of entries) {
    const row = memory.rowOf(path);
    if (row === undefined || row < rows.depends) return false;
    const change = memory.change(row, entry);
    if (!memory.has(change)) changes.push(change);
  }
  for (const [number, sum] of sums) {
    if (memory.sum(number) !== sum) changes.push(changeOfSum(rows, number, sum));
  }
  if (hasTexts(rows, texts) && appendChanges(rows, changes)) return true;
  for (const change of changes) memory.apply(change);
  const words = Buffer.from(`${[rows.context, texts.summary, texts.carry].join("\0")}\0`, "utf8");
  const header = new Float64Array(HEADER_DOUBLES);
  header[HEADER.rows] = rows.count;
  header[HEADER.depends] = rows.depends;
  header[HEADER.ascii] = rows.isAscii ? 1 : 0;
  header[HEADER.graph] = texts.graph;
  header[HEADER.actions] = rows.actions;
  writeWhole(rows.file, header, [rows.stamps, Buffer.concat([words, rows.text]), memory.cold]);
  return true;
}

function hasTexts(rows: StampRows, { summary, carry, graph }: StampTexts): boolean {
  return rows.summary === summary && rows.carry === carry && rows.graph === graph;
}

/** False if the file must be written as a whole. */
function appendChanges({ file, size }: StampRows, changes: readonly StampChange[]): boolean {
  if (changes.length === 0) return true;
  const patch = encodePatch(changes);
  if (size.known + patch.length - size.written > mayBeAppended(size.written)) return false;
  let descriptor: number;
  try {
    descriptor = openSync(file, "r+");
  } catch {
    return false;
  }
  const append = (bytes: number): number => writeSync(descriptor, patch, 0, bytes, size.known);
  try {
    // A torn record, or another process wrote meanwhile. The file is not truncated, as it may be mapped.
    if (size.known !== size.file || fstatSync(descriptor).size !== size.known) return false;
    fault("stamps:before-append", () => void append(patch.length >> 1));
    const isWhole = append(patch.length) === patch.length;
    fault("stamps:after-append");
    return isWhole;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  } finally {
    closeSync(descriptor);
  }
}

/** An action's checksum as a change of a row after all others. */
function changeOfSum({ count }: StampRows, number: number, sum: number): StampChange {
  const digest = Buffer.alloc(DIGEST_BYTES);
  digest.writeUIntLE(sum, 0, SUM_BYTES);
  return { row: count + number, flags: 0, stamp: [0, 0, 0, 0], digest };
}

function flagsOf(entry: FileEntry | undefined): number {
  return (
    (entry?.executable ? FLAG.executable : 0) |
    (entry?.racy ? FLAG.racy : 0) |
    (entry?.digest === undefined ? 0 : FLAG.digest)
  );
}

const UNTRUSTED = [0, 0, 0, Number.NaN];

function rowOfEntry(entry: FileEntry | undefined): readonly number[] {
  return entry?.racy ? UNTRUSTED : rowOfDepend(entry?.stamp);
}

function rowOfDepend(depend: Depend): readonly number[] {
  if (depend === null) return UNTRUSTED;
  if (depend === undefined) return [0, 0, 0, ABSENT];
  if (depend === "exists") return [ANY_TIME, ANY_TIME, ANY_SIZE, 0];
  return [depend.mtimeMs, depend.ctimeMs, depend.size, depend.ino];
}

function bytesOf(array: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  return /^[\x00-\x7f]*$/.test(text);
}

/** Writes header, stamps, text and cold part, after completing the header. */
function writeWhole(
  file: string,
  header: Float64Array,
  [stamps, text, cold]: readonly [Float64Array, Uint8Array, Uint8Array],
): void {
  header[HEADER.magic] = MAGIC;
  header[HEADER.boot] = bootIdentity();
  header[HEADER.textBytes] = text.length;
  header[HEADER.coldBytes] = cold.length;
  header[HEADER.coldSum] = sumOfCold(cold);
  const hot = new Uint8Array(stamps.byteLength + alignedTo8(text.length));
  hot.set(bytesOf(stamps));
  hot.set(text, stamps.byteLength);
  header[HEADER.sum] = sumOfHot(new Uint8Array(header.buffer as ArrayBuffer), hot, native);
  const parts = [bytesOf(header), hot, cold, new Uint8Array(alignedTo8(cold.length) - cold.length)];
  makeFolders(dirname(file));
  const temporary = `${file}.${uniqueName()}`;
  fault("stamps:before-write");
  const descriptor = openSync(temporary, "wx");
  try {
    for (const part of parts) {
      for (let at = 0; at < part.length; ) at += onFile(temporary, () => writeSync(descriptor, part, at));
      fault("stamps:between-writes");
    }
    fault("stamps:before-rename");
    renameSync(temporary, file);
    fault("stamps:after-rename");
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The last one to three bytes are summed one by one. */
function sumOfCold({ buffer, byteOffset, length }: Uint8Array): number {
  const words = length >> 2;
  const isAligned = byteOffset % 4 === 0;
  const aligned = isAligned ? buffer : buffer.slice(byteOffset, byteOffset + length);
  const sum = wordSum(new Uint32Array(aligned, isAligned ? byteOffset : 0, words), native);
  return wordSum(Uint32Array.from(new Uint8Array(buffer, byteOffset + 4 * words, length % 4)), native, sum);
}

/** When the last of all these files changed, which is a lower bound of the time until which the machine ran. */
function newestChange(stamps: Float64Array): number {
  let newest = 0;
  for (let at = 1; at < stamps.length; at += ROW_DOUBLES) newest = Math.max(newest, stamps[at] || 0);
  return newest;
}

/** The rows' knowledge about paths, with their digests. */
export class StampMemory {
  readonly rows: StampRows;
  readonly cold: Buffer;
  readonly #layout: ReturnType<typeof coldLayout>;
  readonly #index: PathIndex;
  /** Files changed after this time (the file system's clock, ms) may have lost their bytes in a power loss. */
  readonly #onDiskBefore: number;

  private constructor(rows: StampRows) {
    this.rows = rows;
    this.cold = rows.cold;
    this.#layout = coldLayout(rows.count, rows.actions);
    this.#index = new PathIndex(rows.text, this.cold, rows.count);
    for (const change of rows.changes) this.apply(change);
    this.#onDiskBefore =
      rows.boot === bootIdentity() ? Number.POSITIVE_INFINITY : newestChange(rows.stamps) - ON_DISK_MS;
  }

  /** Undefined when the rows are damaged. */
  static of(rows: StampRows): StampMemory | undefined {
    const isWhole =
      rows.cold.length >= coldLayout(rows.count, rows.actions).wantedAt &&
      sumOfCold(rows.cold) === rows.coldSum;
    return isWhole ? new StampMemory(rows) : undefined;
  }

  /** The change that turns a row into an entry. */
  change(row: number, entry: FileEntry | undefined): StampChange {
    const flags = (this.#flags(row) & FLAG.mustExist) | flagsOf(entry);
    const digest =
      entry?.digest === undefined ? new Uint8Array(DIGEST_BYTES) : Buffer.from(entry.digest, "hex");
    return { row, flags, stamp: rowOfEntry(entry), digest };
  }

  /** Whether the row already has these values. */
  has({ row, flags, stamp, digest }: StampChange): boolean {
    const [at, digestAt] = [row * ROW_DOUBLES, this.#layout.digestsAt + row * DIGEST_BYTES];
    return (
      flags === this.#flags(row) &&
      this.rows.stamps.subarray(at, at + ROW_DOUBLES).every((number, field) => number === stamp[field]) &&
      this.cold.subarray(digestAt, digestAt + DIGEST_BYTES).equals(digest)
    );
  }

  apply({ row, flags, stamp, digest }: StampChange): void {
    if (row >= this.rows.count) {
      this.cold.set(digest.subarray(0, SUM_BYTES), this.#sumAt(row - this.rows.count));
      return;
    }
    this.rows.stamps.set(stamp, row * ROW_DOUBLES);
    this.cold[this.#layout.flagsAt + row] = flags;
    this.cold.set(digest, this.#layout.digestsAt + row * DIGEST_BYTES);
  }

  /** The entry of a path; undefined when it has no row, or was absent. */
  entry(path: string): FileEntry | undefined {
    const row = this.rowOf(path);
    return row === undefined ? undefined : this.#entryAt(row);
  }

  *entries(): Generator<[string, FileEntry | undefined]> {
    for (let row = this.rows.depends; row < this.rows.count; row += 1) {
      yield [this.path(row), this.#entryAt(row)];
    }
  }

  path(row: number): string {
    return this.#index.path(row);
  }

  /** One `WANT` byte per action of the graph; empty: all are done. */
  wanted(): Uint8Array {
    return this.cold.subarray(this.#layout.wantedAt);
  }

  /** The checksum of an action's result; 0: it has none. */
  sum(number: number): number {
    return number < this.rows.actions ? this.cold.readUIntLE(this.#sumAt(number), SUM_BYTES) : 0;
  }

  sums(): Float64Array {
    return Float64Array.from({ length: this.rows.actions }, (_, number) => this.sum(number));
  }

  /** Whether a record has the result that is known here: a journal may have lost it, or be of a later build. */
  isOf(number: number, record: ActionRecord | undefined): record is ActionRecord {
    return record !== undefined && this.sum(number) === sumOf(record.result);
  }

  #sumAt(number: number): number {
    return this.#layout.sumsAt + number * SUM_BYTES;
  }

  /** Whether the graph requires the row's path to exist. */
  mustExist(row: number): boolean {
    return (this.#flags(row) & FLAG.mustExist) !== 0;
  }

  /** The paths that decide the graph. */
  depends(): Map<string, Depend> {
    const depends = new Map<string, Depend>();
    for (let row = 0; row < this.rows.count; row += 1) {
      if (row < this.rows.depends) depends.set(this.path(row), this.#dependAt(row));
      else if (this.mustExist(row)) depends.set(this.path(row), "exists");
    }
    return depends;
  }

  #dependAt(row: number): Depend {
    return this.rows.stamps[row * ROW_DOUBLES + 2] === ANY_SIZE ? "exists" : this.#stampAt(row);
  }

  /** Undefined: absent; null: not to be trusted. */
  #stampAt(row: number): FileStamp | undefined | null {
    const { stamps } = this.rows;
    const at = row * ROW_DOUBLES;
    const ino = stamps[at + 3] as number;
    if (Number.isNaN(ino)) return null;
    if (ino === ABSENT) return undefined;
    return {
      mtimeMs: stamps[at] as number,
      ctimeMs: stamps[at + 1] as number,
      size: stamps[at + 2] as number,
      ino,
    };
  }

  #entryAt(row: number): FileEntry | undefined {
    const stamp = this.#stampAt(row);
    if (stamp === undefined) return undefined;
    const flags = this.#flags(row);
    const digestAt = this.#layout.digestsAt + row * DIGEST_BYTES;
    return {
      stamp: stamp ?? { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 },
      executable: (flags & FLAG.executable) !== 0,
      racy: stamp === null || stamp.ctimeMs >= this.#onDiskBefore || (flags & FLAG.racy) !== 0,
      ...((flags & FLAG.digest) === 0
        ? {}
        : { digest: this.cold.toString("hex", digestAt, digestAt + DIGEST_BYTES) as Digest }),
    };
  }

  #flags(row: number): number {
    return this.cold[this.#layout.flagsAt + row] as number;
  }

  rowOf(path: string): number | undefined {
    return this.#index.find(path);
  }
}

/** Memories of one kind of call and of the newest other one; `partial` comes first when it is newer than both. */
export function rememberStamps(file: string, partial: string): StampMemory[] {
  const files = newestFirst(dirname(file)).filter((name) => name.endsWith(".bin"));
  const other = files.find((name) => name !== file && name !== partial);
  const useful = files.filter((name) => name === file || name === partial || name === other);
  return useful.flatMap((name) => {
    const rows = readStampRows(name, undefined, native);
    return (rows && StampMemory.of(rows)) ?? [];
  });
}

/** Keeps the stamps of the most recent kinds of calls, and removes what crashes left. */
export function pruneStampFiles(folder: string): void {
  let kept = 0;
  for (const file of newestFirst(folder)) {
    kept += 1;
    if (kept > KEPT || !file.endsWith(".bin")) rmSync(file, { force: true });
  }
}

function newestFirst(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .map((name) => join(folder, name))
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
    .map(({ file }) => file);
}
