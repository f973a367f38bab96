import path from "node:path";
import { circleRemedy, circleTold, linkCircle } from "../../schema/resolve/link-circle.ts";
import { UsageError } from "../call/usage-error.ts";

/** The error for a missing file; its name is relative to a folder. */
export function missingSource(file: string, folder: string): UsageError {
  const circle = linkCircle(path.resolve(folder, file));
  return circle === undefined
    ? new UsageError(`there is no ${file}`, "name C files that exist")
    : new UsageError(circleTold(file, circle, folder), circleRemedy);
}
