/**
 * What a small action needs around its process, as data: an executor may do it in the same breath, off the thread that
 * decides (native/errands.c). What it leaves undone is done by staging, store, materializer and sandbox, as without it.
 */
import type { Digest } from "../model/action.ts";
import type { FileStamp } from "../model/stat-signature.ts";

/** A blob that is to be seen in the sandbox. */
export interface Link {
  readonly digest: Digest;
  readonly blob: string;
  readonly to: string;
  /** A file that it is copied from if the store has none of it; empty: there is none. */
  readonly source: string;
}

/** A file that goes into the store, and from there to its place. */
export interface Taking {
  readonly name: string;
  readonly file: string;
  /** Absolute; empty: none. */
  readonly place: string;
  /** With `as-written` a file that can be executed is left to the caller. */
  readonly executable: boolean | "as-written";
}

export interface Errands {
  readonly links: readonly Link[];
  readonly outputs: readonly Taking[];
  /** Exit codes after which outputs are taken. */
  readonly ok: readonly number[];
  /** How the paths of all blobs start. */
  readonly blobs: string;
  /** Folders for what is not whole yet: on the store's file system, and on that of the places. */
  readonly scratch: string;
  readonly placeScratch: string;
  readonly work: string;
  readonly temporary: string;
  /** That stay in `work`. */
  readonly folders: readonly string[];
}

export interface Taken {
  readonly digest: Digest;
  readonly size: number;
  /** New to the store. */
  readonly added: boolean;
  /** Absent: it is not in its place. */
  readonly placed?: FileStamp;
}

export interface ErrandsDone {
  /** The process wrote to what it was given to read. Then no outputs are taken. */
  readonly inputWritten: boolean;
  /** The sandbox is as good as new, but for its log. */
  readonly isTidy: boolean;
  /** Bytes in the log. */
  readonly logged: number;
  /** As `links`: bytes that were new to the store, or -1. */
  readonly put: readonly number[];
  /** As `outputs`; undefined: left to the caller. */
  readonly taken: readonly (Taken | undefined)[];
}
