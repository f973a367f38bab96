/** Removes folders whatever their permissions. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { errnoOf } from "../model/system-error.ts";

/** Also removes folders that were made read-only. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (errnoOf(error) !== "EACCES" && errnoOf(error) !== "EPERM") throw error;
    // Nobody opens what belongs to another user: then the first error is the one to report.
    if (!openFolders(path)) throw error;
    rmSync(path, { recursive: true, force: true });
  }
}

/** False if one of them belongs to another user. */
function openFolders(folder: string): boolean {
  // The target of a link does not belong to this folder.
  if (!lstatSync(folder).isDirectory()) return true;
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
    return false;
  }
  const inside = readdirSync(folder, { withFileTypes: true });
  return inside.every((entry) => !entry.isDirectory() || openFolders(join(folder, entry.name)));
}

/** Removes the contents of a folder. A link to a folder is replaced by a new folder. */
export function emptyFolder(folder: string): void {
  if (!lstatSync(folder).isDirectory()) {
    unlinkSync(folder);
    mkdirSync(folder);
    return;
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) removeTree(path);
    else unlinkSync(path);
  }
}
