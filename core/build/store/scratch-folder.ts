/**
 * The scratch folder of a process on the store's file system: for files that become blobs, and for sandboxes. A process
 * leaves it to the next one, and that of a process that died is adopted or removed.
 */
import { lstatSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { holdingName, isHolderAlive, keepTouched } from "../files/lock-owner.ts";
import { NoFile, readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { uniqueName } from "../files/unique.ts";
import { errnoOf } from "../model/system-error.ts";

/** Prefix of sandboxes' names in a scratch folder. */
export const SANDBOX = "sandbox-";

/** Marks the scratch folder of a server: it lives long, but needs nothing for longer than an answer takes. */
const SERVER = "serves";

export function isServer(scratch: string): boolean {
  return statSync(join(scratch, SERVER), { throwIfNoEntry: false }) !== undefined;
}

/** File in the scratch folder of a process that ended normally: the list of its sandboxes. */
export const SANDBOX_LIST = "sandboxes";

/**
 * A process touches its scratch folder at this interval (ms); that of another machine is abandoned when it was not
 * touched for 24 of them. The time is long because such a machine may sleep meanwhile.
 */
const TOUCH_MS = 3_600_000;
const SILENT_MS = 24 * TOUCH_MS;

/** Whether a process uses a scratch folder. */
export function isScratchHeld(folder: string): boolean {
  const isTouched = (): boolean => {
    const touched = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // One that is as far ahead was touched before a clock was set back.
    return Math.abs(Date.now() - touched) < SILENT_MS;
  };
  return isHolderAlive(basename(folder), isTouched);
}

let scratches = 0;

/** A path for this process's next scratch folder below the store's folder for them. */
export const scratchPath = (temporary: string): string => join(temporary, holdingName(++scratches));

/**
 * Adopts the scratch folder of a process that has ended, so that folders need not be made and removed for every build,
 * and removes all other abandoned ones. Returns the adopted folder's list of sandboxes, if it has one.
 */
export function adoptScratch(temporary: string, scratch: string): string | undefined {
  const user = process.getuid?.() ?? 0;
  let adopted = false;
  for (const name of readdirSync(temporary)) {
    const path = join(temporary, name);
    if (isScratchHeld(path)) continue;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // Of a store that users share, what another user left is that user's to remove.
    if (stat !== undefined && stat.uid !== user) continue;
    // Only a folder of its own: what a link leads to is not arc's.
    if (stat?.isDirectory() !== true) removeTree(path);
    else if (!adopted) adopted = tryRename(path, scratch);
    // Out of the reach of others first: one that adopted it meanwhile would build in a folder that goes.
    else if (tryRename(path, join(scratch, name))) removeTree(join(scratch, name));
  }
  if (!adopted) {
    mkdirSync(scratch);
    return undefined;
  }
  const list = readIfThere(join(scratch, SANDBOX_LIST));
  // Sandboxes are emptied when reused; everything else is removed.
  for (const name of readdirSync(scratch)) if (!name.startsWith(SANDBOX)) removeTree(join(scratch, name));
  return list;
}

/** Undefined if there is none, or it cannot be read. */
function readIfThere(file: string): string | undefined {
  try {
    return readOwnFile(file).toString("utf8");
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof NoFile)) throw error;
    return undefined;
  }
}

/** False when another process was faster. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return false;
    throw error;
  }
}

export function markServer(scratch: string): void {
  writeFileSync(join(scratch, SERVER), "");
}

/** Keeps a scratch folder from counting as abandoned, until the returned function is called. */
export const keepScratch = (scratch: string): (() => void) => keepTouched(scratch, TOUCH_MS);

/** Leaves a scratch folder to the next process, on whatever machine. */
export function leaveScratch(scratch: string): void {
  try {
    renameSync(scratch, join(dirname(scratch), `left-${uniqueName()}`));
  } catch (error) {
    // The folder then counts as abandoned as soon as this process ends.
    if (errnoOf(error) === undefined) throw error;
  }
}
