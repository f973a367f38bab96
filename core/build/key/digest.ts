/** SHA-256 of bytes, of data in canonical form, and of files. */
import { closeSync, openSync, readSync } from "node:fs";
import type { Digest, Json } from "../model/action.ts";
import { onFile } from "../model/system-error.ts";
import { canonicalJson } from "./canonical.ts";
import { sha256Hex, sha256InParts, sha256OfFile } from "./sha256.ts";

export function digestBytes(bytes: string | Uint8Array): Digest {
  return sha256Hex(bytes) as Digest;
}

/** Equal values have equal digests, whatever the order of their keys. */
export function digestOf(value: Json): Digest {
  return digestBytes(canonicalJson(value));
}

export function isDigest(text: string): text is Digest {
  return /^[0-9a-f]{64}$/.test(text);
}

// One buffer for all reads: most files are smaller than it, and asynchronous reads of small files cost five times as
// much.
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Digest and length of a file's bytes. Throws the file system's error. */
export function hashFile(path: string): { digest: Digest; size: number } {
  const known = sha256OfFile(path);
  if (known !== undefined) return { digest: known.digest as Digest, size: known.size };
  return onFile(path, () => {
    const file = openSync(path, "r");
    try {
      const length = readSync(file, buffer, 0, buffer.length, 0);
      // On some network file systems a short read is not the end: only a read of nothing is.
      if (length < buffer.length && readSync(file, buffer, length, buffer.length - length, length) === 0) {
        return { digest: digestBytes(buffer.subarray(0, length)), size: length };
      }
      return hashOpen(file);
    } finally {
      closeSync(file);
    }
  });
}

function hashOpen(file: number): { digest: Digest; size: number } {
  const hashing = sha256InParts();
  let size = 0;
  for (;;) {
    const length = readSync(file, buffer, 0, buffer.length, size);
    if (length === 0) return { digest: hashing.digest("hex") as Digest, size };
    hashing.update(buffer.subarray(0, length));
    size += length;
  }
}
