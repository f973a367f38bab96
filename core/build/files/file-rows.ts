/**
 * What is known about many paths, in columns, which take a fraction of the memory of one object per path. For each
 * path: the entry that is remembered, and what this build saw there.
 */
import type { Digest } from "../model/action.ts";
import { monotonicMs } from "../model/clock.ts";
import type { FileStamp } from "../model/stat-signature.ts";

/** What is remembered about a path. */
export interface FileEntry {
  readonly stamp: FileStamp;
  /** Absent for folders: their digest is computed from their contents. */
  readonly digest?: Digest;
  readonly executable: boolean;
  /** The file changed so shortly before it was read that its stamp proves nothing. */
  readonly racy: boolean;
}

export type FileState =
  | { readonly kind: "file"; readonly digest: Digest; readonly executable: boolean }
  | { readonly kind: "folder"; readonly digest: Digest }
  | { readonly kind: "absent" };

/** Entries by path; undefined means that the path was looked for and is absent. */
export interface FileEntries {
  has(path: string): boolean;
  get(path: string): FileEntry | undefined;
  keys(): Iterable<string>;
}

const STAMP = 4;
const DIGEST = 32;
const FLAG = {
  known: 1,
  there: 2,
  digest: 4,
  executable: 8,
  racy: 16,
  /** Flags of what this build saw. */
  seen: 32,
  seenThere: 64,
  seenFolder: 128,
  seenExecutable: 256,
  /** The entry is that of an earlier build. */
  remembered: 512,
} as const;
const ENTRY = FLAG.known | FLAG.there | FLAG.digest | FLAG.executable | FLAG.racy | FLAG.remembered;
const SEEN = FLAG.seen | FLAG.seenThere | FLAG.seenFolder | FLAG.seenExecutable;

const NOTHING: FileState = { kind: "absent" };

/** Union of several tables; the first that has a path counts. */
export function unionOf(...tables: readonly FileEntries[]): FileEntries {
  return {
    has: (path) => tables.some((table) => table.has(path)),
    get: (path) => tables.find((table) => table.has(path))?.get(path),
    *keys() {
      for (const [number, table] of tables.entries()) {
        const before = tables.slice(0, number);
        for (const path of table.keys()) if (!before.some((other) => other.has(path))) yield path;
      }
    },
  };
}

export class FileRows implements FileEntries {
  readonly #rows = new Map<string, number>();
  /** For each row: mtime, ctime, size and inode. */
  #stamps = new Float64Array(0);
  /**
   * Digest of the file's bytes or the folder's contents: of the entry, and also of what was seen unless `#seenBefore`
   * has the row.
   */
  #digests = Buffer.alloc(0);
  /** Digests seen by this build for rows whose entry has other bytes by now. */
  readonly #seenBefore = new Map<number, Digest>();
  #flags = new Uint16Array(0);
  /** When the row's entry was noted in this build; 0: it has none. */
  #notedAt = new Float64Array(0);

  // --- Entries ----------------------------------------------------------------------------------------

  has(path: string): boolean {
    const row = this.#rows.get(path);
    return row !== undefined && this.#is(row, FLAG.known);
  }

  get(path: string): FileEntry | undefined {
    const row = this.#rows.get(path);
    if (row === undefined || !this.#is(row, FLAG.there)) return undefined;
    const at = row * STAMP;
    return {
      stamp: {
        mtimeMs: this.#stamps[at] as number,
        ctimeMs: this.#stamps[at + 1] as number,
        size: this.#stamps[at + 2] as number,
        ino: this.#stamps[at + 3] as number,
      },
      executable: this.#is(row, FLAG.executable),
      racy: this.#is(row, FLAG.racy),
      ...(this.#is(row, FLAG.digest) ? { digest: this.#digest(row) } : {}),
    };
  }

  *keys(): Generator<string> {
    for (const [path, row] of this.#rows) if (this.#is(row, FLAG.known)) yield path;
  }

  /** Paths whose entries are not those of an earlier build. */
  *news(): Generator<string> {
    for (const [path, row] of this.#rows)
      if (this.#is(row, FLAG.known) && !this.#is(row, FLAG.remembered)) yield path;
  }

  *racy(): Generator<string> {
    for (const [path, row] of this.#rows) if (this.#is(row, FLAG.racy)) yield path;
  }

  /** An undefined entry means that the path is absent. */
  set(path: string, entry: FileEntry | undefined): void {
    if (entry === undefined) this.#setFlags(this.#rowOf(path), ENTRY, FLAG.known);
    else this.#setEntry(this.#rowOf(path), entry.stamp, entry.digest, entry.executable, entry.racy);
  }

  /** Sets an entry of an earlier build that still holds. */
  setRemembered(path: string, { stamp, digest, executable, racy }: FileEntry): void {
    const row = this.#rowOf(path);
    this.#setEntry(row, stamp, digest, executable, racy);
    this.#setFlags(row, FLAG.remembered, FLAG.remembered);
  }

  #setEntry(
    row: number,
    stamp: FileStamp,
    digest: Digest | undefined,
    executable: boolean,
    racy: boolean,
  ): void {
    if (!this.#hasEntry(row, stamp, digest)) this.#notedAt[row] = monotonicMs();
    const at = row * STAMP;
    this.#stamps[at] = stamp.mtimeMs;
    this.#stamps[at + 1] = stamp.ctimeMs;
    this.#stamps[at + 2] = stamp.size;
    this.#stamps[at + 3] = stamp.ino;
    if (digest !== undefined) {
      if (this.#is(row, FLAG.seenThere)) this.#keepSeen(row, digest);
      this.#digests.write(digest, row * DIGEST, "hex");
    }
    const flags =
      FLAG.known |
      FLAG.there |
      (digest === undefined ? 0 : FLAG.digest) |
      (executable ? FLAG.executable : 0) |
      (racy ? FLAG.racy : 0);
    this.#setFlags(row, ENTRY, flags);
  }

  #hasEntry(row: number, { mtimeMs, ctimeMs, size, ino }: FileStamp, digest: Digest | undefined): boolean {
    if (!this.#is(row, FLAG.there)) return false;
    const at = row * STAMP;
    return (
      this.#stamps[at] === mtimeMs &&
      this.#stamps[at + 1] === ctimeMs &&
      this.#stamps[at + 2] === size &&
      this.#stamps[at + 3] === ino &&
      (this.#is(row, FLAG.digest) ? this.#digest(row) : undefined) === digest
    );
  }

  #keepSeen(row: number, digest: Digest): void {
    const seen = this.#digest(row);
    if (seen !== digest && !this.#seenBefore.has(row)) this.#seenBefore.set(row, seen);
  }

  /** Sets entry and observation at once, for a file that this process has just put in place. */
  setPlaced(path: string, digest: Digest, stamp: FileStamp, executable: boolean): void {
    const row = this.#rowOf(path);
    this.#forgetSeen(row);
    this.#setEntry(row, stamp, digest, executable, false);
    this.#setFlags(row, SEEN, FLAG.seen | FLAG.seenThere | (executable ? FLAG.seenExecutable : 0));
  }

  /** When the entry was noted, on the monotonic clock in ms. */
  notedAt(path: string): number | undefined {
    const row = this.#rows.get(path);
    return (row !== undefined && this.#notedAt[row]) || undefined;
  }

  clear(): void {
    this.#rows.clear();
    this.#seenBefore.clear();
    this.#flags.fill(0);
    this.#notedAt.fill(0);
  }

  // --- As this build saw it ---------------------------------------------------------------------------

  seen(path: string): FileState | undefined {
    const row = this.#rows.get(path);
    if (row === undefined || !this.#is(row, FLAG.seen)) return undefined;
    if (!this.#is(row, FLAG.seenThere)) return NOTHING;
    const digest = this.#seenBefore.get(row) ?? this.#digest(row);
    if (this.#is(row, FLAG.seenFolder)) return { kind: "folder", digest };
    return { kind: "file", digest, executable: this.#is(row, FLAG.seenExecutable) };
  }

  setSeen(path: string, state: FileState): void {
    const row = this.#rowOf(path);
    this.#forgetSeen(row);
    if (state.kind !== "absent") this.#digests.write(state.digest, row * DIGEST, "hex");
    const flags =
      FLAG.seen |
      (state.kind === "absent" ? 0 : FLAG.seenThere) |
      (state.kind === "folder" ? FLAG.seenFolder : 0) |
      (state.kind === "file" && state.executable ? FLAG.seenExecutable : 0);
    this.#setFlags(row, SEEN, flags);
  }

  forgetSeen(path: string): void {
    const row = this.#rows.get(path);
    if (row !== undefined) this.#forgetSeen(row);
  }

  #forgetSeen(row: number): void {
    this.#setFlags(row, SEEN, 0);
    this.#seenBefore.delete(row);
  }

  forgetAllSeen(): void {
    for (let row = 0; row < this.#rows.size; row += 1) this.#setFlags(row, SEEN, 0);
    this.#seenBefore.clear();
  }

  /** Paths that were seen and exist. */
  *seenThere(): Generator<string> {
    for (const [path, row] of this.#rows) if (this.#is(row, FLAG.seenThere)) yield path;
  }

  // --- Rows -------------------------------------------------------------------------------------------

  #is(row: number, flag: number): boolean {
    return ((this.#flags[row] as number) & flag) !== 0;
  }

  #setFlags(row: number, mask: number, flags: number): void {
    this.#flags[row] = ((this.#flags[row] as number) & ~mask) | flags;
  }

  #digest(row: number): Digest {
    return this.#digests.toString("hex", row * DIGEST, (row + 1) * DIGEST) as Digest;
  }

  #rowOf(path: string): number {
    const known = this.#rows.get(path);
    if (known !== undefined) return known;
    const row = this.#rows.size;
    if (row === this.#flags.length) this.#grow();
    this.#rows.set(path, row);
    return row;
  }

  #grow(): void {
    const size = Math.max(64, Math.ceil(1.5 * this.#flags.length));
    const [stamps, digests, flags, notedAt] = [this.#stamps, this.#digests, this.#flags, this.#notedAt];
    this.#stamps = new Float64Array(size * STAMP);
    this.#stamps.set(stamps);
    this.#digests = Buffer.alloc(size * DIGEST);
    this.#digests.set(digests);
    this.#flags = new Uint16Array(size);
    this.#flags.set(flags);
    this.#notedAt = new Float64Array(size);
    this.#notedAt.set(notedAt);
  }
}
