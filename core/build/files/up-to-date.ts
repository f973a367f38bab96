/**
 * The answer to most builds: nothing changed. One file per kind of call holds the stamps of everything that build
 * looked at; when all are as they were, there is nothing to do. This module imports next to nothing, parses nothing and
 * builds no graph, so that a launcher can ask here before it loads anything else.
 *
 * Layout of the file: header (11 doubles), stamps (4 doubles a row), text (context, summary, carry, variables and one
 * path a row, each ended by NUL), a part that only `stamp-file.ts` reads, then changes (`stamp-patch.ts`). The last two begin at
 * multiples of eight bytes. A power loss may leave wrong bytes anywhere, so everything has a checksum: the header's
 * last field covers header, stamps and text.
 */
import { closeSync, readFileSync, type Stats, statSync } from "node:fs";
import { type FastSum, wordSum } from "../key/word-sum.ts";
import { bootIdentity } from "./boot.ts";
import { haveValues } from "./graph-variables.ts";
import { openOwnFile } from "./own-file.ts";
import { readPatches, type StampChange } from "./stamp-patch.ts";
import { type FileMap, readWhole } from "./whole-file.ts";

export const MAGIC = 0x6172630b;
export const HEADER_DOUBLES = 11;
/** Positions of the header's fields. */
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
/** How many texts come before the paths: context, summary, carry, variables. */
const WORDS = 4;
/**
 * Stored instead of the inode: the path did not exist. NaN, which equals nothing, marks a row that must not be trusted.
 */
export const ABSENT = -1;
/** Stored instead of the times: only existence and size matter. For files in the store. */
export const ANY_TIME = -1;
/** Stored instead of the size: only existence matters. */
export const ANY_SIZE = -1;

export interface StampRows {
  readonly file: string;
  readonly context: string;
  /** The message for the user. */
  readonly summary: string;
  /** Text of the caller, returned unchanged by the next call. */
  readonly carry: string;
  /** Variables of the environment that the graph depends on, with their values (`graph-variables.ts`). */
  readonly variables: string;
  /** Identifies the graph that the stamps belong to; 0: none. */
  readonly graph: number;
  /** Identity of the machine's boot when the stamps were taken (`boot.ts`). */
  readonly boot: number;
  readonly count: number;
  /** The first `depends` paths decide the graph itself: arc.yaml, globbed folders, tools. */
  readonly depends: number;
  /** Rows of mtime, ctime (ms), size and inode. */
  readonly stamps: Float64Array;
  /** The paths as bytes, each ended by NUL; `isAscii` if every character is one byte. */
  readonly text: Buffer;
  readonly isAscii: boolean;
  /** The same as strings, made on first use. */
  readonly paths: readonly string[];
  /** Number of actions in the graph. */
  readonly actions: number;
  /** The part that only `stamp-file.ts` reads and checks, and the changes appended since. */
  readonly cold: Buffer;
  readonly coldSum: number;
  readonly changes: readonly StampChange[];
  /** Bytes of the file as first written, of that with all valid changes, and of everything that is there. */
  readonly size: { readonly written: number; readonly known: number; readonly file: number };
}

/** Functions that the native part does faster. */
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
  /** There is no successful call of this kind yet. */
  | { readonly upToDate: false; readonly rows?: undefined }
  | {
      readonly upToDate: false;
      readonly rows: StampRows;
      /** The rows that differ, with their present stamps, taken at `time` (wall clock in ms). */
      readonly changed: ReadonlyMap<number, Float64Array>;
      readonly time: number;
    };

/**
 * FNV-1a of the bytes, for file names; the native launcher computes the same. A cryptographic digest would cost more
 * than the rest of the start-up.
 */
function shortName(context: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(context, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Path of the stamp file for a kind of call, below the state folder. */
export function stampFileOf(stateFolder: string, context: string): string {
  return `${stateFolder}/stamps/${shortName(context)}.bin`;
}

/** Undefined when the file is missing, damaged, of another version, or for another context. */
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

/** Like `readStampRows`, from a descriptor, which is closed. */
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
  const [itsContext, summary, carry, variables] = words as [string, string, string, string];
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
    variables,
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

/** Fields of the header, and where the parts lie, in bytes. */
interface Layout
  extends Pick<StampRows, "count" | "depends" | "graph" | "boot" | "isAscii" | "actions" | "coldSum"> {
  readonly textAt: number;
  readonly textEnd: number;
  readonly coldAt: number;
  readonly coldEnd: number;
  /** End of the part written in one go; changes follow. */
  readonly written: number;
}

/** Checksum of the header (without its own field), stamps and text, including padding. */
export function sumOfHot(
  header: Uint8Array<ArrayBuffer>,
  hot: Uint8Array<ArrayBuffer>,
  fast: FastSum | undefined,
): number {
  const words = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Uint32Array =>
    new Uint32Array(buffer, byteOffset, length / 4);
  return wordSum(words(hot), fast, wordSum(words(header.subarray(0, HEADER.sum * 8))));
}

/** The file's layout; undefined unless the bytes begin with a complete file of this version. */
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
  // Written so that NaN fails, too.
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

/** Splits the text into paths; strings of one-byte characters are decoded much faster. */
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
      // A file in place of a parent folder means absent, and so does a folder that may not be searched. For any other
      // error, such as a loop of links, NaN makes the row differ.
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

/** Makes paths absolute, because the working folder of a long-lived process may be moved. */
function absoluteText(paths: readonly string[], root: string): Buffer {
  return Buffer.from(
    paths.map((path) => (path.startsWith("/") ? `${path}\0` : `${root}/${path}\0`)).join(""),
  );
}

/**
 * Checks whether a call with this context would find everything as the last one left it, in this process' environment.
 * `root` is the project's root; without it, the working folder must be the root. `stateFolder` must be absolute if the build is to be resumed from
 * the answer.
 */
export function checkUpToDate(stateFolder: string, context: string, fast?: FastFiles, root?: string): Check {
  const rows = readStampRows(stampFileOf(stateFolder, context), context, fast);
  if (rows === undefined || rows.boot !== bootIdentity()) return { upToDate: false };
  if (!haveValues(rows.variables, process.env)) return { upToDate: false };
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

/** Whether any of these rows differs from what a check found. The other parameters are as in `checkUpToDate`. */
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
 * Reads the changes that another process found, which compares at the same time as this one. `found` is a pipe that
 * delivers the time at which it began, number and stamp of each changed row, and -1 at the end. `stamps` is the stamp
 * file that it compares with. Closes both. Undefined when the other process did not finish.
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

/** Reads a pipe to its end and closes it. */
function readDoubles(pipe: number): Float64Array {
  try {
    const bytes = readFileSync(pipe);
    return new Float64Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 3);
  } finally {
    closeSync(pipe);
  }
}
