/** A folder as one value: the sorted list of what is in it. Its digest is the folder's digest. */
import { lstatSync, mkdirSync, readdirSync, readlinkSync, type Stats, statSync, symlinkSync } from "node:fs";
import { dirname, isAbsolute, join, posix } from "node:path";
import type { Digest } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { errnoOf } from "../model/system-error.ts";
import type { TreeEntry } from "../records/folder.ts";
import { strayLink } from "../records/links.ts";
import { makeFolders } from "./folders.ts";

/** Hashes (and, for outputs, stores) one file of the folder. */
type FileReader = (absolute: string) => { readonly digest: Digest; readonly executable: boolean };

/** Called with each folder before its names are read. */
type FolderVisitor = (absolute: string, stat: Stats) => void;

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
  // A link may lead out of the folder through another link.
  const stray = strayLink(entries);
  if (stray !== undefined) throw linksOut(`${folder}/${stray.path}`, `a link that ${stray.leads}`);
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
  throw linksOut(absolute, `a link out of its folder, to ${target}`);
}

function linksOut(absolute: string, what: string): EngineError {
  return new EngineError(
    "unreadable-input",
    `${absolute} is ${what}`,
    "copy the target into the folder, or make the link relative and keep its target there; an input may have the target as another input beside it",
  );
}

/** The error for a name that was listed a moment ago and is gone: names that are not UTF-8 cannot be found again. */
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

/**
 * Creates the contents of a folder below `folder`, which must be new; `layFile` puts one file in place and fails if
 * something is there. Links come last, so that nothing is written through them, even where the file system treats two
 * names as equal.
 */
export function layTree(
  entries: readonly TreeEntry[],
  folder: string,
  layFile: (digest: Digest, absolute: string, executable: boolean) => void,
): void {
  makeFolders(folder);
  const made = new Set<string>([folder]);
  const make = (path: string): void => {
    if (made.has(path)) return;
    make(dirname(path));
    makeFolder(path);
    made.add(path);
  };
  for (const entry of entries) {
    const absolute = `${folder}/${entry.path}`;
    make(entry.kind === "empty" ? absolute : dirname(absolute));
    if (entry.kind === "file") layFile(entry.digest, absolute, entry.executable);
  }
  for (const entry of entries)
    if (entry.kind === "link") symlinkSync(entry.target, `${folder}/${entry.path}`);
}

/** Accepts an existing folder, but not a link to one. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST" || !lstatSync(path).isDirectory()) throw error;
  }
}
