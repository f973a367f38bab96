/**
 * SHA-256, by the native part if it is available: loading `node:crypto` takes longer than hashing everything that a
 * small build reads.
 */
import type { Hash } from "node:crypto";
import { createRequire } from "node:module";
import { native } from "../native/native.ts";

const require = createRequire(import.meta.url);

const BYTES = 32;
/** Digest of the last call. */
const last = Buffer.allocUnsafeSlow(BYTES);

export function sha256Hex(bytes: string | Uint8Array): string {
  return fill(bytes) ? last.toString("hex") : crypto().hash("sha256", bytes, "hex");
}

export function sha256(bytes: string | Uint8Array): Buffer {
  return fill(bytes) ? Buffer.from(last) : crypto().hash("sha256", bytes, "buffer");
}

/**
 * Digest and size of a file; undefined if there is no native part or the file cannot be read. The caller then gets the
 * file system's error by reading it itself.
 */
export function sha256OfFile(path: string): { digest: string; size: number } | undefined {
  const size = native?.sha256File?.(path, last) ?? -1;
  return size < 0 ? undefined : { digest: last.toString("hex"), size };
}

/** For data that does not fit into memory. */
export function sha256InParts(): Hash {
  return crypto().createHash("sha256");
}

function fill(bytes: string | Uint8Array): boolean {
  if (native?.sha256 === undefined) return false;
  native.sha256(typeof bytes === "string" ? Buffer.from(bytes, "utf8") : bytes, last);
  return true;
}

function crypto(): typeof import("node:crypto") {
  return require("node:crypto");
}
