/**
 * An action-cache entry as the Remote Execution API defines it (ActionResult), as far as arc uses it: the blobs that it
 * names, so that servers keep and check them, and arc's own results as auxiliary metadata.
 */

import { isDigest } from "../key/digest.ts";
import type { Digest } from "../model/action.ts";
import { bytesField, lengthDelimited, message, parse, varintField } from "./protobuf.ts";

interface WireEntry {
  /** Blobs that the entry needs. */
  readonly blobs: readonly { readonly digest: Digest; readonly size: number }[];
  /** arc's results as JSON; absent in entries of other clients. */
  readonly arc?: string;
}

const TYPE_URL = "type.googleapis.com/arc.Results";

/** Field numbers of build.bazel.remote.execution.v2 and google.protobuf.Any. */
const ACTION_RESULT = {
  outputFiles: 2,
  outputDirectories: 3,
  stdoutDigest: 6,
  stderrDigest: 8,
  metadata: 9,
} as const;
const OUTPUT_FILE = { path: 1, digest: 2 } as const;
const OUTPUT_DIRECTORY = { treeDigest: 3 } as const;
const DIGEST = { hash: 1, sizeBytes: 2 } as const;
const METADATA = { auxiliary: 11 } as const;
const ANY = { typeUrl: 1, value: 2 } as const;

export function encodeDigest(digest: Digest, size: number): Buffer {
  return message([bytesField(DIGEST.hash, Buffer.from(digest)), varintField(DIGEST.sizeBytes, size)]);
}

export function encodeEntry(entry: WireEntry): Buffer {
  const files = entry.blobs.map(({ digest, size }) => {
    const encoded = encodeDigest(digest, size);
    const file = message([
      bytesField(OUTPUT_FILE.path, Buffer.from(`blobs/${digest}`)),
      bytesField(OUTPUT_FILE.digest, encoded),
    ]);
    return bytesField(ACTION_RESULT.outputFiles, file);
  });
  if (entry.arc === undefined) return message(files);
  const any = message([
    bytesField(ANY.typeUrl, Buffer.from(TYPE_URL)),
    bytesField(ANY.value, Buffer.from(entry.arc, "utf8")),
  ]);
  const metadata = message([bytesField(METADATA.auxiliary, any)]);
  return message([...files, bytesField(ACTION_RESULT.metadata, metadata)]);
}

/** Undefined when the bytes are not such an entry: another client may have stored anything. */
export function decodeEntry(bytes: Buffer): WireEntry | undefined {
  try {
    const blobs: { digest: Digest; size: number }[] = [];
    const addDigest = (encoded: Buffer): void => {
      const fields = parse(encoded);
      const hash = lengthDelimited(fields, DIGEST.hash)[0]?.toString("latin1") ?? "";
      const size = fields.find((field) => field.number === DIGEST.sizeBytes)?.varint ?? 0;
      if (!isDigest(hash)) throw new Error(`not a digest: ${hash}`);
      if (!Number.isSafeInteger(size)) throw new Error(`not a size: ${size}`);
      blobs.push({ digest: hash, size });
    };
    const fields = parse(bytes);
    for (const file of lengthDelimited(fields, ACTION_RESULT.outputFiles)) {
      lengthDelimited(parse(file), OUTPUT_FILE.digest).forEach(addDigest);
    }
    for (const folder of lengthDelimited(fields, ACTION_RESULT.outputDirectories)) {
      lengthDelimited(parse(folder), OUTPUT_DIRECTORY.treeDigest).forEach(addDigest);
    }
    lengthDelimited(fields, ACTION_RESULT.stdoutDigest).forEach(addDigest);
    lengthDelimited(fields, ACTION_RESULT.stderrDigest).forEach(addDigest);
    for (const metadata of lengthDelimited(fields, ACTION_RESULT.metadata)) {
      for (const any of lengthDelimited(parse(metadata), METADATA.auxiliary)) {
        const inner = parse(any);
        if (lengthDelimited(inner, ANY.typeUrl)[0]?.toString("utf8") !== TYPE_URL) continue;
        return { blobs, arc: lengthDelimited(inner, ANY.value)[0]?.toString("utf8") ?? "" };
      }
    }
    return { blobs };
  } catch {
    return undefined;
  }
}
