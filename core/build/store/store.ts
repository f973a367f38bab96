/**
 * The content-addressed store: bytes under the name of their digest, `cas/ab/<digest>`. Shared by projects and by
 * several arcs at once: a blob appears by rename, complete or not at all, and two writers of one blob write the same
 * bytes, so races are benign. Blobs are read-only and never linked to where a user can write.
 *
 * Power loss: blobs are not synced to disk when written, because a torn one is detected by its digest and made again.
 * Results that took long to make are synced with their record (`DURABLE_SECONDS` in delivery.ts).
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "../files/folders.ts";
import { NoFile, openOwnFile, readOwnFile } from "../files/own-file.ts";
import { removeTree } from "../files/remove.ts";
import { layTree, readTree } from "../files/tree.ts";
import { uniqueName } from "../files/unique.ts";
import { digestBytes, hashFile } from "../key/digest.ts";
import type { Digest } from "../model/action.ts";
import { type EngineError, isBlobLost } from "../model/error.ts";
import { fault } from "../model/fault.ts";
import { errnoOf, isLossOfData, onFile } from "../model/system-error.ts";
import { native } from "../native/native.ts";
import {
  encodeFolder,
  type FolderLimits,
  OWN_FOLDERS,
  parseFolder,
  type TreeEntry,
  tooLong,
} from "../records/folder.ts";
import { RefusedRecords } from "../records/refused.ts";
import { BadRecord } from "../records/schema.ts";
import { DigestSet } from "./digest-set.ts";
import { adoptScratch, keepScratch, leaveScratch, markServer, scratchPath } from "./scratch-folder.ts";
import { makeSharedFolders, sharedMode } from "./shared-store.ts";
import { badFolderList, blobCorrupt, blobMissing, storeUnusable, tooManyEntries } from "./store-errors.ts";

/** Executable for all, so that one blob serves scripts and data alike; copies for users get their own mode. */
export const BLOB_MODE = 0o555;

/** How long after its last use a blob counts as used, in ms. */
export const USED_MS = 3_600_000;

/**
 * Why a blob that is there cannot be linked: another file system, one without links, the limit of links per file, or
 * another process replaced it by the same bytes meanwhile: what is found under the name has no link left then.
 */
const COPIED_INSTEAD = ["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "ENOENT"];

/** Files up to this size are copied through memory and verified on the way. */
const small = Buffer.allocUnsafeSlow(128 * 1024);

/** Some file systems accept folders but no files. Throws errors of the file system. */
function tryToWrite(file: string): void {
  writeFileSync(file, "");
  unlinkSync(file);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Checks first, as that is cheaper than trying to make an existing folder. */
function makeFolder(folder: string): void {
  if (!isThere(folder)) makeFolders(folder);
}

/** Whether a store has a blob, without opening the store. */
export function hasBlob(directory: string, digest: Digest): boolean {
  return statBlob(blobPath(directory, digest)) !== undefined;
}

/** Undefined if there is none. Anything that is not a file, such as a folder or a named pipe, is removed. */
function statBlob(path: string): Stats | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isFile()) return stat;
  removeTree(path);
  return undefined;
}

function blobPath(directory: string, digest: Digest): string {
  return `${directory}/cas/${digest.slice(0, 2)}/${digest}`;
}

export class ContentStore {
  readonly directory: string;
  /** A folder of this process on the store's file system. */
  readonly scratch: string;
  /** The list of the process that had this folder before. */
  readonly sandboxList: string | undefined;
  /** Whether the umask takes permissions from blobs that other users need. */
  readonly #needsMode: boolean;
  /** Bytes that this process added. */
  added = 0;
  /** The store was empty before this process. */
  readonly isNew: boolean;
  readonly #serves: boolean;
  readonly #rest: () => void;
  /** Blobs that this process wrote or verified: they are not verified again. */
  readonly #sound = new DigestSet();
  readonly #used = new DigestSet();
  /** Folder lists that are invalid, or cannot be laid out on this file system. */
  readonly #unfit = new Set<Digest>();
  /** Records that were rejected and not reported yet. */
  readonly refused = new RefusedRecords();

  /** Throws `store-unusable`. */
  constructor(directory: string, use: "builds" | "serves" = "builds") {
    this.directory = directory;
    this.#serves = use === "serves";
    const temporary = join(directory, "tmp");
    this.scratch = scratchPath(temporary);
    try {
      this.isNew = !isThere(join(directory, "cas"));
      makeFolder(directory);
      const shared = sharedMode(directory);
      this.#needsMode = shared !== undefined && (process.umask() & BLOB_MODE) !== 0;
      if (this.isNew && shared !== undefined) makeSharedFolders(directory, shared);
      makeFolder(join(directory, "cas"));
      makeFolder(temporary);
      this.sandboxList = adoptScratch(temporary, this.scratch);
      if (this.isNew) tryToWrite(join(this.scratch, "try"));
      if (this.#serves) markServer(this.scratch);
    } catch (error) {
      throw storeUnusable(directory, error);
    }
    this.#rest = keepScratch(this.scratch);
  }

  /** Leaves the scratch folder to the next process, on whatever machine. Nothing may be added afterwards. */
  close(): void {
    this.#rest();
    leaveScratch(this.scratch);
  }

  /** Common prefix of the paths of all blobs. */
  get blobs(): string {
    return `${this.directory}/cas/`;
  }

  path(digest: Digest): string {
    return blobPath(this.directory, digest);
  }

  has(digest: Digest): boolean {
    return hasBlob(this.directory, digest);
  }

  /** Whether the blob exists with the right size, which is all that can be checked without reading it. */
  hasWhole(digest: Digest, size: number): boolean {
    const stat = statBlob(this.path(digest));
    if (stat?.size !== size) return false;
    this.#markUsed(digest, stat.atimeMs);
    return true;
  }

  /**
   * Tells pruning that a blob is in use. The access time is moved only when it is an hour old, and looked at once per
   * process, unless it is a server.
   */
  #markUsed(digest: Digest, atimeMs: number): void {
    if (this.#used.has(digest)) return;
    if (!this.#serves) this.#used.add(digest);
    const now = Date.now();
    if (now - atimeMs < USED_MS) return;
    try {
      utimesSync(this.path(digest), now / 1000, statSync(this.path(digest)).mtimeMs / 1000);
    } catch {
      // The store is read-only, or the blob was just pruned.
    }
  }

  /** Whether a blob exists; if so, marks it as used. */
  #isUsed(digest: Digest): boolean {
    const stat = statBlob(this.path(digest));
    if (stat !== undefined) this.#markUsed(digest, stat.atimeMs);
    return stat !== undefined;
  }

  /** Size in bytes of a blob that exists. */
  sizeOf(digest: Digest): number {
    return statSync(this.path(digest)).size;
  }

  /** Whether this process wrote or verified a blob. */
  isKnown(digest: Digest): boolean {
    return this.#sound.has(digest);
  }

  /** Records a blob that was written by other means, complete and under its name; `bytes` of it were new. */
  noteWritten(digest: Digest, bytes: number): void {
    this.added += bytes;
    this.#sound.add(digest);
  }

  /** A name for a new file that the store may take over. */
  newScratchFile(): string {
    return `${this.scratch}/${uniqueName()}`;
  }

  putBytes(bytes: string | Uint8Array): Digest {
    const digest = digestBytes(bytes);
    if (this.#isSound(digest)) return digest;
    const temporary = this.newScratchFile();
    onFile(temporary, () => writeFileSync(temporary, bytes, { mode: BLOB_MODE, flag: "wx" }));
    if (this.#needsMode) chmodSync(temporary, BLOB_MODE);
    this.#admit(temporary, digest, bytes.length);
    return digest;
  }

  /**
   * Copies a file into the store. The digest is that of the stored bytes, so a file that changes meanwhile does no
   * harm.
   */
  putCopy(file: string): { digest: Digest; size: number } {
    const temporary = this.newScratchFile();
    copyFileSync(file, temporary, constants.COPYFILE_FICLONE);
    fault("store:after-copy");
    return this.putOwned(temporary);
  }

  /**
   * Takes over a file on the store's file system that no process will write any more. With `expected`, only if it has
   * this digest.
   */
  putOwned(file: string, expected?: Digest): { digest: Digest; size: number } {
    const { digest, size } = hashFile(file);
    if (expected !== undefined && digest !== expected) return { digest, size };
    if (this.#isSound(digest)) unlinkSync(file);
    else {
      chmodSync(file, BLOB_MODE);
      this.#admit(file, digest, size);
    }
    return { digest, size };
  }

  /** Whether the blob exists and is known to be intact. An unchecked one is replaced by the bytes in hand. */
  #isSound(digest: Digest): boolean {
    return this.#sound.has(digest) && this.has(digest);
  }

  #admit(file: string, digest: Digest, size: number): void {
    const blob = this.path(digest);
    fault("store:before-rename");
    try {
      renameSync(file, blob);
    } catch (error) {
      const isFolder = errnoOf(error) === "EISDIR";
      if (errnoOf(error) !== "ENOENT" && !isFolder) throw error;
      if (isFolder) statBlob(blob);
      makeFolders(dirname(blob));
      renameSync(file, blob);
    }
    fault("store:after-rename");
    this.added += size;
    this.#sound.add(digest);
  }

  /** Makes a blob survive a power loss. */
  makeDurable(digest: Digest): void {
    fault("store:before-fsync");
    for (const path of [this.path(digest), dirname(this.path(digest))]) {
      const descriptor = openSync(path, "r");
      try {
        onFile(path, () => fsyncSync(descriptor));
      } finally {
        closeSync(descriptor);
      }
    }
    fault("store:after-fsync");
  }

  /** The verified bytes. Throws `blob-missing` or, after removing the blob, `blob-corrupt`. */
  read(digest: Digest): Buffer {
    let bytes: Buffer;
    try {
      bytes = readOwnFile(this.path(digest));
    } catch (error) {
      throw this.#missing(digest, error);
    }
    if (digestBytes(bytes) !== digest) throw this.#discardCorrupt(digest);
    if (!this.#sound.has(digest)) this.#isUsed(digest);
    this.#sound.add(digest);
    return bytes;
  }

  /** Checks that a blob exists and is intact, reading it at most once per process. */
  verify(digest: Digest): void {
    if (this.#sound.has(digest)) return;
    let actual: Digest;
    try {
      if (statBlob(this.path(digest)) === undefined) throw new NoFile(this.path(digest));
      actual = hashFile(this.path(digest)).digest;
    } catch (error) {
      throw this.#missing(digest, error);
    }
    if (actual !== digest) throw this.#discardCorrupt(digest);
    this.#sound.add(digest);
    this.#isUsed(digest);
  }

  /**
   * Verifies many blobs for less than `verify` takes for each. Returns those that are lost or damaged, and all if that
   * cannot be done here.
   */
  verifyAll(digests: readonly Digest[]): Digest[] {
    const unknown = digests.filter((digest) => !this.#sound.has(digest));
    if (unknown.length === 0) return unknown;
    const times = new Float64Array(unknown.length);
    native?.checkBlobs?.(Buffer.from(unknown.map((digest) => `${this.path(digest)}\0`).join("")), times);
    return unknown.filter((digest, at) => {
      const atimeMs = times[at] as number;
      if (atimeMs <= 0) return true;
      this.#sound.add(digest);
      this.#markUsed(digest, atimeMs);
      return false;
    });
  }

  /** Removes a blob whose bytes do not match its name; it is built again when needed. */
  discard(digest: Digest): void {
    this.#sound.delete(digest);
    removeTree(this.path(digest));
  }

  /**
   * Verifies a blob again, regardless of what was known; a damaged one is discarded. True also if it does not exist.
   */
  recheck(digest: Digest): boolean {
    this.#sound.delete(digest);
    try {
      this.verify(digest);
      return true;
    } catch (error) {
      if (!isBlobLost(error)) throw error;
      return error.code === "blob-missing";
    }
  }

  /** A blob that the disk does not give back is removed, so that nobody finds it again. */
  #missing(digest: Digest, cause: unknown): EngineError {
    if (isLossOfData(cause)) this.discard(digest);
    return blobMissing(digest, cause);
  }

  #discardCorrupt(digest: Digest): EngineError {
    this.discard(digest);
    return blobCorrupt(digest);
  }

  /** Makes a private, writable, verified copy in a new file (a reflink where the file system supports it). */
  copyTo(digest: Digest, file: string, executable: boolean): void {
    const mode = executable ? 0o755 : 0o644;
    const small = this.#readSmall(digest);
    if (small !== undefined) {
      onFile(file, () => writeFileSync(file, small, { mode, flag: "wx" }));
      return;
    }
    this.verify(digest);
    copyFileSync(this.path(digest), file, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(file, mode & ~process.umask());
  }

  /** The verified bytes of a blob if it is small. */
  #readSmall(digest: Digest): Uint8Array | undefined {
    let descriptor: number;
    try {
      descriptor = openOwnFile(this.path(digest));
    } catch (error) {
      throw this.#missing(digest, error);
    }
    try {
      const length = this.#readInto(small, descriptor, digest);
      if (length === small.length) return undefined;
      const bytes = small.subarray(0, length);
      if (digestBytes(bytes) === digest) {
        if (!this.#sound.has(digest)) this.#markUsed(digest, fstatSync(descriptor).atimeMs);
        return bytes;
      }
    } finally {
      closeSync(descriptor);
    }
    throw this.#discardCorrupt(digest);
  }

  #readInto(bytes: Uint8Array, descriptor: number, digest: Digest): number {
    try {
      return onFile(this.path(digest), () => readSync(descriptor, bytes, 0, bytes.length, 0));
    } catch (error) {
      throw this.#missing(digest, error);
    }
  }

  /** A read-only view for a staging folder: a hard link where possible, else a copy. */
  linkTo(digest: Digest, file: string): void {
    this.verify(digest);
    try {
      linkSync(this.path(digest), file);
    } catch (error) {
      const code = errnoOf(error);
      if (code === "ENOENT" && !this.has(digest)) throw this.#missing(digest, error);
      if (code === undefined || !COPIED_INSTEAD.includes(code)) throw error;
      copyFileSync(this.path(digest), file, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    }
  }

  /** Stores a folder: every file, and the list of them. */
  putFolder(
    folder: string,
    put: (file: string) => { digest: Digest; size: number },
  ): { digest: Digest; size: number } {
    let size = 0;
    const entries = readTree(folder, (file) => {
      const executable = (statSync(file).mode & 0o100) !== 0;
      const stored = put(file);
      size += stored.size;
      return { digest: stored.digest, executable };
    });
    if (entries.length > OWN_FOLDERS.entries) throw tooManyEntries(folder, entries.length);
    return { digest: this.putBytes(encodeFolder(entries)), size };
  }

  /** Throws `blob-missing`, `blob-corrupt`, or `bad-record` if the bytes are not the list of a folder. */
  readFolder(digest: Digest): TreeEntry[] {
    if (this.#unfit.has(digest)) throw this.#badFolder(digest, "it could not be laid out");
    try {
      return this.parseFolder(digest, OWN_FOLDERS);
    } catch (error) {
      if (error instanceof BadRecord) throw this.#badFolder(digest, error.message);
      throw error;
    }
  }

  /** Throws `BadRecord`, `blob-missing` or `blob-corrupt`. */
  parseFolder(digest: Digest, limits: FolderLimits): TreeEntry[] {
    const size = statSync(this.path(digest), { throwIfNoEntry: false })?.size ?? 0;
    // Too large to be loaded, whatever it is.
    if (size > limits.bytes) throw tooLong(size, limits);
    return parseFolder(this.read(digest), limits);
  }

  /** Copies into a new folder. Throws like `readFolder`. */
  copyFolderTo(digest: Digest, folder: string): void {
    const entries = this.readFolder(digest);
    try {
      layTree(entries, folder, (file, path, executable) => this.copyTo(file, path, executable));
    } catch (error) {
      // Names that this file system takes for equal, or rejects.
      if (!UNFIT.includes(errnoOf(error) ?? "")) throw error;
      throw this.#badFolder(digest, (error as Error).message);
    }
  }

  #badFolder(digest: Digest, reason: string): EngineError {
    if (!this.#unfit.has(digest)) this.refused.note(reason);
    this.#unfit.add(digest);
    return badFolderList(digest, reason);
  }

  /** Whether the store has a folder's list and all files that it names. */
  hasFolder(digest: Digest): boolean {
    if (!this.has(digest)) return false;
    return this.readFolder(digest).every((entry) => entry.kind !== "file" || this.#isUsed(entry.digest));
  }
}

/** Errors with which a file system rejects names, or names beside others. */
const UNFIT: readonly string[] = ["EEXIST", "ENAMETOOLONG", "ENOTDIR", "EISDIR", "EINVAL", "EILSEQ", "ELOOP"];
