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
    openFolders(path);
    rmSync(path, { recursive: true, force: true });
  }
}

function openFolders(folder: string): void {
  // The target of a link does not belong to this folder.
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
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
