/** Takes back what arc wrote into a project. */
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { FileTable } from "../files/files.ts";
import { removeTree } from "../files/remove.ts";
import { EngineError, errnoOf } from "../model/error.ts";
import { isCopied } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";
import { byPlace } from "./leftovers.ts";
import { type Lock, lockHolder, tryLock } from "./lock.ts";
import { State } from "./state.ts";

export interface Cleaned {
  /** Places that are gone, relative to the root. */
  readonly removed: readonly string[];
  /** Places whose content is not what arc wrote last: somebody else's work now. */
  readonly kept: readonly string[];
}

/**
 * Removes outputs that are still as arc wrote them, folders that this empties, and the project's memory.
 * The store, which keeps everything, tells what a build wrote that was killed before it could note that, also in the
 * folder where nobody else keeps anything: it is asked for only then. Throws `state-unusable` while a build is going on.
 */
export function cleanProject(
  root: string,
  openStore: () => Pick<ContentStore, "has">,
  outputFolder?: string,
): Cleaned {
  const stateFolder = join(root, ".arc");
  const lock = lockToClean(stateFolder);
  const state = new State(stateFolder);
  const files = new FileTable(root);
  const removed: string[] = [];
  const kept: string[] = [];
  const remove = (place: string): void => {
    removeTree(join(root, place));
    removeEmptyFolders(root, dirname(place));
    removed.push(place);
  };
  try {
    for (const [place, left] of byPlace(state.left())) {
      const found = files.look(place);
      if (found.kind === "absent") continue;
      const isUsers = (at: number): boolean =>
        !state.hadOutput(place) && (files.stampOf(place)?.mtimeMs ?? 0) > at;
      if (left.some(({ digest, at }) => digest === found.digest && !isUsers(at))) remove(place);
      else kept.push(place);
    }
    let store: Pick<ContentStore, "has"> | undefined;
    // Without a journal this is all that tells where arc wrote; what is newer may be the user's.
    const unrecorded = state.known > 0 ? [] : [...state.formerPlaces()];
    const isNewer = (place: string): boolean =>
      (lstatSync(join(root, place), { throwIfNoEntry: false })?.mtimeMs ?? 0) > state.lastPlacedAt;
    for (const place of [...state.claims, ...unrecorded.filter((place) => !isNewer(place))]) {
      if (lstatSync(join(root, place), { throwIfNoEntry: false }) === undefined) continue;
      store ??= openStore();
      if (isCopied(place, files, store)) remove(place);
      else kept.push(place);
    }
    for (const place of outputFolder === undefined ? [] : filesIn(root, outputFolder)) {
      if (kept.some((one) => place === one || place.startsWith(`${one}/`))) continue;
      store ??= openStore();
      if (isCopied(place, files, store)) remove(place);
    }
  } finally {
    state.close();
    lock?.release();
  }
  removeTree(stateFolder);
  return { removed: removed.sort(), kept: kept.sort() };
}

/** Undefined on a full disk, where no lock can be written, nor anything built: to clean frees it. */
function lockToClean(stateFolder: string): Lock | undefined {
  let heldBy: string | undefined;
  try {
    const lock = tryLock(stateFolder);
    if (!("heldBy" in lock)) return lock;
    heldBy = lock.heldBy;
  } catch (error) {
    if (!(error instanceof EngineError) || errnoOf(error.cause) !== "ENOSPC") throw error;
    heldBy = lockHolder(stateFolder);
    if (heldBy === undefined) return undefined;
  }
  throw new EngineError("state-unusable", `a build is going on here (${heldBy})`, "wait for it, or stop it");
}

/** Relative to the root, at any depth. */
function filesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  } catch {
    // Not there, or not ours to read.
    return [];
  }
}

function removeEmptyFolders(root: string, folder: string): void {
  for (let at = folder; at !== "." && at !== "/"; at = dirname(at)) {
    const path = join(root, at);
    try {
      if (readdirSync(path).length > 0) return;
      rmdirSync(path);
    } catch {
      // Gone already, or not ours to remove.
      return;
    }
  }
}
