/** The list of a folder as it is stored and sent: one JSON row for each file, link and empty folder, sorted. */
import type { Digest } from "../model/action.ts";
import { strayLink } from "./links.ts";
import { BadRecord, bad, digest, oneOf, parseJson, path, pathInside } from "./schema.ts";

export type TreeEntry =
  | { readonly path: string; readonly kind: "file"; readonly digest: Digest; readonly executable: boolean }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  /** Only empty folders are listed; others follow from their files. */
  | { readonly path: string; readonly kind: "empty" };

export interface FolderLimits {
  /** Bytes of the list. */
  readonly bytes: number;
  /** Number of files, links and folders. */
  readonly entries: number;
}

/** For folders made on this machine; a larger one is refused when it is made. */
export const OWN_FOLDERS: FolderLimits = { bytes: 2 ** 28, entries: 1_000_000 };
/** For folders sent to or received from others: creating such a folder takes seconds at most. */
export const SHARED_FOLDERS: FolderLimits = { bytes: 2 ** 25, entries: 65_536 };

/** The bytes that represent the folder in the store. */
export function encodeFolder(entries: readonly TreeEntry[]): string {
  return JSON.stringify(
    entries.map((entry) => {
      if (entry.kind === "file") return [entry.path, entry.executable ? "x" : "f", entry.digest];
      if (entry.kind === "link") return [entry.path, "l", entry.target];
      return [entry.path, "e"];
    }),
  );
}

/**
 * Throws `BadRecord`. When a parsed list is created in a new folder, nothing is written outside of it, not even through
 * its own links, and no row overwrites another.
 */
export function parseFolder(bytes: Buffer, limits: FolderLimits): TreeEntry[] {
  if (bytes.length > limits.bytes) throw tooLong(bytes.length, limits);
  const rows = parseJson(bytes.toString("utf8"));
  if (!Array.isArray(rows)) throw bad("the list of a folder", "a list", rows);
  const tooMany = () => new BadRecord(`a folder has more than ${limits.entries} entries`);
  if (rows.length > limits.entries) throw tooMany();
  const entries: TreeEntry[] = [];
  let before: readonly string[] = [];
  let folders = 0;
  for (const [at, row] of rows.entries()) {
    const entry = parseRow(row, `row ${at} of a folder`);
    const parts = entry.path.split("/");
    const shared = sharedParts(before, parts);
    checkOrder(before, parts, shared, entry.path);
    folders += Math.max(0, parts.length - 1 - shared);
    if (entries.length + folders >= limits.entries) throw tooMany();
    entries.push(entry);
    before = parts;
  }
  const stray = strayLink(entries);
  if (stray !== undefined)
    throw new BadRecord(`the link ${JSON.stringify(stray.path)} of a folder ${stray.leads}`);
  return entries;
}

export function tooLong(bytes: number, limits: FolderLimits): BadRecord {
  return new BadRecord(`the list of a folder has ${bytes} bytes, more than ${limits.bytes}`);
}

const KIND = oneOf("f", "x", "l", "e");
const LENGTH = { f: 3, x: 3, l: 3, e: 2 } as const;

function parseRow(row: unknown, where: string): TreeEntry {
  if (!Array.isArray(row)) throw bad(where, "a list", row);
  const inside = pathInside(row[0], `the path of ${where}`);
  const kind = KIND(row[1], `the kind of ${where}`);
  if (row.length !== LENGTH[kind]) throw bad(where, `${LENGTH[kind]} values`, row);
  if (kind === "e") return { path: inside, kind: "empty" };
  if (kind === "l") return { path: inside, kind: "link", target: path(row[2], `the target of ${where}`) };
  return {
    path: inside,
    kind: "file",
    digest: digest(row[2], `the digest of ${where}`),
    executable: kind === "x",
  };
}

function sharedParts(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

/**
 * Checks that rows are sorted by their path's parts, that none occurs twice, and that what lies below another row
 * follows it directly.
 */
function checkOrder(before: readonly string[], now: readonly string[], shared: number, row: string): void {
  const here = now[shared];
  const there = before[shared];
  if (before.length > 0 && there === undefined)
    throw new BadRecord(
      `the row ${JSON.stringify(row.slice(0, 80))} of a folder is there twice, or lies in what is no folder`,
    );
  if (here === undefined || (there !== undefined && here < there))
    throw new BadRecord(`the row ${JSON.stringify(row.slice(0, 80))} of a folder is not in its order`);
}
