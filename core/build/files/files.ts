/**
 * Digests of the project's files. A file is hashed again only when its stamp changed. Within one build each path is
 * looked at once, so that all actions see the same state.
 */
import { lstatSync, type Stats, statSync } from "node:fs";
import { devNull } from "node:os";
import { isAbsolute, join } from "node:path";
import { digestBytes, hashFile } from "../key/digest.ts";
import type { Digest } from "../model/action.ts";
import { type Moment, wallTimeOf } from "../model/clock.ts";
import { EngineError } from "../model/error.ts";
import {
  type FileStamp,
  isRacy,
  raceMargin,
  sameStamp,
  stampOf,
  statIfThere,
  takeStamp,
} from "../model/stat-signature.ts";
import { native } from "../native/native.ts";
import { encodeFolder, type TreeEntry } from "../records/folder.ts";
import { type FileEntries, type FileEntry, FileRows, type FileState } from "./file-rows.ts";
import { readTree } from "./tree.ts";
import { ROW_DOUBLES } from "./up-to-date.ts";

export type { FileEntry, FileState } from "./file-rows.ts";

/** What earlier builds knew of a path. */
type Remembered = (path: string) => FileEntry | undefined;

/** How long the end of a build waits at most for stamps to become trustworthy, in ms. */
const SETTLE_MS = 100;

/** How many paths are worth a call of `lookAll`. */
export const MANY_PATHS = 32;

/** A file system's clock may be ahead of ours by this many ms without arc knowing. */
const SAME_CLOCK_MS = 2000;

const NOTHING: FileState = { kind: "absent" };

/** Entry of a path about which nothing can be trusted. */
const UNKNOWN: Omit<FileEntry, "racy"> = {
  stamp: { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 },
  executable: false,
};

export class FileTable {
  readonly root: string;
  /** Clock of the file system minus ours, in ms: network file systems have clocks of their own. */
  clockSkewMs = 0;
  #remembered: Remembered;
  readonly #rows = new FileRows();
  /** Paths that changed during this build: results based on the first state do not fit what is there now. */
  readonly #moved = new Set<string>();
  /** The states of paths before `forget`. */
  readonly #before = new Map<string, FileState>();

  constructor(root: string, remembered: Remembered = () => undefined) {
    this.root = root;
    this.#remembered = remembered;
  }

  /** Starts a new build: every path is looked at again, and `remembered` supplies what earlier builds knew. */
  begin(remembered?: Remembered): void {
    this.#moved.clear();
    this.#before.clear();
    if (remembered === undefined) this.#rows.forgetAllSeen();
    else {
      this.#remembered = remembered;
      this.#rows.clear();
    }
  }

  /** Forces one path to be looked at again after something may have changed it. */
  forget(path: string): void {
    const seen = this.#rows.seen(path);
    if (seen === undefined) return;
    this.#before.set(path, seen);
    this.#rows.forgetSeen(path);
  }

  absolute(path: string): string {
    return isAbsolute(path) ? path : `${this.root}/${path}`;
  }

  /** Throws errors of the file system, but a missing path is a state like others. */
  look(path: string): FileState {
    const seen = this.#rows.seen(path);
    if (seen !== undefined) return seen;
    const state = this.#look(path);
    this.#see(path, state);
    return state;
  }

  #see(path: string, state: FileState): void {
    this.#rows.setSeen(path, state);
    const before = this.#before.get(path);
    if (before !== undefined && !isSameState(before, state)) this.#moved.add(path);
  }

  /**
   * Looks at those of many paths that are files as they were known, which takes a fraction of the time that `look` takes
   * for each. The others are left to it.
   */
  lookAll(paths: readonly string[]): void {
    if (native === undefined) return;
    const unseen = paths.filter((path) => this.#rows.seen(path) === undefined && !path.includes("\0"));
    const stamps = new Float64Array(unseen.length * ROW_DOUBLES);
    native.statAll(Buffer.from(unseen.map((path) => `${this.absolute(path)}\0`).join("")), stamps);
    for (const [at, path] of unseen.entries()) {
      const known = this.#entry(path);
      if (known?.digest === undefined || known.racy) continue;
      if (!isAt(stamps, at * ROW_DOUBLES, known.stamp)) continue;
      this.#keep(path, known);
      this.#see(path, { kind: "file", digest: known.digest, executable: known.executable });
    }
  }

  /** The present contents of a folder. */
  tree(path: string): TreeEntry[] {
    const absolute = this.absolute(path);
    return readTree(
      absolute,
      (file) => this.#hash(join(path, file.slice(absolute.length)), file, statSync(file)),
      (folder, stat) => this.#noteFolder(join(path, folder.slice(absolute.length)), stat),
    );
  }

  /** The stamp taken with the bytes that were read, if the path is a known file. */
  stampOf(path: string): FileStamp | undefined {
    return this.#entry(path)?.stamp;
  }

  /** Entries of all paths looked at since the table was made; undefined: absent. */
  get entries(): FileEntries {
    return this.#rows;
  }

  /** Paths about which this build knows something else than an earlier one did, or anew. */
  news(): Iterable<string> {
    return this.#rows.news();
  }

  /**
   * Records a file that was just put in place with known bytes. Nothing else writes there, so its stamp is trusted at
   * once.
   */
  recordPlaced(path: string, digest: Digest): void {
    const stat = statSync(this.absolute(path));
    this.recordStamped(path, digest, stampOf(stat), (stat.mode & 0o100) !== 0);
  }

  /** Like `recordPlaced`, for a file whose stamp was already taken when it was placed. */
  recordStamped(path: string, digest: Digest, stamp: FileStamp, executable: boolean): void {
    this.#rows.setPlaced(path, digest, stamp, executable);
  }

  /**
   * Whether a file may have changed since a moment. Wall time, which file stamps use, is too coarse to tell what
   * happened just before that moment from what happened just after.
   */
  mayHaveChangedSince(path: string, moment: Moment): boolean {
    const now = takeStamp(this.absolute(path));
    if (now === undefined) return true;
    const known = this.#rows.get(path);
    const notedAt = this.#rows.notedAt(path) ?? Number.POSITIVE_INFINITY;
    if (notedAt < moment.monotonic && known !== undefined && sameStamp(known.stamp, now)) return false;
    return this.#mayBeSince(moment, now);
  }

  /** Whether a file may have got a stamp since a moment. The wall clock may have been set back, before it or since. */
  #mayBeSince(moment: Moment, stamp: FileStamp): boolean {
    const present = wallTimeOf(moment);
    // Smaller differences may come from two clocks that disagree.
    const isFromBefore = stamp.ctimeMs > this.#now() + SAME_CLOCK_MS;
    if (isFromBefore && moment.wall <= present + SAME_CLOCK_MS) return false;
    return isRacy(stamp, (isFromBefore ? moment.wall : Math.min(moment.wall, present)) + this.clockSkewMs);
  }

  /** Milliseconds (whole, as timers take them) until a read of the file can be told from an earlier write to it. */
  settlesIn(path: string): number {
    const stamp = takeStamp(this.absolute(path));
    if (stamp === undefined) return 0;
    const margin = raceMargin(stamp);
    // A stamp in the future comes from another clock and is not waited for.
    return Math.min(Math.max(Math.ceil(stamp.ctimeMs + margin - this.#now()) + 1, 0), margin + 1);
  }

  /** Whether anything lies there; a dangling link counts. */
  isThere(path: string): boolean {
    try {
      return lstatSync(this.absolute(path), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  }

  /**
   * Records that a path was looked for and not found at some time after a moment, so that the next build notices if it
   * appears or has appeared since. Returns false if the path already existed before that time.
   */
  recordMissing(path: string, moment: Moment): boolean {
    const stamp = takeStamp(this.absolute(path));
    if (stamp !== undefined && !this.#mayBeSince(moment, stamp)) return false;
    this.#note(path, undefined);
    return true;
  }

  /** Like `recordPlaced`, for a folder and everything in it. */
  recordPlacedFolder(path: string, digest: Digest, entries: readonly TreeEntry[]): void {
    const folders = new Set<string>([path]);
    for (const entry of entries) {
      const inside = `${path}/${entry.path}`;
      if (entry.kind === "file") this.recordPlaced(inside, entry.digest);
      if (entry.kind === "empty") folders.add(inside);
      for (let at = inside.lastIndexOf("/"); at > path.length; at = inside.lastIndexOf("/", at - 1)) {
        folders.add(inside.slice(0, at));
      }
    }
    for (const folder of folders) {
      const stamp = stampOf(statSync(this.absolute(folder)));
      this.#rows.set(folder, { stamp, executable: false, racy: false });
    }
    this.#rows.setSeen(path, { kind: "folder", digest });
  }

  /**
   * Looks at racy paths again once their stamps can be trusted, and waits for that if it takes no more than a tick. A
   * path whose state differs from what this build saw stays racy, so that the next build finds it.
   */
  async settle(): Promise<void> {
    const racy = [...this.#rows.racy()];
    const waits = racy.map((path) => this.#untilTrusted(path)).filter((ms) => ms > 0 && ms < SETTLE_MS);
    if (waits.length > 0) await new Promise((done) => setTimeout(done, Math.ceil(Math.max(...waits)) + 1));
    // A folder is looked at together with its contents.
    const around = new Set(racy.flatMap(pathsAround));
    if (around.size > 0) {
      for (const path of [...this.#rows.seenThere()].filter((seen) => around.has(seen))) {
        this.forget(path);
        this.#lookQuietly(path);
      }
    }
    for (const path of this.#moved) this.#distrust(path);
  }

  /** Distrusts a path and, if it is a folder, everything known in it. */
  #distrust(path: string): void {
    const isFolder = this.#before.get(path)?.kind === "folder" || this.#rows.seen(path)?.kind === "folder";
    const all = isFolder ? [...this.#rows.keys()].filter((known) => isAround(path, known)) : [path];
    for (const known of all) this.#rows.set(known, { ...(this.#rows.get(known) ?? UNKNOWN), racy: true });
  }

  #lookQuietly(path: string): void {
    try {
      this.look(path);
    } catch {
      this.#moved.add(path);
    }
  }

  /** Milliseconds until the stamp of a racy path becomes trustworthy. */
  #untilTrusted(path: string): number {
    const stamp = this.#rows.get(path)?.stamp;
    return stamp === undefined ? 0 : stamp.ctimeMs + raceMargin(stamp) - this.#now();
  }

  #now(): number {
    return Date.now() + this.clockSkewMs;
  }

  #entry(path: string): FileEntry | undefined {
    return this.#rows.get(path) ?? this.#remembered(path);
  }

  /** Records what this build knows about a path from now on. */
  #note(path: string, entry: FileEntry | undefined): void {
    if (this.#rows.has(path)) {
      const before = this.#rows.get(path);
      if (before?.digest !== entry?.digest || before?.executable !== entry?.executable) this.#moved.add(path);
    }
    this.#rows.set(path, entry);
  }

  /** Records that what is known about a path still holds. */
  #keep(path: string, known: FileEntry): void {
    if (this.#rows.has(path)) this.#note(path, known);
    else this.#rows.setRemembered(path, known);
  }

  #look(path: string): FileState {
    const absolute = this.absolute(path);
    const stat = statIfThere(absolute);
    if (stat === undefined) {
      this.#note(path, undefined);
      return NOTHING;
    }
    if (stat.isFIFO() || stat.isSocket()) {
      // Opening a named pipe would block until a writer opens it.
      throw new EngineError(
        "unreadable-input",
        `${path} is a named pipe or a socket`,
        "put a file in its place: a build reads files and folders",
      );
    }
    if (isEndless(stat)) {
      throw new EngineError(
        "unreadable-input",
        `${path} is a device`,
        "put a file in its place: a build reads files and folders",
      );
    }
    if (!stat.isDirectory()) return { kind: "file", ...this.#hash(path, absolute, stat) };
    return { kind: "folder", digest: digestBytes(encodeFolder(this.tree(path))) };
  }

  #noteFolder(path: string, stat: Stats): void {
    const stamp = stampOf(stat);
    this.#note(path, { stamp, executable: false, racy: isRacy(stamp, this.#now()) });
  }

  #hash(path: string, absolute: string, stat: Stats): { digest: Digest; executable: boolean } {
    const known = this.#entry(path);
    const stamp = stampOf(stat);
    const executable = (stat.mode & 0o100) !== 0;
    if (known?.digest !== undefined && !known.racy && sameStamp(known.stamp, stamp)) {
      this.#keep(path, known);
      return { digest: known.digest, executable };
    }
    // The stamp was taken before the read, so a change in between leaves a stamp that will not match.
    const racy = isRacy(stamp, this.#now());
    const { digest } = hashFile(absolute);
    this.#note(path, { stamp, digest, executable, racy });
    return { digest, executable };
  }
}

/** Devices may give bytes for ever; the null device is an empty file. */
function isEndless(stat: Stats): boolean {
  if (!stat.isCharacterDevice() && !stat.isBlockDevice()) return false;
  return stat.rdev !== statIfThere(devNull)?.rdev;
}

/** Whether a row of `statAll` is this stamp. */
function isAt(rows: Float64Array, at: number, { mtimeMs, ctimeMs, size, ino }: FileStamp): boolean {
  return rows[at] === mtimeMs && rows[at + 1] === ctimeMs && rows[at + 2] === size && rows[at + 3] === ino;
}

/** A path and the folders that contain it. */
function pathsAround(path: string): string[] {
  const paths = [path];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    paths.push(path.slice(0, at));
  return paths;
}

/** Whether `outer` is `inner` or a folder around it. */
export function isAround(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

function isSameState(a: FileState, b: FileState): boolean {
  if (a.kind === "absent" || b.kind === "absent") return a.kind === b.kind;
  if (a.digest !== b.digest) return false;
  return a.kind === "file" ? b.kind === "file" && a.executable === b.executable : b.kind === "folder";
}
