/**
 * The folder that an action runs in: its declared inputs and space for its outputs. Nothing else is there, so that no
 * undeclared file can be read unnoticed.
 */
import { chmodSync, lstatSync, readdirSync, readFileSync, type Stats, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { FileTable } from "../files/files.ts";
import { layTree } from "../files/tree.ts";
import type { ResolvedInput } from "../graph/inputs.ts";
import { digestBytes } from "../key/digest.ts";
import type { StoredOutput } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import { EngineError } from "../model/error.ts";
import { type FileStamp, sameStamp, statIfThere, takeStamp } from "../model/stat-signature.ts";
import { onFile } from "../model/system-error.ts";
import type { CollectedOutput, Errands, ErrandsDone, Link } from "../native/process-io.ts";
import { encodeFolder, type TreeEntry } from "../records/folder.ts";
import { BLOB_MODE, type ContentStore } from "../store/store.ts";
import type { Sandbox } from "./sandbox.ts";

/** A source file changed between hashing and use: the key does not fit the bytes that would be built. */
export class InputMoved extends Error {
  readonly file: string;
  constructor(file: string) {
    super(`${file} changed while it was being read`);
    this.file = file;
  }
}

/** Folders that an action's sandbox must have before it runs. */
export function foldersOf(action: Action): string[] {
  const folders = new Set(action.outputs.map(({ name, kind }) => (kind === "folder" ? name : dirname(name))));
  // A command sees all inputs; a function requests those that it needs as files.
  if (action.command !== undefined) for (const { name } of action.inputs) folders.add(dirname(name));
  return [...folders];
}

export class Staging {
  readonly #action: Action;
  readonly #inputs: ReadonlyMap<string, ResolvedInput>;
  readonly #files: FileTable;
  readonly #store: ContentStore;
  readonly #sandbox: Sandbox;
  readonly #staged = new Set<string>();
  /** Linked blobs with their stamps, to detect an action that writes to its input. */
  readonly #linked = new Map<Digest, { readonly path: string; readonly stamp: FileStamp | undefined }>();
  /** Outputs that an executor took, by name. */
  readonly #collected = new Map<string, CollectedOutput>();

  constructor(
    action: Action,
    inputs: readonly ResolvedInput[],
    files: FileTable,
    store: ContentStore,
    sandbox: Sandbox,
  ) {
    this.#action = action;
    this.#inputs = new Map(inputs.map((input) => [input.input.name, input]));
    this.#files = files;
    this.#store = store;
    this.#sandbox = sandbox;
  }

  get work(): string {
    return this.#sandbox.work;
  }

  stageAll(): void {
    for (const name of this.#inputs.keys()) this.inputPath(name);
  }

  /**
   * Lays out what is more than a link, and returns the rest for an executor to do around the process. Outputs are
   * placed through `placeScratch`, if given.
   */
  errands(ok: readonly number[], placeScratch: string | undefined): Errands {
    const { work, temporary } = this.#sandbox;
    const links: Link[] = [];
    for (const [name, { input, content }] of this.#inputs) {
      const { from } = input;
      if (content.kind !== "file" || "text" in from || this.#staged.has(name)) this.inputPath(name);
      else {
        const { digest } = content;
        const source = "file" in from ? this.#files.absolute(from.file) : "";
        links.push({ digest, blob: this.#store.path(digest), to: `${work}/${name}`, source });
      }
    }
    this.#verify(links);
    return {
      links,
      outputs: this.#action.outputs.map(({ name, place, executable }) => ({
        name,
        file: `${work}/${name}`,
        place: placeScratch === undefined || place === undefined ? "" : this.#files.absolute(place),
        executable: executable ?? false,
      })),
      ok,
      blobs: this.#store.blobs,
      scratch: this.#store.scratch,
      placeScratch: placeScratch ?? "",
      work,
      temporary,
      folders: [...this.#sandbox.folders],
    };
  }

  /** A blob that this process did not write is verified before use; from a source the executor makes it. */
  #verify(links: readonly Link[]): void {
    const unverified = this.#store.verifyAll(links.map(({ digest }) => digest));
    if (unverified.length === 0) return;
    const doubtful = new Set(unverified);
    for (const { digest, source } of links)
      if (doubtful.has(digest) && (source === "" || this.#store.has(digest))) this.#store.verify(digest);
  }

  /** Takes over what an executor did. Throws `input-written`. */
  finish({ links, outputs }: Errands, done: ErrandsDone): void {
    for (const [at, { digest }] of links.entries()) {
      const bytes = done.put[at] as number;
      if (bytes >= 0) this.#store.noteWritten(digest, bytes);
    }
    for (const [at, { name }] of outputs.entries()) {
      const collected = done.collected[at];
      if (collected === undefined) continue;
      this.#store.noteWritten(collected.digest, collected.added ? collected.size : 0);
      this.#collected.set(name, collected);
    }
    if (done.isTidy) this.#sandbox.noteTidied(done.logged);
    if (!done.inputWritten) return;
    // Their times may have been changed by another process, which marks blobs as used.
    const damaged = links.filter(({ digest }) => !this.#store.recheck(digest));
    if (damaged.length > 0) throw this.#inputWritten();
  }

  /** Outputs that are in their places already, with their stamps. */
  placed(): ReadonlyMap<string, FileStamp> {
    const placed = new Map<string, FileStamp>();
    for (const [name, collected] of this.#collected)
      if (collected.placed !== undefined) placed.set(name, collected.placed);
    return placed;
  }

  /** Lays out an input and returns its absolute path. */
  inputPath(name: string): string {
    const resolved = this.#input(name);
    const path = `${this.work}/${name}`;
    if (this.#staged.has(name)) return path;
    this.#sandbox.addFolder(dirname(name));
    this.#lay(resolved, path);
    this.#staged.add(name);
    return path;
  }

  readInput(name: string): Buffer {
    const { input, content } = this.#input(name);
    if (content.kind !== "file") throw new Error(`input ${name} of ${this.#action.address} is not a file`);
    if ("text" in input.from) return Buffer.from(input.from.text, "utf8");
    if (!("file" in input.from)) return this.#store.read(content.digest);
    const path = this.#files.absolute(input.from.file);
    const bytes = onFile(path, () => readFileSync(path));
    this.#checkUnmoved(input.from.file);
    return bytes;
  }

  outputPath(name: string): string {
    return `${this.work}/${name}`;
  }

  /** To be called however the action ends, as others read the same blobs. Throws `input-written`. */
  checkInputsUnwritten(): void {
    for (const [digest, { path, stamp }] of this.#linked) {
      const now = statIfReadable(path);
      // The blob itself: the action may have written through its link and then removed or replaced it. A copy is not checked.
      if (stamp === undefined || now?.ino !== stamp.ino) continue;
      // Other actions read it.
      if ((now.mode & 0o777) !== BLOB_MODE) chmodSync(path, BLOB_MODE);
      if (now.mtimeMs === stamp.mtimeMs && now.size === stamp.size) continue;
      // Times alone may have been changed by another process, which marks the blob as used.
      if (!this.#store.recheck(digest)) throw this.#inputWritten();
    }
  }

  /** Moves the outputs into the store. Throws `output-missing`, with that remedy. */
  collect(missingOutputRemedy: string): StoredOutput[] {
    const stored: StoredOutput[] = [];
    for (const output of this.#action.outputs) {
      const collected = this.#collected.get(output.name);
      if (collected !== undefined) {
        stored.push({ name: output.name, kind: "file", digest: collected.digest, size: collected.size });
        continue;
      }
      const path = `${this.work}/${output.name}`;
      const stat = statIfReadable(path);
      if (stat === undefined || (output.kind === "folder" ? !stat.isDirectory() : !stat.isFile())) {
        if (stat === undefined && output.optional) continue;
        throw this.#outputMissing(output.name, output.kind, missingOutputRemedy);
      }
      const { digest, size } =
        output.kind === "folder" ? this.#store.putFolder(path, (file) => this.#put(file)) : this.#put(path);
      const isProgram =
        output.kind === "file" && output.executable === "as-written" && (stat.mode & 0o100) !== 0;
      stored.push({
        name: output.name,
        kind: output.kind,
        digest,
        size,
        ...(isProgram ? { executable: true } : {}),
      });
    }
    return stored;
  }

  /** For actions that read the project itself: checks that its declared files are still those that were hashed. */
  checkSourcesUnmoved(): void {
    for (const { input, content } of this.#inputs.values()) {
      if ("file" in input.from && content.kind === "file") this.#checkUnmoved(input.from.file);
    }
  }

  #input(name: string): ResolvedInput {
    const resolved = this.#inputs.get(name);
    if (resolved === undefined) throw new Error(`${this.#action.address} has no input ${name}`);
    return resolved;
  }

  #lay({ input, content }: ResolvedInput, path: string): void {
    if (content.kind === "absent") return;
    if ("text" in input.from) {
      const { text } = input.from;
      onFile(path, () => writeFileSync(path, text));
    } else if (content.kind === "file") {
      if ("file" in input.from) this.#storeSource(input.from.file, input.from.file, content.digest);
      this.#link(content.digest, path);
    } else {
      const entries =
        "file" in input.from
          ? this.#storeSourceFolder(input.from.file, content.digest)
          : this.#store.readFolder(content.digest);
      layTree(entries, path, (digest, file) => this.#link(digest, file));
    }
  }

  #link(digest: Digest, path: string): void {
    this.#store.linkTo(digest, path);
    if (!this.#linked.has(digest))
      this.#linked.set(digest, { path: this.#store.path(digest), stamp: takeStamp(path) });
  }

  /** Stores a source and checks that its bytes are those that were hashed; otherwise the key would be wrong. */
  #storeSource(source: string, file: string, digest: Digest): void {
    if (this.#store.has(digest)) return;
    const path = this.#files.absolute(file);
    if (statIfReadable(path) === undefined || this.#store.putCopy(path).digest !== digest)
      throw new InputMoved(source);
  }

  #storeSourceFolder(source: string, digest: Digest): readonly TreeEntry[] {
    if (statIfReadable(this.#files.absolute(source))?.isDirectory() !== true) throw new InputMoved(source);
    const entries = this.#files.tree(source);
    if (digestBytes(encodeFolder(entries)) !== digest) throw new InputMoved(source);
    for (const entry of entries) {
      if (entry.kind === "file") this.#storeSource(source, `${source}/${entry.path}`, entry.digest);
    }
    return entries;
  }

  #checkUnmoved(file: string): void {
    const hashed = this.#files.stampOf(file);
    const now = takeStamp(this.#files.absolute(file));
    if (hashed === undefined || now === undefined || !sameStamp(hashed, now)) throw new InputMoved(file);
  }

  #inputWritten(): EngineError {
    return new EngineError(
      "input-written",
      `${this.#action.address} wrote to one of its inputs`,
      "let it write to an output; if a tool works in place, copy the input first",
      [this.#action.address],
    );
  }

  #put(path: string): { digest: Digest; size: number } {
    const stat = lstatSync(path);
    // A file with further hard links also belongs to someone else: it is copied, not taken over.
    return stat.isFile() && stat.nlink === 1 ? this.#store.putOwned(path) : this.#store.putCopy(path);
  }

  #outputMissing(name: string, kind: "file" | "folder", remedy: string): EngineError {
    const written = readdirSync(this.work, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.work, join(entry.parentPath, entry.name)))
      .filter((path) => !this.#inputs.has(path))
      .slice(0, 8);
    return new EngineError(
      "output-missing",
      `${this.#action.address} did not write the ${kind} ${name}${written.length === 0 ? "" : ` (it wrote ${written.join(", ")})`}`,
      remedy,
      [this.#action.address],
    );
  }
}

function statIfReadable(path: string): Stats | undefined {
  try {
    return statIfThere(path);
  } catch {
    return undefined;
  }
}
