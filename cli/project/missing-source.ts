import path from "node:path";
import { circleRemedy, circleTold, linkCircle } from "../../schema/resolve/link-circle.ts";
import { UsageError } from "../call/usage-error.ts";

/** Why there is no file of that name, relative to a folder. */
export function missingSource(file: string, folder: string): UsageError {
  const circle = linkCircle(path.resolve(folder, file));
  return circle === undefined
    ? new UsageError(`there is no ${file}`, "name C files that exist")
    : new UsageError(circleTold(file, circle, folder), circleRemedy);
}
