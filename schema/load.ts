/** Loads arc.yaml into a `Project`, or reports its errors. */
import { isUtf8 } from "node:buffer";
import {
  closeSync,
  type Dirent,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { isDeepStrictEqual } from "node:util";
import { type ArcFile, arcSchema, type KindSchema } from "./contract/arc-schema.ts";
import type { Project } from "./contract/project.ts";
import type { Axis } from "./document/axis.ts";
import type { Diagnostic } from "./document/diagnostic.ts";
import { ArcDocument } from "./document/document.ts";
import type { FolderEntry, ListFolder } from "./document/patterns.ts";
import { resolveProject } from "./resolve/resolve.ts";
import { validateDocument } from "./validate.ts";

export const projectFile = "arc.yaml";

const PIECE_BYTES = 64 * 1024;

/** What this build of arc supports: the kinds, options and axes that a project may use. */
export interface Vocabulary {
  readonly kinds: readonly KindSchema[];
  readonly axes: readonly Axis[];
  /** Steps that start processes, which executors can run. */
  readonly steps: readonly string[];
}

export interface Loaded {
  /** Absent if there is an error. */
  readonly project?: Project;
  readonly diagnostics: readonly Diagnostic[];
  /** Files whose content decided the result, and folders that were searched. */
  readonly read: readonly string[];
  /** Paths whose existence mattered. */
  readonly named: readonly string[];
  /** Whether everything that was read is unchanged. */
  readonly isCurrent: () => boolean;
}

/** Loads the arc.yaml of a folder, or a file by name. */
export function loadProject(folderOrFile: string, vocabulary: Vocabulary): Loaded {
  const file = isFolder(folderOrFile) ? path.join(folderOrFile, projectFile) : folderOrFile;
  const failed = (diagnostic: Diagnostic): Loaded => ({
    diagnostics: [diagnostic],
    read: [file],
    named: [],
    isCurrent: () => true,
  });
  let bytes: Buffer;
  try {
    const stat = statSync(file);
    if (stat.isFIFO()) return failed(noFile(file, "a named pipe"));
    if (stat.isCharacterDevice() || stat.isBlockDevice()) return failed(noFile(file, "a device"));
    bytes = readFileSync(file);
  } catch (error) {
    return failed(unreadable(file, error as NodeJS.ErrnoException));
  }
  if (!isUtf8(bytes)) return failed(notUtf8(file, bytes));
  const text = bytes.toString("utf8");
  const parsed = parseProject(text, file, vocabulary);
  return { ...parsed, isCurrent: () => holdsText(file, text) && parsed.isCurrent() };
}

/** Compares piece by piece: the file may be large, and is in memory already. */
function holdsText(file: string, text: string): boolean {
  const decoder = new StringDecoder("utf8");
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const descriptor = openSync(file, "r");
  try {
    for (let at = 0; ; ) {
      const count = readSync(descriptor, piece);
      if (count === 0) return text.length === at && decoder.end() === "";
      const read = decoder.write(piece.subarray(0, count));
      if (!text.startsWith(read, at)) return false;
      at += read.length;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** `file` is used for positions and as the base of the project's paths; `isThere` answers for absolute paths. */
export function parseProject(
  text: string,
  file: string,
  vocabulary: Vocabulary,
  isThere: (path: string) => boolean = existsSync,
): Loaded {
  const root = path.dirname(path.resolve(file));
  const found = new Map<string, boolean>();
  const exists = (name: string): boolean => {
    const there = isThere(path.join(root, name));
    found.set(path.join(root, name), there);
    return there;
  };
  const listed = new Map<string, readonly FolderEntry[]>();
  const list: ListFolder = (name) => {
    const folder = path.join(root, name);
    const entries = listed.get(folder) ?? entriesOf(folder);
    listed.set(folder, entries);
    return entries;
  };
  const document = new ArcDocument(file, text);
  const { project, diagnostics } = readProject(document, root, file, vocabulary, { exists, list });
  const consulted = { read: [path.resolve(file), ...listed.keys()], named: [...found.keys()] };
  const isCurrent = (): boolean =>
    [...found].every(([name, there]) => isThere(name) === there) &&
    [...listed].every(([folder, entries]) => isDeepStrictEqual(entriesOf(folder), entries));
  const all = sorted(diagnostics);
  const valid = project !== undefined && !all.some((d) => d.severity === "error");
  return { ...(valid ? { project } : {}), diagnostics: all, ...consulted, isCurrent };
}

function readProject(
  document: ArcDocument,
  root: string,
  file: string,
  { kinds, axes, steps }: Vocabulary,
  look: { readonly exists: (name: string) => boolean; readonly list: ListFolder },
): { readonly project?: Project; readonly diagnostics: readonly Diagnostic[] } {
  const syntax = document.diagnostics;
  if (syntax.some((d) => d.severity === "error")) return { diagnostics: syntax };
  const invalid = validateDocument(document, arcSchema(kinds, axes));
  if (invalid.length > 0) return { diagnostics: [...syntax, ...invalid] };
  const resolved = resolveProject(document.value() as ArcFile, {
    document,
    file,
    root,
    kinds,
    axes,
    steps,
    ...look,
  });
  return { project: resolved.project, diagnostics: [...syntax, ...resolved.diagnostics] };
}

/** Sorted by name. Throws errors of the file system if the folder exists. */
function entriesOf(folder: string): readonly FolderEntry[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
  const kindOf = (entry: Dirent): FolderEntry["kind"] => {
    if (entry.isDirectory()) return "folder";
    return entry.isSymbolicLink() && isFolder(path.join(folder, entry.name)) ? "link-to-folder" : "file";
  };
  return entries
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const sorted = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  [...diagnostics].sort((a, b) => a.loc.line - b.loc.line || a.loc.col - b.loc.col);

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch {
    return false;
  }
}

function unreadable(file: string, error: NodeJS.ErrnoException): Diagnostic {
  const loc = { file, line: 1, col: 1 };
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") {
    return {
      severity: "error",
      code: "unreadable-file",
      message: `cannot be read: ${error.message}`,
      loc,
      remedy: "make it readable; if the disk fails, `dmesg` says more",
    };
  }
  const folder = path.dirname(file);
  return {
    severity: "error",
    code: "no-project",
    message: isFolder(folder) ? "there is no arc.yaml here" : `there is no folder ${folder}`,
    loc,
    why: "arc.yaml says what to build and for which targets",
    remedy: "write one with `arc init`, or name the project's folder with `-C DIR`",
  };
}

/** The error for what may never end: a named pipe waits until a writer opens it. */
function noFile(file: string, what: string): Diagnostic {
  return {
    severity: "error",
    code: "unreadable-file",
    message: `is ${what}`,
    loc: { file, line: 1, col: 1 },
    why: "a project is read again whenever it changes",
    remedy: "write it to a file",
  };
}

/** Positioned at the first invalid line. */
function notUtf8(file: string, bytes: Buffer): Diagnostic {
  let line = 1;
  let start = 0;
  for (
    let end = bytes.indexOf(0x0a);
    end >= 0 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf(0x0a, start)
  ) {
    start = end + 1;
    line += 1;
  }
  return {
    severity: "error",
    code: "unreadable-file",
    message: "arc.yaml is no text in UTF-8",
    loc: { file, line, col: 1 },
    remedy: "save it as UTF-8",
  };
}
