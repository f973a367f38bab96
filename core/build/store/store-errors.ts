/** What is wrong with the store, or with what it holds, and what to do about it. */
import { statSync } from "node:fs";
import type { Digest } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { errnoOf, systemProblem } from "../model/system-error.ts";
import { OWN_FOLDERS } from "../records/folder.ts";

export function storeUnusable(directory: string, cause: unknown): EngineError {
  return new EngineError(
    "store-unusable",
    `the store ${directory} cannot be used: ${systemProblem(cause)?.message ?? String(cause)}`,
    isAnothers(directory)
      ? "choose another with --store or $ARC_STORE, or let all who use it write it (docs/cache.md#several-users)"
      : "choose another with --store or $ARC_STORE, make it writable, or free some space",
    [],
    { cause },
  );
}

function isAnothers(directory: string): boolean {
  try {
    return statSync(directory).uid !== process.getuid?.();
  } catch {
    return false;
  }
}

export function blobMissing(digest: Digest, cause: unknown): EngineError {
  const problem = errnoOf(cause) === "ENOENT" ? undefined : systemProblem(cause);
  return new EngineError(
    "blob-missing",
    problem === undefined ? `${digest} is not in the store` : `the store cannot be read: ${problem.message}`,
    problem?.remedy ?? "build again: what is missing is made anew",
    [],
    { cause },
  );
}

export const blobCorrupt = (digest: Digest): EngineError =>
  new EngineError(
    "blob-corrupt",
    `the stored bytes of ${digest} were damaged`,
    "build again: the damaged copy was removed",
  );

export const badFolderList = (digest: Digest, reason: string): EngineError =>
  new EngineError(
    "bad-record",
    `${digest} in the store is no list of a folder: ${reason}`,
    "build again: the folder is made anew",
  );

export function tooManyEntries(folder: string, entries: number): EngineError {
  return new EngineError(
    "output-missing",
    `${folder} has ${entries} entries, more than the ${OWN_FOLDERS.entries} that are kept of a folder`,
    "pack them into a file",
  );
}
