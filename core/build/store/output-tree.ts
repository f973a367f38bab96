/** Puts outputs where the user finds them: always complete, always a copy, never over a user's own file. */
import { lstatSync, readdirSync, renameSync, rmSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { FileTable } from "../files/files.ts";
import { makeFolders } from "../files/folders.ts";
import { emptyFolder, removeTree } from "../files/remove.ts";
import { uniqueName } from "../files/unique.ts";
import { isExecutable, type StoredOutput } from "../key/result.ts";
import type { ActionOutput, Digest } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { fault } from "../model/fault.ts";
import { type FileStamp, statIfThere } from "../model/stat-signature.ts";
import { errnoOf } from "../model/system-error.ts";
import type { ContentStore } from "./store.ts";

/** Whether the output's bytes already lie in its place. */
export function isPlaced(output: StoredOutput, declared: ActionOutput, files: FileTable): boolean {
  if (declared.place === undefined) return true;
  const state = lookAtPlace(declared.place, files);
  if (state.kind !== output.kind || state.digest !== output.digest) return false;
  return state.kind === "folder" || state.executable === isExecutable(output, declared);
}

/** Whether a place is in the output folder, which belongs to arc alone. */
export function isInside(place: string, outputFolder: string | undefined): boolean {
  return outputFolder !== undefined && place.startsWith(`${outputFolder}/`);
}

function lookAtPlace(place: string, files: FileTable): ReturnType<FileTable["look"]> {
  try {
    return files.look(place);
  } catch {
    // Unreadable, or a dangling link: not what was placed.
    return { kind: "absent" };
  }
}

/**
 * Throws `place-occupied` when the place holds something that arc did not write, unless `mayGo`. If arc wrote a file
 * and now there is a folder, the folder is the user's.
 */
export function checkPlace(
  { place, kind }: ActionOutput & { readonly place: string },
  owns: (place: string) => boolean,
  files: FileTable,
  mayGo: () => boolean,
): void {
  const stat = lstatInside(place, owns, files);
  if (stat === undefined) return;
  const isOther = kind === "file" && stat.isDirectory() && readdirSync(files.absolute(place)).length > 0;
  if ((owns(place) && !isOther) || mayGo()) return;
  throw new EngineError(
    "place-occupied",
    `${place} is in the way of an output: arc did not write it`,
    "move it away, or give the output another place",
  );
}

/** Whether the store has a copy of what lies in a place, so that replacing it loses nothing; links have no copies. */
export function isCopied(place: string, files: FileTable, store: Pick<ContentStore, "has">): boolean {
  if (lstatSync(files.absolute(place), { throwIfNoEntry: false })?.isSymbolicLink() !== false) return false;
  const state = lookAtPlace(place, files);
  return (state.kind === "file" || state.kind === "folder") && store.has(state.digest);
}

/** A file where a parent folder of the place should be is in the way, unless arc wrote it for an older graph. */
function lstatInside(place: string, owns: (place: string) => boolean, files: FileTable): Stats | undefined {
  try {
    return lstatSync(files.absolute(place), { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) !== "ENOTDIR") throw error;
  }
  let file = place;
  while (file.includes("/")) {
    file = file.slice(0, file.lastIndexOf("/"));
    if (statIfThere(files.absolute(file))?.isDirectory() === false) break;
  }
  if (owns(file)) {
    removeTree(files.absolute(file));
    return undefined;
  }
  throw new EngineError(
    "place-occupied",
    `${place} cannot be written: ${file} is a file, and arc did not write it`,
    "move that file away, or give the output another place",
  );
}

/** Copies outputs to their places through a scratch folder, so that no incomplete file is ever seen there. */
export class Materializer {
  readonly #files: FileTable;
  readonly #store: ContentStore;
  readonly scratch: string;

  /** `scratch` is used by one build at a time; what a crash left in it is removed. */
  constructor(files: FileTable, store: ContentStore, scratch: string) {
    this.#files = files;
    this.#store = store;
    this.scratch = scratch;
  }

  sweep(): void {
    if (statSync(this.scratch, { throwIfNoEntry: false }) !== undefined) emptyFolder(this.scratch);
  }

  /** `placed`: the output is there already, with this stamp. */
  place(output: StoredOutput, declared: ActionOutput, placed?: FileStamp): void {
    const { place } = declared;
    if (place === undefined) return;
    if (placed !== undefined) {
      this.#files.recordStamped(place, output.digest, placed, isExecutable(output, declared));
      return;
    }
    const target = this.#files.absolute(place);
    const executable = isExecutable(output, declared);
    try {
      this.#write(output, executable, this.scratch, target);
    } catch (error) {
      // A link leads to another file system: the best choice is a temporary name next to the target.
      if (errnoOf(error) !== "EXDEV" && errnoOf(error) !== "ENOSPC") throw error;
      this.#write(output, executable, dirname(target), target);
    }
    if (output.kind === "file") this.#files.recordPlaced(place, output.digest);
    else this.#files.recordPlacedFolder(place, output.digest, this.#store.readFolder(output.digest));
  }

  #write(output: StoredOutput, executable: boolean, folder: string, target: string): void {
    const temporary = `${folder}/.arc-${uniqueName()}`;
    try {
      inFolder(folder, () => {
        if (output.kind === "folder") this.#store.copyFolderTo(output.digest, temporary);
        else this.#store.copyTo(output.digest, temporary, executable);
      });
      fault("place:before-rename");
      if (output.kind === "folder") removeTree(target);
      inFolder(dirname(target), () => replace(temporary, target));
      fault("place:after-rename");
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      throw error;
    }
  }
}

/** Whether the store has an output; for a folder, with all its files. */
export function isStored(output: StoredOutput, store: ContentStore): boolean {
  try {
    return output.kind === "folder"
      ? store.hasFolder(output.digest)
      : store.hasWhole(output.digest, output.size);
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

/** Restores into the store an output that only its place still has. False when the place holds something else. */
export function storeFromPlace(
  output: StoredOutput,
  declared: ActionOutput,
  files: FileTable,
  store: ContentStore,
): boolean {
  if (declared.place === undefined) return false;
  const path = files.absolute(declared.place);
  try {
    // Reading a named pipe would wait for a writer.
    if (output.kind === "file" && !statSync(path).isFile()) return false;
    const digest: Digest =
      output.kind === "folder"
        ? store.putFolder(path, (file) => store.putCopy(file)).digest
        : store.putCopy(path).digest;
    return digest === output.digest;
  } catch (error) {
    if (error instanceof EngineError || errnoOf(error) !== undefined) return false;
    throw error;
  }
}

/** Renames; a folder in the way of a file is removed first. */
function replace(temporary: string, target: string): void {
  try {
    renameSync(temporary, target);
  } catch (error) {
    if (errnoOf(error) !== "EISDIR") throw error;
    removeTree(target);
    renameSync(temporary, target);
  }
}

/** Writes into a folder, and creates it if the write shows that it is missing. */
function inFolder(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    makeFolders(folder);
    write();
  }
}
