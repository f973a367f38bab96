/** Stat signatures: what a file system says about a path without its bytes being read. */
import { type Stats, statSync } from "node:fs";
import { errnoOf } from "./system-error.ts";

export interface FileStamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

/** The kernel's clock for time stamps may lag by a tick (10 ms at HZ=100); coarse file systems round to 2 s. */
const TICK_MS = 20;
const COARSE_MS = 2000;

export function stampOf(stat: Stats): FileStamp {
  return { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** Undefined when the path does not exist, or a file stands where a parent folder should be. Throws other errors. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The stamp of an absolute path; undefined when it does not exist. Throws other errors of the file system. */
export function takeStamp(path: string): FileStamp | undefined {
  const stat = statIfThere(path);
  return stat === undefined ? undefined : stampOf(stat);
}

/** How many ms after its last change a file's next change surely gives another stamp. */
export function raceMargin(stamp: FileStamp): number {
  return stamp.ctimeMs % 1000 === 0 ? COARSE_MS : TICK_MS;
}

/**
 * Whether something read at `readAt` (wall clock in ms, taken before reading) could have changed later
 * without its stamp changing: the rule of git's index. Only the change time counts: it cannot be set.
 */
export function isRacy(stamp: FileStamp, readAt: number): boolean {
  return stamp.ctimeMs >= readAt - raceMargin(stamp);
}

/** What a graph depends on: a path's stamp (undefined: absent, null: not to be trusted), or only its existence. */
export type Depend = FileStamp | undefined | null | "exists";
