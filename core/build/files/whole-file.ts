/** A file as memory. */
import { closeSync, fstatSync, readSync } from "node:fs";

export interface FileMap {
  /** The bytes of an open file, each page read when it is looked at. */
  readonly map: (descriptor: number) => ArrayBuffer | undefined;
}

/** All bytes of an open file, which is closed: memory of their own, aligned for all kinds of numbers. */
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
