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
import { bootIdentity } from "../files/boot.ts";
import type { FileEntries } from "../files/file-rows.ts";
import type { FileEntry } from "../files/files.ts";
import { makeFolders } from "../files/folders.ts";
import { writePathIndex } from "../files/path-index.ts";
import { encodePatch, type StampChange } from "../files/stamp-patch.ts";
import { uniqueName } from "../files/unique.ts";
import {
  alignedTo8,
  HEADER,
  HEADER_DOUBLES,
  MAGIC,
  ROW_DOUBLES,
  readStampRows,
  type StampRows,
  sumOfHot,
} from "../files/up-to-date.ts";
import { SUM_BYTES } from "../key/result.ts";
import { fault } from "../model/fault.ts";
import type { Depend } from "../model/stat-signature.ts";
import { errnoOf, onFile } from "../model/system-error.ts";
import { native } from "../native/native.ts";
import {
  coldLayout,
  DIGEST_BYTES,
  FLAG,
  flagsOf,
  rowOfDepend,
  rowOfEntry,
  sumOfCold,
} from "./stamp-layout.ts";
import { StampMemory } from "./stamp-memory.ts";

/** How many kinds of calls keep their stamps. */
const KEPT = 8;

export interface StampFileContent {
  readonly context: string;
  readonly summary: string;
  /** Text of the caller, without NUL. */
  readonly carry: string;
  /** What `variablesText` makes of the variables that the graph depends on. */
  readonly variables: string;
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
    `${[content.context, content.summary, content.carry, content.variables, ...paths].join("\0")}\0`,
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
  const words = Buffer.from(
    `${[rows.context, texts.summary, texts.carry, rows.variables].join("\0")}\0`,
    "utf8",
  );
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
