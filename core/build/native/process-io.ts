/**
 * The work around a small action's process, as data. An executor may do it together with the process, off the main
 * thread (native/errands.c). What it leaves undone is done by staging, store, materializer and sandbox.
 */
import type { Digest } from "../model/action.ts";
import type { FileStamp } from "../model/stat-signature.ts";

/** A blob that must appear in the sandbox. */
export interface Link {
  readonly digest: Digest;
  readonly blob: string;
  readonly to: string;
  /** The file to copy from if the store does not have the blob; empty: none. */
  readonly source: string;
}

/** An output file that goes into the store and from there to its place. */
interface Taking {
  readonly name: string;
  readonly file: string;
  /** Absolute path; empty: none. */
  readonly place: string;
  /** With `as-written`, an executable file is left to the caller. */
  readonly executable: boolean | "as-written";
}

export interface Errands {
  readonly links: readonly Link[];
  readonly outputs: readonly Taking[];
  /** Exit codes with which outputs are collected. */
  readonly ok: readonly number[];
  /** Common prefix of the paths of all blobs. */
  readonly blobs: string;
  /** Folders for incomplete files: on the store's file system, and on that of the places. */
  readonly scratch: string;
  readonly placeScratch: string;
  readonly work: string;
  readonly temporary: string;
  /** Folders kept in `work`. */
  readonly folders: readonly string[];
}

export interface CollectedOutput {
  readonly digest: Digest;
  readonly size: number;
  /** The blob is new to the store. */
  readonly added: boolean;
  /** Stamp of the file in its place; absent if it is not there. */
  readonly placed?: FileStamp;
}

export interface ErrandsDone {
  /** The process wrote to one of its inputs. Then no outputs are collected. */
  readonly inputWritten: boolean;
  /** The sandbox is clean except for its log. */
  readonly isTidy: boolean;
  /** Size of the log in bytes. */
  readonly logged: number;
  /** For each link: bytes that were new to the store, or -1. */
  readonly put: readonly number[];
  /** For each output; undefined: left to the caller. */
  readonly collected: readonly (CollectedOutput | undefined)[];
}
