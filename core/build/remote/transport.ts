/** What carries bytes to and from a shared cache: one implementation per protocol. */
import { buffer } from "node:stream/consumers";
import type { Digest } from "../model/action.ts";
import type { Environment } from "./proxy.ts";

/** One request: to be ended when `signal` says so; `onBytes` is told of every piece of a blob that went through. */
export interface Attempt {
  readonly signal: AbortSignal;
  onBytes(count: number): void;
}

/** What a blob is asked for by. */
export interface BlobName {
  readonly digest: Digest;
  /** Bytes, where somebody told. */
  readonly size?: number;
}

/** The server answered that it does not do this. */
export class Refused extends Error {
  /** However often this client asks. */
  readonly forGood: boolean;

  constructor(message: string, forGood: boolean) {
    super(message);
    this.forGood = forGood;
  }
}

/** Throws `Refused`, or any other error where there was no answer. */
export interface Transport {
  /** For messages; without credentials. */
  readonly name: string;
  /** The entry of an action; undefined: the server has none. */
  getEntry(base: Digest, attempt: Attempt): Promise<Buffer | undefined>;
  putEntry(base: Digest, bytes: Buffer, attempt: Attempt): Promise<void>;
  /** Writes a blob's bytes, no more than `limit`, to a new file; false: the server has none. */
  getBlob(blob: BlobName, file: string, limit: number, attempt: Attempt): Promise<boolean>;
  hasBlob(digest: Digest, size: number, attempt: Attempt): Promise<boolean>;
  putBlob(digest: Digest, file: string, size: number, attempt: Attempt): Promise<void>;
  close(): void;
}

/** Where a server is, and what it is told of who asks. */
export interface ServerOptions {
  /** With a path when the cache is not at the root; `user:password@` becomes basic authentication. */
  readonly url: string;
  /** Sent with every request; never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** File with certificates to trust beside those that Node brings along. */
  readonly certificates?: string;
  /** Names proxies: `http_proxy`, `https_proxy`, `no_proxy`. */
  readonly environment?: Environment;
  /** Requests at once. */
  readonly connections?: number;
}

/** Entries are small; one that is not is no entry. */
export const ENTRY_BYTES = 16 * 1024 * 1024;

/** An entry that comes in pieces; throws what `tooMany` makes where it has no end. */
export function wholeEntry(pieces: AsyncIterable<Buffer>, tooMany: () => Error): Promise<Buffer> {
  return buffer(counting(ENTRY_BYTES, () => {}, tooMany)(pieces));
}

/** Passes pieces on, up to a limit. */
export function counting(
  limit: number,
  onBytes: (count: number) => void,
  tooMany = () => new Error("more bytes came than should"),
) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let count = 0;
    for await (const piece of pieces) {
      count += piece.length;
      if (count > limit) throw tooMany();
      onBytes(piece.length);
      yield piece;
    }
  };
}
