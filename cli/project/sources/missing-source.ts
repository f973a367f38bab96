import { accessSync, constants, existsSync, statSync } from "node:fs";
import path from "node:path";
import { circleRemedy, circleTold, linkCircle } from "../../../schema/resolve/link-circle.ts";
import { UsageError } from "../../call/usage-error.ts";

/** Throws UsageError for what is no file that can be read; its name is relative to a folder. */
export function refuseMissing(file: string, folder: string): void {
  const at = path.resolve(folder, file);
  if (isForbidden(at))
    throw new UsageError(
      `${file} cannot be read: permission denied`,
      "make it, and the folders around it, readable",
    );
  if (!existsSync(at)) throw missingSource(file, folder);
  if (statSync(at).isDirectory())
    throw new UsageError(
      `${file} is a folder, not a C file`,
      `name the files in it: ${path.join(file, "*.c")}`,
    );
}

function isForbidden(at: string): boolean {
  try {
    accessSync(at, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}

/** The error for a missing file. */
export function missingSource(file: string, folder: string): UsageError {
  const circle = linkCircle(path.resolve(folder, file));
  return circle === undefined
    ? new UsageError(`there is no ${file}`, "name C files that exist")
    : new UsageError(circleTold(file, circle, folder), circleRemedy);
}
