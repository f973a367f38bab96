/** Transfers bytes to and from a shared cache: one implementation per protocol. */
import { buffer } from "node:stream/consumers";
import type { Digest } from "../model/action.ts";
import type { Environment } from "./proxy.ts";

/** One request. It must end when `signal` aborts; `onBytes` is called for every transferred piece of a blob. */
export interface Attempt {
  readonly signal: AbortSignal;
  onBytes(count: number): void;
}

/** What identifies a blob in a request. */
interface BlobName {
  readonly digest: Digest;
  /** In bytes, if known. */
  readonly size?: number;
}

/** The server refused the request. */
export class Refused extends Error {
  /** Repeating the request will not help. */
  readonly forGood: boolean;

  constructor(message: string, forGood: boolean) {
    super(message);
    this.forGood = forGood;
  }
}

/** Throws `Refused`, or any other error if there was no answer. */
export interface Transport {
  /** For messages; without credentials. */
  readonly name: string;
  /** The entry of an action; undefined: the server has none. */
  getEntry(base: Digest, attempt: Attempt): Promise<Buffer | undefined>;
  putEntry(base: Digest, bytes: Buffer, attempt: Attempt): Promise<void>;
  /** Writes at most `limit` bytes of a blob to a new file; false: the server does not have the blob. */
  getBlob(blob: BlobName, file: string, limit: number, attempt: Attempt): Promise<boolean>;
  hasBlob(digest: Digest, size: number, attempt: Attempt): Promise<boolean>;
  putBlob(digest: Digest, file: string, size: number, attempt: Attempt): Promise<void>;
  close(): void;
}

/** The server's address, and what it learns about the client. */
export interface ServerOptions {
  /** Includes a path when the cache is not at the root; `user:password@` becomes basic authentication. */
  readonly url: string;
  /** Sent with every request; never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** File with certificates that are trusted in addition to Node's own. */
  readonly certificates?: string;
  /** Variables that name proxies: `http_proxy`, `https_proxy`, `no_proxy`. */
  readonly environment?: Environment;
  /** Parallel requests. */
  readonly connections?: number;
}

/** Entries are small; anything larger is not one. */
export const ENTRY_BYTES = 16 * 1024 * 1024;

/** Reads an entry that comes in pieces; throws the error of `tooMany` when it is too large. */
export function wholeEntry(pieces: AsyncIterable<Buffer>, tooMany: () => Error): Promise<Buffer> {
  return buffer(counting(ENTRY_BYTES, () => {}, tooMany)(pieces));
}

/** Passes pieces on up to a limit. */
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
