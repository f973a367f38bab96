/**
 * Folders that actions run in. They lie on the store's file system, so that outputs move into the store by rename.
 * Sandboxes are reused: making and removing folders costs more than a small action.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { emptyFolder, removeTree } from "../files/remove.ts";
import { errnoOf, onFile } from "../model/system-error.ts";
import { SANDBOX, SANDBOX_LIST } from "../store/scratch-folder.ts";
import type { OutputFile } from "./executor.ts";
import { leftOut, PRINTED_END, type Printed } from "./tail.ts";

/**
 * Number of sandboxes from which on arc prefers to change the folders of an existing one, which takes longer than
 * making one; more are made only when all are in use. A graph of thousands of actions has some dozens of layouts, each
 * wanted by as many actions as run at once.
 */
export const MOST_SANDBOXES = 256;

/** Largest piece in which output is read, in bytes. */
const PIECE = 1024 * 1024;

/** The folders and all their parents. */
function withParents(folders: Iterable<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const folder of folders)
    for (let at = folder; at !== "." && !all.has(at); at = dirname(at)) all.add(at);
  return all;
}

/** Name of a set of folders that includes their parents. */
const layoutOf = (folders: Iterable<string>): string => [...folders].sort().join("\0");

interface Layout {
  readonly folders: ReadonlySet<string>;
  readonly name: string;
}

/** How many layouts are cached: in large graphs many actions ask for the same. */
const LAYOUTS = 1000;

export class Sandboxes {
  readonly #directory: string;
  /** Free sandboxes by layout, least recently used first. */
  readonly #free = new Map<string, Sandbox[]>();
  /**
   * Sandboxes of an earlier arc that were not looked at yet, with their layouts if it left them empty and listed them.
   */
  #left: Map<string, string | undefined> | undefined;
  readonly #list: string | undefined;
  readonly #layouts = new Map<string, Layout>();
  #made = 0;
  #names = 0;

  /** `list`: the list that the previous arc wrote of its sandboxes when it ended normally. */
  constructor(directory: string, list?: string) {
    this.#directory = directory;
    this.#list = list;
  }

  /** A sandbox for an action that needs these folders, preferably one that has them already. */
  take(folders: readonly string[]): Sandbox {
    const { folders: needed, name: layout } = this.#layout(folders);
    const sandbox =
      this.#takeFree(layout) ??
      this.#adopt(layout) ??
      (this.#made + this.#leftSandboxes().size < MOST_SANDBOXES
        ? this.#createSandbox()
        : (this.#takeOldest() ?? this.#adoptAny() ?? this.#createSandbox()));
    sandbox.setFolders(needed, layout);
    return sandbox;
  }

  #takeFree(layout: string): Sandbox | undefined {
    const sandboxes = this.#free.get(layout);
    const sandbox = sandboxes?.pop();
    if (sandboxes?.length === 0) this.#free.delete(layout);
    return sandbox;
  }

  #takeOldest(): Sandbox | undefined {
    for (const layout of this.#free.keys()) return this.#takeFree(layout);
    return undefined;
  }

  #setFree(sandbox: Sandbox): void {
    const { layout } = sandbox;
    const sandboxes = this.#free.get(layout) ?? [];
    this.#free.delete(layout);
    this.#free.set(layout, sandboxes);
    sandboxes.push(sandbox);
  }

  #layout(folders: readonly string[]): Layout {
    const key = folders.join("\0");
    const known = this.#layouts.get(key);
    if (known !== undefined) return known;
    const all = withParents(folders);
    const layout = { folders: all, name: layoutOf(all) };
    if (this.#layouts.size === LAYOUTS) this.#layouts.clear();
    this.#layouts.set(key, layout);
    return layout;
  }

  /** Empty if another process removed the store. */
  #leftSandboxes(): Map<string, string | undefined> {
    if (this.#left !== undefined) return this.#left;
    const isThere = statSync(this.#directory, { throwIfNoEntry: false }) !== undefined;
    const names = isThere ? readdirSync(this.#directory).filter((name) => name.startsWith(SANDBOX)) : [];
    const layouts = parseList(this.#list);
    this.#left = new Map(names.map((name) => [name, layouts.get(name)]));
    for (const name of names) this.#names = Math.max(this.#names, Number(name.slice(SANDBOX.length)) || 0);
    return this.#left;
  }

  /** Adopts a left sandbox with these folders; others met on the way become free. */
  #adopt(layout: string): Sandbox | undefined {
    for (const [name, known] of this.#leftSandboxes()) {
      if (known !== undefined && known !== layout) continue;
      const sandbox = this.#takeOver(name);
      if (sandbox === undefined) continue;
      if (sandbox.layout === layout) return sandbox;
      this.#setFree(sandbox);
    }
    return undefined;
  }

  #adoptAny(): Sandbox | undefined {
    for (const name of this.#leftSandboxes().keys()) return this.#takeOver(name);
    return undefined;
  }

  #takeOver(name: string): Sandbox | undefined {
    this.#leftSandboxes().delete(name);
    const sandbox = this.#open(name);
    if (sandbox !== undefined) this.#made += 1;
    return sandbox;
  }

  /** Undefined, and removed, if it cannot be cleaned. */
  #open(name: string): Sandbox | undefined {
    const path = `${this.#directory}/${name}`;
    try {
      return new Sandbox(path);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
    removeTree(path);
    return undefined;
  }

  #createSandbox(): Sandbox {
    this.#made += 1;
    this.#names += 1;
    return new Sandbox(`${this.#directory}/${SANDBOX}${this.#names}`);
  }

  giveBack(sandbox: Sandbox): void {
    if (sandbox.clean()) this.#setFree(sandbox);
    else sandbox.remove();
  }

  /** Removes everything that actions wrote, in sandboxes of this arc and of the one before. */
  close(): void {
    const layouts: [name: string, layout: string][] = [];
    for (const [name, known] of this.#leftSandboxes()) {
      const sandbox = known === undefined ? this.#open(name) : undefined;
      sandbox?.close();
      const layout = known ?? sandbox?.layout;
      if (layout !== undefined) layouts.push([name, layout]);
    }
    this.#leftSandboxes().clear();
    for (const sandbox of [...this.#free.values()].flat()) {
      sandbox.close();
      layouts.push([sandbox.name, sandbox.layout]);
    }
    this.#free.clear();
    try {
      writeFileSync(`${this.#directory}/${SANDBOX_LIST}`, JSON.stringify(layouts));
    } catch (error) {
      // Without the list the next arc looks at the sandboxes themselves.
      if (errnoOf(error) === undefined) throw error;
    }
  }
}

/** Layouts of sandboxes; empty if the list is incomplete. */
function parseList(list: string | undefined): ReadonlyMap<string, string> {
  try {
    return new Map(list === undefined ? [] : (JSON.parse(list) as [string, string][]));
  } catch {
    return new Map();
  }
}

export class Sandbox {
  /** The action's working folder. */
  readonly work: string;
  /** Its TMPDIR. */
  readonly temporary: string;
  /** Folders in `work` made for an action, by relative path; empty between actions. */
  readonly #folders = new Set<string>();
  /** Layout of the last action. */
  layout = "";
  readonly #directory: string;
  #log: OutputFile | undefined;
  #captures = 0;
  /** It is as `clean` left it, and nothing was printed. */
  #isLeftClean = false;

  constructor(directory: string) {
    this.#directory = directory;
    this.work = `${directory}/work`;
    this.temporary = `${directory}/tmp`;
    const folders = [this.work, this.temporary];
    const missing = folders.filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
    for (const folder of missing) makeFolders(folder);
    // A crash may leave only one of them.
    if (missing.length < folders.length) this.#takeLeft();
  }

  /** What an earlier arc left: its folders are kept, all else in them is removed. Throws if that is impossible. */
  #takeLeft(): void {
    try {
      this.#emptyLog();
      this.#keepFolders(".");
      emptyFolder(this.temporary);
      this.layout = layoutOf(this.#folders);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** One pass over the folders, because every start of arc makes it. */
  #keepFolders(folder: string): void {
    const path = folder === "." ? this.work : `${this.work}/${folder}`;
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        this.#folders.add(inside);
        this.#keepFolders(inside);
      } else unlinkSync(`${path}/${entry.name}`);
    }
  }

  #emptyLog(): void {
    if (fstatSync(this.log.descriptor).size > 0) ftruncateSync(this.log.descriptor, 0);
  }

  get name(): string {
    return basename(this.#directory);
  }

  /** Folders in `work` that `clean` keeps. */
  get folders(): Iterable<string> {
    return this.#folders;
  }

  /** An executor cleaned the sandbox except for the log, which has `logged` bytes. */
  noteTidied(logged: number): void {
    this.#isLeftClean = logged === 0;
  }

  /** Receives the output of the action's processes. */
  get log(): OutputFile {
    const path = `${this.#directory}/log`;
    this.#log ??= { path, descriptor: openSync(path, "a+") };
    return this.#log;
  }

  /** Output of the action. */
  readonly printed: Printed = {
    size: () => this.#printed?.size() ?? 0,
    read: (from) => this.#printed?.read(from) ?? Buffer.alloc(0),
  };

  get #printed(): Printed | undefined {
    return this.#log === undefined || this.#isLeftClean ? undefined : printedTo(this.#log);
  }

  /** The whole output; of a very long one, both ends. */
  readLog(): Buffer {
    const { printed } = this;
    const size = printed.size();
    const between = size - 2 * PRINTED_END;
    if (between <= 0) return readPieces(printed, 0, size);
    return Buffer.concat([
      readPieces(printed, 0, PRINTED_END),
      Buffer.from(leftOut(between)),
      readPieces(printed, size - PRINTED_END, size),
    ]);
  }

  /** A file for output that the action itself reads. */
  openCapture(): OutputFile {
    this.#captures += 1;
    const path = `${this.#directory}/capture-${this.#captures}`;
    // A crash may have left the file.
    return { path, descriptor: openSync(path, "w+") };
  }

  /** Returns the captured bytes and removes the file. */
  readCapture({ path, descriptor }: OutputFile): Buffer {
    try {
      return onFile(path, () => readFileSync(path));
    } finally {
      closeSync(descriptor);
      unlinkSync(path);
    }
  }

  /** Makes sure that a folder exists in `work`; the path is relative. */
  addFolder(folder: string): void {
    if (folder === "." || this.#folders.has(folder)) return;
    this.addFolder(dirname(folder));
    mkdirSync(`${this.work}/${folder}`);
    this.#folders.add(folder);
  }

  /**
   * Leaves exactly these folders, which include their parents. Removing a folder may take longer than a small action,
   * so folders of the previous action are kept until an action does not need them.
   */
  setFolders(needed: ReadonlySet<string>, layout: string): void {
    this.layout = layout;
    // Inner folders were added after their parents.
    for (const folder of [...this.#folders].reverse()) {
      if (needed.has(folder)) continue;
      rmdirSync(`${this.work}/${folder}`);
      this.#folders.delete(folder);
    }
    for (const folder of needed) this.addFolder(folder);
  }

  /** Cleans it except for folders that the next action may need; false when that is impossible. */
  clean(): boolean {
    if (this.#isLeftClean) {
      this.#isLeftClean = false;
      return true;
    }
    try {
      this.#emptyLog();
      this.#removeFiles(".");
      emptyFolder(this.temporary);
      return true;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return false;
    }
  }

  /** Removes files, and folders that the action made itself. */
  #removeFiles(folder: string): void {
    const path = folder === "." ? this.work : `${this.work}/${folder}`;
    const found = new Set<string>();
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) unlinkSync(`${path}/${entry.name}`);
      else if (this.#folders.has(inside)) {
        found.add(inside);
        this.#removeFiles(inside);
      } else removeTree(`${path}/${entry.name}`);
    }
    for (const known of this.#folders) {
      if (dirname(known) === folder && !found.has(known)) this.#forgetFolder(known);
    }
  }

  /** The action removed the folder. */
  #forgetFolder(folder: string): void {
    for (const known of this.#folders) {
      if (known === folder || known.startsWith(`${folder}/`)) this.#folders.delete(known);
    }
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log.descriptor);
    this.#log = undefined;
  }

  remove(): void {
    this.close();
    removeTree(this.#directory);
  }
}

/** Output that a file receives. */
export function printedTo({ path, descriptor }: OutputFile): Printed {
  const size = (): number => fstatSync(descriptor).size;
  const read = (from: number): Buffer => {
    const length = Math.min(size() - from, PIECE);
    if (length <= 0) return Buffer.alloc(0);
    const bytes = Buffer.alloc(length);
    return bytes.subarray(
      0,
      onFile(path, () => readSync(descriptor, bytes, 0, length, from)),
    );
  };
  return { size, read };
}

function readPieces(printed: Printed, from: number, end: number): Buffer {
  const pieces: Buffer[] = [];
  for (let at = from; at < end; ) {
    const piece = printed.read(at).subarray(0, end - at);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
