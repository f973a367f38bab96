/**
 * The answer to most builds: nothing changed. One file per kind of call holds the stamps of everything
 * that build looked at; when all are as they were, there is nothing to do. Imports next to nothing,
 * parses nothing, builds no graph: a launcher can ask here before it loads anything else.
 *
 * Layout of the file: header (11 doubles), stamps (4 doubles a row), text (context, summary, carry and one path a
 * row, each ended by NUL), what only `stamp-file.ts` reads, then changes (`stamp-patch.ts`). The last two begin at
 * multiples of eight bytes. After a loss of power any of that may be what it never was: all of it has a checksum, the
 * header's last field that of header, stamps and text.
 */
import { closeSync, readFileSync, type Stats, statSync } from "node:fs";
import { type FastSum, wordSum } from "../key/word-sum.ts";
import { bootIdentity } from "./boot.ts";
import { openOwnFile } from "./own-file.ts";
import { readPatches, type StampChange } from "./stamp-patch.ts";
import { type FileMap, readWhole } from "./whole-file.ts";

export const MAGIC = 0x6172630a;
export const HEADER_DOUBLES = 11;
/** Where in the header. */
export const HEADER = {
  magic: 0,
  rows: 1,
  depends: 2,
  textBytes: 3,
  ascii: 4,
  graph: 5,
  coldBytes: 6,
  actions: 7,
  coldSum: 8,
  boot: 9,
  sum: 10,
} as const;
export const ROW_DOUBLES = 4;
/** Texts before the paths: context, summary, carry. */
const WORDS = 3;
/** In place of the inode: the path did not exist. NaN, which equals nothing: the row is not to be trusted. */
export const ABSENT = -1;
/** In place of the times: only the size matters, and that the file is there. For what lies in the store. */
export const ANY_TIME = -1;
/** In place of the size: only that it is there matters. */
export const ANY_SIZE = -1;

export interface StampRows {
  readonly file: string;
  readonly context: string;
  /** What to tell the user. */
  readonly summary: string;
  /** What the caller wanted to find here again. */
  readonly carry: string;
  /** Identifies the graph that this belongs to; 0: none. */
  readonly graph: number;
  /** Of the machine when they were taken (`boot.ts`). */
  readonly boot: number;
  readonly count: number;
  /** The first so many paths decide the graph itself: arc.yaml, globbed folders, tools. */
  readonly depends: number;
  /** Rows of mtime, ctime (ms), size and inode. */
  readonly stamps: Float64Array;
  /** The paths as bytes, each ended by NUL; all of one byte a character, or not. */
  readonly text: Buffer;
  readonly isAscii: boolean;
  /** The same as strings, made when first asked for. */
  readonly paths: readonly string[];
  /** Actions of the graph. */
  readonly actions: number;
  /** What only `stamp-file.ts` reads and checks, and what was changed of it since it was written. */
  readonly cold: Buffer;
  readonly coldSum: number;
  readonly changes: readonly StampChange[];
  /** Bytes of the file as it was written whole, of that and what was changed since, and of all that is there. */
  readonly size: { readonly written: number; readonly known: number; readonly file: number };
}

/** What the native part does faster. */
export interface FastFiles extends FileMap, FastSum {
  /** Fills rows of 4 doubles for NUL-ended paths relative to the working folder. */
  readonly statAll: StatAll;
}

type StatAll = (text: Buffer, rows: Float64Array) => void;

export function alignedTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

export type Check =
  | { readonly upToDate: true; readonly rows: StampRows }
  /** This kind of call was not made before, or did not succeed. */
  | { readonly upToDate: false; readonly rows?: undefined }
  | {
      readonly upToDate: false;
      readonly rows: StampRows;
      /** Which rows differ, and their stamps as they are now, taken at `time` (wall clock in ms). */
      readonly changed: ReadonlyMap<number, Float64Array>;
      readonly time: number;
    };

/**
 * FNV-1a of the bytes, which the native launcher has, too. For file names: a cryptographic digest would cost the start-up
 * more than all the rest.
 */
function shortName(context: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(context, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Where the stamps of a kind of call lie, below the state folder. */
export function stampFileOf(stateFolder: string, context: string): string {
  return `${stateFolder}/stamps/${shortName(context)}.bin`;
}

/** Undefined when there is no such file, or it is of another version, damaged, or for another context. */
export function readStampRows(
  file: string,
  context: string | undefined,
  fast: FastFiles | undefined,
): StampRows | undefined {
  try {
    return readOpenStampRows(openOwnFile(file), file, context, fast);
  } catch {
    return undefined;
  }
}

/** The same from a descriptor, which is closed. */
function readOpenStampRows(
  descriptor: number,
  file: string,
  context: string | undefined,
  fast: FastFiles | undefined,
): StampRows | undefined {
  const bytes = readWhole(descriptor, fast);
  const layout = layoutOf(bytes, fast);
  if (layout === undefined) return undefined;
  const { count, textAt, textEnd, coldAt, coldEnd, written, ...rest } = layout;
  const stamps = new Float64Array(bytes.buffer, HEADER_DOUBLES * 8, count * ROW_DOUBLES);
  const words: string[] = [];
  let at = textAt;
  for (let word = 0; word < WORDS; word += 1) {
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    words.push(bytes.toString("utf8", at, end));
    at = end + 1;
  }
  const [itsContext, summary, carry] = words as [string, string, string];
  if (context !== undefined && itsContext !== context) return undefined;
  const text = bytes.subarray(at, textEnd);
  const changes: StampChange[] = [];
  const known = readPatches(bytes, written, (change) => {
    if (change.row >= count + rest.actions) return;
    if (change.row < count) stamps.set(change.stamp, change.row * ROW_DOUBLES);
    changes.push(change);
  });
  let paths: readonly string[] | undefined;
  return {
    ...rest,
    file,
    context: itsContext,
    summary,
    carry,
    count,
    stamps,
    text,
    get paths() {
      paths ??= split(text, rest.isAscii);
      return paths;
    },
    cold: bytes.subarray(coldAt, coldEnd),
    changes,
    size: { written, known, file: bytes.length },
  };
}

/** What the header says, and where the parts lie, in bytes. */
interface Layout
  extends Pick<StampRows, "count" | "depends" | "graph" | "boot" | "isAscii" | "actions" | "coldSum"> {
  readonly textAt: number;
  readonly textEnd: number;
  readonly coldAt: number;
  readonly coldEnd: number;
  /** Where that ends which was written whole. */
  readonly written: number;
}

/** Checksum of the header, but for the field that it is kept in, and of stamps and text with their padding. */
export function sumOfHot(
  header: Uint8Array<ArrayBuffer>,
  hot: Uint8Array<ArrayBuffer>,
  fast: FastSum | undefined,
): number {
  const words = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint32Array =>
    new Uint32Array(buffer, byteOffset, length / 4);
  return wordSum(words(hot), fast, wordSum(words(header.subarray(0, HEADER.sum * 8))));
}

/** Undefined unless these begin with all the bytes of a file of this version. */
function layoutOf(bytes: Buffer<ArrayBuffer>, fast: FastSum | undefined): Layout | undefined {
  if (bytes.length < HEADER_DOUBLES * 8) return undefined;
  const header = new Float64Array(bytes.buffer, 0, HEADER_DOUBLES);
  const field = (name: keyof typeof HEADER): number => header[HEADER[name]] as number;
  const [count, textBytes] = [field("rows"), field("textBytes")];
  if (
    field("magic") !== MAGIC ||
    !(count >= 0 && count < 2 ** 28) ||
    !(textBytes >= 0 && textBytes < 2 ** 31)
  ) {
    return undefined;
  }
  const textAt = header.byteLength + count * ROW_DOUBLES * 8;
  const textEnd = textAt + textBytes;
  const coldAt = alignedTo8(textEnd);
  const coldEnd = coldAt + field("coldBytes");
  const written = alignedTo8(coldEnd);
  // Also where one of them is no number.
  if (!(written <= bytes.length)) return undefined;
  const hot = bytes.subarray(header.byteLength, coldAt);
  if (sumOfHot(bytes.subarray(0, header.byteLength), hot, fast) !== field("sum")) return undefined;
  const [depends, graph, isAscii] = [field("depends"), field("graph"), field("ascii") === 1];
  const [actions, coldSum, boot] = [field("actions"), field("coldSum"), field("boot")];
  return {
    count,
    depends,
    graph,
    boot,
    isAscii,
    actions,
    textAt,
    textEnd,
    coldAt,
    coldEnd,
    coldSum,
    written,
  };
}

/** Strings of one-byte characters are made much faster. */
function split(text: Buffer, isAscii: boolean): string[] {
  const paths = text.toString(isAscii ? "latin1" : "utf8").split("\0");
  paths.pop();
  return paths;
}

const statAllPortable: StatAll = (text, rows) => {
  const quiet = { throwIfNoEntry: false } as const;
  let row = 0;
  for (const path of split(text, false)) {
    let stat: Stats | undefined;
    let otherwise = ABSENT;
    try {
      stat = statSync(path, quiet);
    } catch (error) {
      // A file where a folder was means absent, and so does a folder that may not be searched; a loop of links, for
      // one, is never as it was before.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOTDIR" && code !== "EACCES") otherwise = Number.NaN;
    }
    if (stat === undefined) {
      rows[row] = rows[row + 1] = rows[row + 2] = 0;
      rows[row + 3] = otherwise;
    } else {
      rows[row] = stat.mtimeMs;
      rows[row + 1] = stat.ctimeMs;
      rows[row + 2] = stat.size;
      rows[row + 3] = stat.ino;
    }
    row += ROW_DOUBLES;
  }
};

/** The working folder of a process that lives long may be moved away under it. */
function absoluteText(paths: readonly string[], root: string): Buffer {
  return Buffer.from(
    paths.map((path) => (path.startsWith("/") ? `${path}\0` : `${root}/${path}\0`)).join(""),
  );
}

/**
 * Asks whether a call with this context would find everything as the last one left it. `root` is the project's;
 * without it, the working folder must be that. `stateFolder` is absolute for those who resume from the answer.
 */
export function checkUpToDate(stateFolder: string, context: string, fast?: FastFiles, root?: string): Check {
  const rows = readStampRows(stampFileOf(stateFolder, context), context, fast);
  if (rows === undefined || rows.boot !== bootIdentity()) return { upToDate: false };
  const time = Date.now();
  const now = new Float64Array(rows.stamps.length);
  const statAll = fast?.statAll ?? statAllPortable;
  statAll(root === undefined ? rows.text : absoluteText(rows.paths, root), now);
  const changed = new Map<number, Float64Array>();
  for (let row = 0; row < rows.count; row += 1)
    if (!isSame(rows.stamps, now, row))
      changed.set(row, now.slice(row * ROW_DOUBLES, (row + 1) * ROW_DOUBLES));
  return changed.size === 0 ? { upToDate: true, rows } : { upToDate: false, rows, changed, time };
}

/** Whether one of some rows is otherwise than a check found it; the rest as for that. */
export function hasChangedSince(
  check: Check,
  rows: readonly number[],
  fast: FastFiles | undefined,
  root: string,
): boolean {
  if (check.rows === undefined) return rows.length > 0;
  const { paths, stamps } = check.rows;
  const now = new Float64Array(rows.length * ROW_DOUBLES);
  const statAll = fast?.statAll ?? statAllPortable;
  statAll(
    absoluteText(
      rows.map((row) => paths[row] as string),
      root,
    ),
    now,
  );
  return rows.some((row, at) => {
    const found = check.upToDate ? undefined : check.changed.get(row);
    const before = found ?? stamps.subarray(row * ROW_DOUBLES, (row + 1) * ROW_DOUBLES);
    return !isSame(before, now.subarray(at * ROW_DOUBLES, (at + 1) * ROW_DOUBLES), 0);
  });
}

function isSame(stamps: Float64Array, now: Float64Array, row: number): boolean {
  const at = row * ROW_DOUBLES;
  if (stamps[at] === ANY_TIME) {
    return now[at + 3] !== ABSENT && (stamps[at + 2] === ANY_SIZE || now[at + 2] === stamps[at + 2]);
  }
  return (
    now[at] === stamps[at] &&
    now[at + 1] === stamps[at + 1] &&
    now[at + 2] === stamps[at + 2] &&
    now[at + 3] === stamps[at + 3]
  );
}

/**
 * What another process found to have changed, which compares beside this one: `found` is a pipe on which come the time
 * at which it began, number and stamp of each changed row, and -1 when it has seen all. `stamps` is the file it
 * compares with. Closes both. Undefined when it did not come to its end.
 */
export function takeCheck(
  stateFolder: string,
  context: string,
  { found, stamps }: { readonly found: number; readonly stamps: number },
  fast?: FastFiles,
): Check | undefined {
  const rows = readOpenStampRows(stamps, stampFileOf(stateFolder, context), context, fast);
  const doubles = readDoubles(found);
  const [time] = doubles;
  const end = doubles.length - 1;
  if (rows === undefined || time === undefined || end < 1 || doubles[end] !== -1) return undefined;
  const changed = new Map<number, Float64Array>();
  for (let at = 1; at < end; at += 1 + ROW_DOUBLES)
    changed.set(doubles[at] as number, doubles.subarray(at + 1, at + 1 + ROW_DOUBLES));
  return { upToDate: false, rows, changed, time };
}

/** All that comes on a pipe, which is closed. */
function readDoubles(pipe: number): Float64Array {
  try {
    const bytes = readFileSync(pipe);
    return new Float64Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 3);
  } finally {
    closeSync(pipe);
  }
}
