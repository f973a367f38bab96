/** Streams into new files. */
import { createWriteStream, type WriteStream } from "node:fs";
import { nameFile } from "../model/system-error.ts";

/** A stream into a file that must not exist; its errors name the file. */
export function newFile(path: string): WriteStream {
  return createWriteStream(path, { flags: "wx" }).on("error", (error) => nameFile(path, error));
}
