/** The lock of a project, which has one build at a time: a file that names the building process. */
import {
  copyFileSync,
  constants as flags,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { describeHolder, holderName, isHolderAlive, keepTouched } from "../files/lock-owner.ts";
import { readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { uniqueName } from "../files/unique.ts";
import { monotonicMs } from "../model/clock.ts";
import { EngineError } from "../model/error.ts";
import { fault } from "../model/fault.ts";
import { statIfThere } from "../model/stat-signature.ts";
import { errnoOf, onFile, systemProblem } from "../model/system-error.ts";

export interface Lock {
  /** The file system's clock minus ours in ms, measured when the file was made. */
  readonly clockSkewMs: number;
  release(): void;
}

/**
 * The owner touches the file at this interval (ms); a lock of another machine that was not touched for ten of them is
 * stale.
 */
const TOUCH_MS = 60_000;
const SILENT_MS = 10 * TOUCH_MS;

/**
 * Without it, a power loss may have cut the name, which could then look like a process elsewhere: such a lock is stale.
 */
const END = "\n";

/** What `link` says where files have one name only: FAT, some network and user-space file systems. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Without links a lock is seen before its holder's name is in it, for so long (ms) at most. */
const NAMELESS_MS = 2000;

/** When locks whose time is ahead of the clock were first seen so (ms of `monotonicMs`), by holder and that time. */
const seenAhead = new Map<string, number>();

/** Locks that this process released, but could not remove. */
const left = new Set<string>();

/** Takes the lock, or returns the living process that holds it. Throws `state-unusable`. */
export function tryLock(directory: string): Lock | { readonly heldBy: string } {
  const file = join(directory, "lock");
  for (;;) {
    const before = Date.now();
    const { isOurs, hasLinks, now } = makeLock(directory, file);
    if (isOurs) {
      // Less than a second is a tick and the time between two system calls, not a different clock.
      const clockSkewMs = Math.abs(now - before) < 1000 ? 0 : now - before;
      const rest = keepTouched(file, TOUCH_MS, () => Date.now() + clockSkewMs);
      left.delete(file);
      const release = (): void => {
        rest();
        // Whoever removed the lock may have let another build begin.
        if (readHolder(file) !== holderName()) return;
        left.add(file);
        tryToRemove(file);
      };
      return { clockSkewMs, release };
    }
    const heldBy = isLeft(file) ? undefined : livingHolder(file, now);
    if (heldBy !== undefined) return { heldBy };
    if (!hasLinks && isBeingMade(file, now)) return { heldBy: "a process that has just begun" };
    breakLock(file, now);
  }
}

function isLeft(file: string): boolean {
  return left.has(file) && readHolder(file) === holderName();
}

/** Description of the living process that holds the lock. */
export function lockHolder(directory: string): string | undefined {
  return livingHolder(join(directory, "lock"), Date.now());
}

/** `now` is on the file system's clock, in ms. */
function livingHolder(file: string, now: number): string | undefined {
  const holder = readHolder(file);
  if (holder === undefined) return undefined;
  const isTouched = (): boolean => wasTouched(holder, statIfThere(file)?.mtimeMs ?? 0, now);
  return isHolderAlive(holder, isTouched) ? describeHolder(holder) : undefined;
}

/** Whether a holder that touched its lock at a time may still be touching it. */
function wasTouched(holder: string, touched: number, now: number): boolean {
  if (touched < now + TOUCH_MS) return now - touched < SILENT_MS;
  // A clock was set back since: a living holder will touch it by the new time.
  const key = `${holder} ${touched}`;
  const since = seenAhead.get(key) ?? monotonicMs();
  seenAhead.set(key, since);
  return monotonicMs() - since < 2 * TOUCH_MS;
}

function isBeingMade(file: string, now: number): boolean {
  const stat = statIfThere(file);
  return stat?.isFile() === true && stat.size === 0 && Math.abs(now - stat.mtimeMs) < NAMELESS_MS;
}

interface Made {
  readonly isOurs: boolean;
  readonly hasLinks: boolean;
  /** On the file system's clock, in ms. */
  readonly now: number;
}

/**
 * Creates the lock by a hard link, which fails if the file exists, so that a lock is never seen without its owner;
 * without links as a new file.
 */
function makeLock(directory: string, file: string): Made {
  const temporary = `${file}.${uniqueName()}`;
  try {
    makeFolders(directory);
    onFile(temporary, () => writeFileSync(temporary, `${holderName()}${END}`));
    const now = statSync(temporary).mtimeMs;
    fault("lock:before-link");
    const isLinked = linkUnlessThere(temporary, file);
    return { isOurs: isLinked ?? writeUnlessThere(file), hasLinks: isLinked !== undefined, now };
  } catch (error) {
    throw new EngineError(
      "state-unusable",
      `${directory} cannot be written: ${systemProblem(error)?.message ?? String(error)}`,
      systemProblem(error)?.remedy ?? "make the project's folder writable",
      [],
      { cause: error },
    );
  } finally {
    tryToRemove(temporary);
  }
}

/** Undefined where there are no links. */
function linkUnlessThere(from: string, to: string): boolean | undefined {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = errnoOf(error) ?? "";
    if (code === "EEXIST") return false;
    if (NO_LINKS.includes(code)) return undefined;
    throw error;
  }
}

function writeUnlessThere(file: string): boolean {
  try {
    onFile(file, () => writeFileSync(file, `${holderName()}${END}`, { flag: "wx" }));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
  // Who found it nameless for too long has broken it.
  return readHolder(file) === holderName();
}

/** The next build does not mind a file that stays: of names only the lock's own counts, and it names a process. */
function tryToRemove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function readHolder(file: string): string | undefined {
  try {
    const text = readOwnFile(file).toString("utf8");
    return text.endsWith(END) ? text.slice(0, -END.length) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Renames before removing, so that of two processes that break the lock only one succeeds, and neither breaks a new
 * one.
 */
function breakLock(file: string, now: number): void {
  const aside = `${file}.${uniqueName()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    // Another process may have taken the lock between look and rename: it gets it back.
    const isOurs = left.has(file) && readHolder(aside) === holderName();
    const isTaken = !isOurs && livingHolder(aside, now) !== undefined;
    if (isTaken && linkUnlessThere(aside, file) === undefined) copyFileSync(aside, file, flags.COPYFILE_EXCL);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    // Something else than a file may lie there.
    removeTree(aside);
  }
}
