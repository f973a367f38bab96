/** Reads a whole file into memory. */
import { closeSync, fstatSync, readSync } from "node:fs";

export interface FileMap {
  /** Maps an open file: each page is read on first access. */
  readonly map: (descriptor: number) => ArrayBuffer | undefined;
}

/** All bytes of an open file, which is closed. The buffer has memory of its own, aligned for any number type. */
export function readWhole(descriptor: number, fast: FileMap | undefined): Buffer<ArrayBuffer> {
  try {
    const mapped = fast?.map(descriptor);
    if (mapped !== undefined) return Buffer.from(mapped);
    const bytes = Buffer.allocUnsafeSlow(fstatSync(descriptor).size);
    let at = 0;
    while (at < bytes.length) {
      const read = readSync(descriptor, bytes, at, bytes.length - at, at);
      if (read === 0) break;
      at += read;
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(descriptor);
  }
}
