/** Opens files that arc keeps for itself, where meanwhile something else may lie. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { onFile } from "../model/system-error.ts";
import { readWhole } from "./whole-file.ts";

/** Non-blocking, because opening a named pipe would otherwise wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens the file; throws NoFile for anything that is not a regular file. */
export function openOwnFile(path: string): number {
  const descriptor = openSync(path, READ);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new NoFile(path);
}

/** Reads the whole file. */
export function readOwnFile(path: string): Buffer {
  return onFile(path, () => readWhole(openOwnFile(path), undefined));
}

/** Something other than a file lies there: a folder, a named pipe, a device. */
export class NoFile extends Error {
  constructor(path: string) {
    super(`${path} is no file`);
  }
}
