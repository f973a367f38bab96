/** A folder as one value: the sorted list of what is in it. Its digest is the folder's digest. */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, type Stats, statSync, symlinkSync } from "node:fs";
import { dirname, isAbsolute, join, posix } from "node:path";
import type { Digest } from "./action.ts";
import { EngineError } from "./error.ts";

export type TreeEntry =
  | { readonly path: string; readonly kind: "file"; readonly digest: Digest; readonly executable: boolean }
  | { readonly path: string; readonly kind: "link"; readonly target: string }
  /** Only empty folders are listed; the others follow from their files. */
  | { readonly path: string; readonly kind: "empty" };

/** Hashes (and, for outputs, stores) one file of the folder. */
export type FileReader = (absolute: string) => { readonly digest: Digest; readonly executable: boolean };

/** Told of each folder before its names are read. */
export type FolderVisitor = (absolute: string, stat: Stats) => void;

/** Reads a folder. Links that stay inside it are kept as links; a link to a file outside counts as that file. */
export function readTree(folder: string, readFile: FileReader, onFolder?: FolderVisitor): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const visit = (inside: string): void => {
    const here = inside === "" ? folder : join(folder, inside);
    onFolder?.(here, statSync(here));
    const names = readdirSync(here).sort();
    if (names.length === 0 && inside !== "") entries.push({ path: inside, kind: "empty" });
    for (const name of names) {
      const path = inside === "" ? name : `${inside}/${name}`;
      const absolute = join(folder, path);
      const stat = lstatSync(absolute, { throwIfNoEntry: false });
      if (stat === undefined) throw vanished(folder, path);
      if (stat.isDirectory()) visit(path);
      else if (stat.isSymbolicLink()) entries.push(readLink(absolute, path, readFile));
      else if (stat.isFile()) entries.push({ path, kind: "file", ...readFile(absolute) });
      else {
        throw new EngineError(
          "unreadable-input",
          `${absolute} is neither a file, a folder nor a link`,
          "remove sockets, pipes and devices from folders that actions read or write",
        );
      }
    }
  };
  visit("");
  return entries;
}

function readLink(absolute: string, path: string, readFile: FileReader): TreeEntry {
  const target = readlinkSync(absolute);
  const resolved = posix.normalize(posix.join(posix.dirname(path), target));
  if (!isAbsolute(target) && resolved !== ".." && !resolved.startsWith("../")) {
    return { path, kind: "link", target };
  }
  if (statSync(absolute, { throwIfNoEntry: false })?.isFile()) {
    return { path, kind: "file", ...readFile(absolute) };
  }
  throw new EngineError(
    "unreadable-input",
    `${absolute} is a link out of its folder, to ${target}`,
    "copy the target into the folder, or make the link relative and keep its target there; an input may have the target as another input beside it",
  );
}

/** What was listed a moment ago: names that are no UTF-8 are not found by what they were read as. */
function vanished(folder: string, path: string): EngineError {
  return path.includes("\ufffd")
    ? new EngineError(
        "unreadable-input",
        `in ${folder} the name of ${path} is no text in UTF-8`,
        "rename the file",
      )
    : new EngineError(
        "unreadable-input",
        `${join(folder, path)} went while its folder was read`,
        "build again",
      );
}

/** The bytes that stand for the folder in the store. */
export function encodeTree(entries: readonly TreeEntry[]): string {
  return JSON.stringify(
    entries.map((entry) => {
      if (entry.kind === "file") return [entry.path, entry.executable ? "x" : "f", entry.digest];
      if (entry.kind === "link") return [entry.path, "l", entry.target];
      return [entry.path, "e"];
    }),
  );
}

export function decodeTree(bytes: Buffer): TreeEntry[] {
  const rows = JSON.parse(bytes.toString("utf8")) as [string, "f" | "x" | "l" | "e", string][];
  return rows.map(([path, tag, value]) => {
    // A tree may come from a remote cache: it must not write outside the folder it is laid out in.
    if (isAbsolute(path) || path.split("/").includes("..")) throw new Error(`bad path in a folder: ${path}`);
    if (tag === "f" || tag === "x") {
      return { path, kind: "file", digest: value as Digest, executable: tag === "x" };
    }
    return tag === "l" ? { path, kind: "link", target: value } : { path, kind: "empty" };
  });
}

/** Lays a folder out below `folder`, which must be new; `layFile` puts one file's bytes in place. */
export function layTree(
  entries: readonly TreeEntry[],
  folder: string,
  layFile: (digest: Digest, absolute: string, executable: boolean) => void,
): void {
  mkdirSync(folder, { recursive: true });
  const made = new Set<string>();
  for (const entry of entries) {
    const absolute = join(folder, entry.path);
    const parent = entry.kind === "empty" ? absolute : dirname(absolute);
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true });
      made.add(parent);
    }
    if (entry.kind === "file") layFile(entry.digest, absolute, entry.executable);
    else if (entry.kind === "link") symlinkSync(entry.target, absolute);
  }
}
