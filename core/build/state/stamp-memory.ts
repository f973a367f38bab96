/** A stamp file's rows in memory: what an earlier build knew of paths, and which of their bytes can be trusted. */
import { bootIdentity, ON_DISK_MS } from "../files/boot.ts";
import type { FileEntry } from "../files/files.ts";
import { PathIndex } from "../files/path-index.ts";
import type { StampChange } from "../files/stamp-patch.ts";
import { ABSENT, ANY_SIZE, ROW_DOUBLES, type StampRows } from "../files/up-to-date.ts";
import { SUM_BYTES, sumOf } from "../key/result.ts";
import type { Digest } from "../model/action.ts";
import type { Depend, FileStamp } from "../model/stat-signature.ts";
import { coldLayout, DIGEST_BYTES, FLAG, flagsOf, rowOfEntry, sumOfCold } from "./stamp-layout.ts";
import type { ActionRecord } from "./state.ts";

/** When the last of all these files changed, which is a lower bound of the time until which the machine ran. */
function newestChange(stamps: Float64Array): number {
  let newest = 0;
  for (let at = 1; at < stamps.length; at += ROW_DOUBLES) newest = Math.max(newest, stamps[at] || 0);
  return newest;
}

/** The rows' knowledge about paths, with their digests. */
export class StampMemory {
  readonly rows: StampRows;
  readonly cold: Buffer;
  readonly #layout: ReturnType<typeof coldLayout>;
  readonly #index: PathIndex;
  /** Files changed after this time (the file system's clock, ms) may have lost their bytes in a power loss. */
  readonly #onDiskBefore: number;

  private constructor(rows: StampRows) {
    this.rows = rows;
    this.cold = rows.cold;
    this.#layout = coldLayout(rows.count, rows.actions);
    this.#index = new PathIndex(rows.text, this.cold, rows.count);
    for (const change of rows.changes) this.apply(change);
    this.#onDiskBefore =
      rows.boot === bootIdentity() ? Number.POSITIVE_INFINITY : newestChange(rows.stamps) - ON_DISK_MS;
  }

  /** Undefined when the rows are damaged. */
  static of(rows: StampRows): StampMemory | undefined {
    const isWhole =
      rows.cold.length >= coldLayout(rows.count, rows.actions).wantedAt &&
      sumOfCold(rows.cold) === rows.coldSum;
    return isWhole ? new StampMemory(rows) : undefined;
  }

  /** The change that turns a row into an entry. */
  change(row: number, entry: FileEntry | undefined): StampChange {
    const flags = (this.#flags(row) & FLAG.mustExist) | flagsOf(entry);
    const digest =
      entry?.digest === undefined ? new Uint8Array(DIGEST_BYTES) : Buffer.from(entry.digest, "hex");
    return { row, flags, stamp: rowOfEntry(entry), digest };
  }

  /** Whether the row already has these values. */
  has({ row, flags, stamp, digest }: StampChange): boolean {
    const [at, digestAt] = [row * ROW_DOUBLES, this.#layout.digestsAt + row * DIGEST_BYTES];
    return (
      flags === this.#flags(row) &&
      this.rows.stamps.subarray(at, at + ROW_DOUBLES).every((number, field) => number === stamp[field]) &&
      this.cold.subarray(digestAt, digestAt + DIGEST_BYTES).equals(digest)
    );
  }

  apply({ row, flags, stamp, digest }: StampChange): void {
    if (row >= this.rows.count) {
      this.cold.set(digest.subarray(0, SUM_BYTES), this.#sumAt(row - this.rows.count));
      return;
    }
    this.rows.stamps.set(stamp, row * ROW_DOUBLES);
    this.cold[this.#layout.flagsAt + row] = flags;
    this.cold.set(digest, this.#layout.digestsAt + row * DIGEST_BYTES);
  }

  /** The entry of a path; undefined when it has no row, or was absent. */
  entry(path: string): FileEntry | undefined {
    const row = this.rowOf(path);
    return row === undefined ? undefined : this.#entryAt(row);
  }

  *entries(): Generator<[string, FileEntry | undefined]> {
    for (let row = this.rows.depends; row < this.rows.count; row += 1) {
      yield [this.path(row), this.#entryAt(row)];
    }
  }

  path(row: number): string {
    return this.#index.path(row);
  }

  /** One `WANT` byte per action of the graph; empty: all are done. */
  wanted(): Uint8Array {
    return this.cold.subarray(this.#layout.wantedAt);
  }

  /** The checksum of an action's result; 0: it has none. */
  sum(number: number): number {
    return number < this.rows.actions ? this.cold.readUIntLE(this.#sumAt(number), SUM_BYTES) : 0;
  }

  sums(): Float64Array {
    return Float64Array.from({ length: this.rows.actions }, (_, number) => this.sum(number));
  }

  /** Whether a record has the result that is known here: a journal may have lost it, or be of a later build. */
  isOf(number: number, record: ActionRecord | undefined): record is ActionRecord {
    return record !== undefined && this.sum(number) === sumOf(record.result);
  }

  #sumAt(number: number): number {
    return this.#layout.sumsAt + number * SUM_BYTES;
  }

  /** Whether the graph requires the row's path to exist. */
  mustExist(row: number): boolean {
    return (this.#flags(row) & FLAG.mustExist) !== 0;
  }

  /** The paths that decide the graph. */
  depends(): Map<string, Depend> {
    const depends = new Map<string, Depend>();
    for (let row = 0; row < this.rows.count; row += 1) {
      if (row < this.rows.depends) depends.set(this.path(row), this.#dependAt(row));
      else if (this.mustExist(row)) depends.set(this.path(row), "exists");
    }
    return depends;
  }

  #dependAt(row: number): Depend {
    return this.rows.stamps[row * ROW_DOUBLES + 2] === ANY_SIZE ? "exists" : this.#stampAt(row);
  }

  /** Undefined: absent; null: not to be trusted. */
  #stampAt(row: number): FileStamp | undefined | null {
    const { stamps } = this.rows;
    const at = row * ROW_DOUBLES;
    const ino = stamps[at + 3] as number;
    if (Number.isNaN(ino)) return null;
    if (ino === ABSENT) return undefined;
    return {
      mtimeMs: stamps[at] as number,
      ctimeMs: stamps[at + 1] as number,
      size: stamps[at + 2] as number,
      ino,
    };
  }

  #entryAt(row: number): FileEntry | undefined {
    const stamp = this.#stampAt(row);
    if (stamp === undefined) return undefined;
    const flags = this.#flags(row);
    const digestAt = this.#layout.digestsAt + row * DIGEST_BYTES;
    return {
      stamp: stamp ?? { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 },
      executable: (flags & FLAG.executable) !== 0,
      racy: stamp === null || stamp.ctimeMs >= this.#onDiskBefore || (flags & FLAG.racy) !== 0,
      ...((flags & FLAG.digest) === 0
        ? {}
        : { digest: this.cold.toString("hex", digestAt, digestAt + DIGEST_BYTES) as Digest }),
    };
  }

  #flags(row: number): number {
    return this.cold[this.#layout.flagsAt + row] as number;
  }

  rowOf(path: string): number | undefined {
    return this.#index.find(path);
  }
}
