/** Makes folders. Node's own way of making those around one, too, never ends where a file system will not have them. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../model/error.ts";

/** Makes a folder and those around it, as far as they are not there. Throws errors of the file system. */
export function makeFolders(folder: string): void {
  try {
    mkdirSync(folder);
    return;
  } catch (error) {
    if (isThere(error, folder)) return;
    const around = dirname(folder);
    if (errnoOf(error) !== "ENOENT" || around === folder) throw error;
    makeFolders(around);
  }
  try {
    // In /proc there is no such folder even now.
    mkdirSync(folder);
  } catch (error) {
    if (!isThere(error, folder)) throw error;
  }
}

/** File systems that may only be read say so of what is there, too. */
function isThere(error: unknown, folder: string): boolean {
  if (!["EEXIST", "EROFS", "EPERM", "EACCES", "EISDIR"].includes(errnoOf(error) ?? "")) return false;
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
