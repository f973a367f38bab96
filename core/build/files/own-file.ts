/** Opens a file that arc keeps for itself, in whose place anything may lie by now. */
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { readWhole } from "./whole-file.ts";

/** To open a named pipe waits for somebody who writes, for ever. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

/** What is no file is as good as not there. */
export function openOwnFile(path: string): number {
  const descriptor = openSync(path, READ);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new NoFile(path);
}

/** All of it. */
export function readOwnFile(path: string): Buffer {
  return readWhole(openOwnFile(path), undefined);
}

/** Something else lies there: a folder, a named pipe, a device. */
export class NoFile extends Error {
  constructor(path: string) {
    super(`${path} is no file`);
  }
}
