/**
 * A store that several users share: the group, or everybody, may write its folder. What arc makes in it all of them may
 * read, and write where users write at all, whatever the umask of the one who makes it.
 */
import { chmodSync, fchmodSync, fstatSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { uniqueName } from "../files/unique.ts";
import { errnoOf } from "../model/system-error.ts";
import { RUNNING } from "./runs-under-way.ts";

const OTHERS_WRITE = 0o022;

/** Permissions of the folders in a store; undefined where it is one user's own. Throws errors of the file system. */
export function sharedMode(store: string): number | undefined {
  const { mode } = statSync(store);
  // Users replace each other's files, which the sticky bit would forbid.
  return (mode & OTHERS_WRITE) === 0 ? undefined : mode & 0o2777;
}

/**
 * All folders of a new store, also those that would be made when they are needed, by who knows whom. Each appears with its
 * permissions, because others may begin at this moment, and `cas` as the last: a store that has it is not new.
 */
export function makeSharedFolders(store: string, mode: number): void {
  const shards = Array.from({ length: 256 }, (_, k) => k.toString(16).padStart(2, "0"));
  for (const name of ["tmp", "actions", "tools", RUNNING]) makeWhole(join(store, name), mode);
  makeWhole(join(store, "cas"), mode, shards);
}

/** Leaves a folder of another process as it is. */
function makeWhole(folder: string, mode: number, names: readonly string[] = []): void {
  const made = `${folder}.${uniqueName()}`;
  for (const part of [made, ...names.map((name) => join(made, name))]) {
    mkdirSync(part);
    chmodSync(part, mode);
  }
  try {
    renameSync(made, folder);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    unlessAnothers(() => chmodSync(folder, mode));
  }
}

/** Lets those write a new file who may write its folder. */
export function shareNewFile(descriptor: number, path: string): void {
  const { mode } = statSync(dirname(path));
  if ((mode & OTHERS_WRITE) === 0 || (fstatSync(descriptor).mode & 0o666) === (mode & 0o666)) return;
  unlessAnothers(() => fchmodSync(descriptor, mode & 0o666));
}

/** Only the owner changes permissions: another process may have made it at the same moment. */
function unlessAnothers(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (errnoOf(error) !== "EPERM") throw error;
  }
}
