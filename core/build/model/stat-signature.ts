/** What a file system tells of a path without its bytes being read. */
import { type Stats, statSync } from "node:fs";
import { errnoOf } from "./error.ts";

export interface FileStamp {
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly size: number;
  readonly ino: number;
}

/** The kernel's clock for time stamps may lag by a tick (10 ms at HZ=100); coarse file systems keep 2 s. */
const TICK_MS = 20;
const COARSE_MS = 2000;

export function stampOf(stat: Stats): FileStamp {
  return { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;
}

/** Undefined when there is nothing, also because a file is where a folder should be. Throws other errors. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The stamp of an absolute path; undefined when there is nothing. Throws other errors of the file system. */
export function takeStamp(path: string): FileStamp | undefined {
  const stat = statIfThere(path);
  return stat === undefined ? undefined : stampOf(stat);
}

/** How long after its last change a file's stamp is sure to differ on the next one, in ms. */
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

/** What a graph depends on: a path's stamp (undefined: absent, null: not to be trusted), or only that it is there. */
export type Depend = FileStamp | undefined | null | "exists";
