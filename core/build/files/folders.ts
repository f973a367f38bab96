/** Creates folders. Node's recursive mkdir never returns on some file systems that refuse to create the folder. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "../model/system-error.ts";

/** Creates a folder and its missing parents. Throws errors of the file system. */
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
    // In /proc the folder still does not exist; this throws the right error.
    mkdirSync(folder);
  } catch (error) {
    if (!isThere(error, folder)) throw error;
  }
}

/** Whether mkdir failed only because the folder exists; read-only file systems report other errors for that, too. */
function isThere(error: unknown, folder: string): boolean {
  if (!["EEXIST", "EROFS", "EPERM", "EACCES", "EISDIR"].includes(errnoOf(error) ?? "")) return false;
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
