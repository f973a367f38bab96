/** What carries bytes to and from a shared cache: one implementation per protocol. */
import type { Digest } from "../action.ts";

/** One request: to be ended when `signal` says so; `onBytes` is told of every piece of a blob that went through. */
export interface Attempt {
  readonly signal: AbortSignal;
  onBytes(count: number): void;
}

export interface Transport {
  /** For messages; without credentials. */
  readonly name: string;
  /** The entry of an action; undefined: the server has none. */
  getEntry(base: Digest, attempt: Attempt): Promise<Buffer | undefined>;
  putEntry(base: Digest, bytes: Buffer, attempt: Attempt): Promise<void>;
  /** Writes a blob's bytes, no more than `limit`, to a new file; false: the server has none. */
  getBlob(digest: Digest, file: string, limit: number, attempt: Attempt): Promise<boolean>;
  hasBlob(digest: Digest, attempt: Attempt): Promise<boolean>;
  putBlob(digest: Digest, file: string, size: number, attempt: Attempt): Promise<void>;
  close(): void;
}
