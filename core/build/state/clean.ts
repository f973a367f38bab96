/** Removes what arc wrote into a project. */
import { lstatSync, readdirSync, rmdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { FileTable } from "../files/files.ts";
import { removeTree } from "../files/remove.ts";
import { EngineError } from "../model/error.ts";
import { errnoOf } from "../model/system-error.ts";
import { isCopied } from "../store/output-tree.ts";
import type { ContentStore } from "../store/store.ts";
import { byPlace } from "./leftovers.ts";
import { type Lock, lockHolder, tryLock } from "./lock.ts";
import { State } from "./state.ts";

interface Cleaned {
  /** Places that were removed, relative to the root. */
  readonly removed: readonly string[];
  /** Places whose content is no longer what arc wrote: they are the user's now. */
  readonly retained: readonly string[];
}

/**
 * Removes outputs that are still as arc wrote them, folders that become empty, and the build database. A build that was
 * killed may have written files without recording them, also in the output folder. Only in that case is the store
 * opened, which has a copy of everything. Throws `state-unusable` while a build is going on.
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
  const retained: string[] = [];
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
      else retained.push(place);
    }
    let store: Pick<ContentStore, "has"> | undefined;
    // Without a journal, this list is all that says where arc wrote; newer files may be the user's.
    const unrecorded = state.known > 0 ? [] : [...state.formerPlaces()];
    const isNewer = (place: string): boolean =>
      (lstatSync(join(root, place), { throwIfNoEntry: false })?.mtimeMs ?? 0) > state.lastPlacedAt;
    for (const place of [...state.claims, ...unrecorded.filter((place) => !isNewer(place))]) {
      if (lstatSync(join(root, place), { throwIfNoEntry: false }) === undefined) continue;
      store ??= openStore();
      if (isCopied(place, files, store)) remove(place);
      else retained.push(place);
    }
    for (const place of outputFolder === undefined ? [] : filesIn(root, outputFolder)) {
      if (retained.some((one) => place === one || place.startsWith(`${one}/`))) continue;
      store ??= openStore();
      if (isCopied(place, files, store)) remove(place);
    }
  } finally {
    state.close();
    lock?.release();
  }
  removeTree(stateFolder);
  return { removed: removed.sort(), retained: retained.sort() };
}

/** Undefined on a full disk, where no lock can be written and nothing can be built: cleaning frees space. */
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

/** Paths relative to the root, at any depth. */
function filesIn(root: string, folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  } catch {
    // Missing, or not readable.
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
      // Already removed, or not removable.
      return;
    }
  }
}
