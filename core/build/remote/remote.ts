/**
 * A cache shared with others. Bytes are accepted only if they have the digest asked for, and results only if they are
 * about the action asked for (and, with a signing key, signed).
 */
import { readFileSync, rmSync } from "node:fs";
import { digestBytes } from "../key/digest.ts";
import type { ActionResult, StoredOutput } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import { isBlobLost } from "../model/error.ts";
import { errnoOf } from "../model/system-error.ts";
import { parseFolder, SHARED_FOLDERS, type TreeEntry } from "../records/folder.ts";
import { checkFits } from "../records/result.ts";
import { BadRecord } from "../records/schema.ts";
import type { ContentStore } from "../store/store.ts";
import { resultsFor, type SignedResult } from "./entry.ts";
import { type RequestOptions, Requests } from "./requests.ts";
import { isSigned, signatureOf } from "./signing.ts";
import type { Attempt, Transport } from "./transport.ts";
import { decodeEntry, encodeEntry } from "./wire.ts";

export interface RemoteOptions extends RequestOptions {
  /** Download only, as untrusted builds should. */
  readonly readOnly?: boolean;
  /** Results are signed with this key, and accepted only if signed with it. */
  readonly signingKey?: string;
  /** Time limit for an answer about an action, in seconds; default 5. */
  readonly answerSeconds?: number;
  /**
   * Time limit for a blob, in seconds, in addition to the transfer time of its bytes at the slowest accepted rate;
   * default 15.
   */
  readonly blobSeconds?: number;
  /** Time limit for the transfer of a complete result, in seconds, unless making it took longer; default 60. */
  readonly resultSeconds?: number;
}

/** How many results are kept for one action; they differ in what was discovered. */
const CANDIDATES = 8;
/** For blobs of at least this size arc checks whether the server has them before sending them. */
const PROBE_FROM = 64 * 1024;
/** Upper bound in seconds for the transfer of a result, if making it took that long. */
const LONGEST = 3600;

/** Limit of an action's log in bytes; arc sends less. */
const LOG_BYTES = 2 ** 26;

/** A result that is being downloaded. */
interface Fetching {
  /** Deadline in ms. */
  readonly latest: number;
  /** A part is unavailable, so that requesting the rest is of no use. */
  isLost: boolean;
}

export class RemoteCache {
  readonly #transport: Transport;
  readonly #store: ContentStore;
  readonly #options: RemoteOptions;
  readonly #requests: Requests;
  readonly #uploads = new Set<Promise<void>>();
  /** Sizes of blobs named in entries. */
  readonly #sizes = new Map<Digest, number>();
  /** An invalid record from the server was already reported. */
  #hasRefused = false;
  constructor(transport: Transport, store: ContentStore, options: RemoteOptions) {
    this.#transport = transport;
    this.#store = store;
    this.#options = options;
    this.#requests = new Requests(transport.name, options);
  }

  /** False once it was given up. */
  get isUsable(): boolean {
    return this.#requests.isUsable;
  }

  /** Results for a base key, newest first; empty when there are none, or no answer. Never rejects. */
  async candidates(action: Action, base: Digest): Promise<ActionResult[]> {
    const bytes = await this.#requests.counted(
      this.#requests.try("read", this.#answerSeconds, (attempt) => this.#transport.getEntry(base, attempt)),
    );
    if (bytes === undefined) return [];
    return this.#decode(bytes, base).filter((result) => this.#isGood(() => checkFits(result, action)));
  }

  /** Downloads a result's bytes into the store; false when some are unavailable. Never rejects. */
  async fetch(result: ActionResult): Promise<boolean> {
    const fetched = await this.#requests.counted(this.#fetch(result));
    if (fetched) this.#requests.noteSaved(result.seconds);
    return fetched;
  }

  /** Uploads a result and its bytes in the background; not what another process removes from the store meanwhile. */
  publish(result: ActionResult): void {
    if (this.#options.readOnly || !this.#requests.takes) return;
    const upload = this.#publish(result)
      .catch((error: unknown) => {
        if (errnoOf(error) !== "ENOENT") throw error;
        this.#options.onTrouble(`${result.key} is not shared: the store has lost bytes of it`);
      })
      .finally(() => this.#uploads.delete(upload));
    this.#uploads.add(upload);
  }

  /** Waits until every upload has succeeded or failed; each has a time limit. */
  async settle(): Promise<void> {
    await Promise.all(this.#uploads);
    this.#requests.finish();
  }

  close(): void {
    this.#requests.abort();
    this.#transport.close();
  }

  /** Downloads all parts in parallel: a folder of a thousand files would otherwise take as many round trips. */
  async #fetch(result: ActionResult): Promise<boolean> {
    const fetching: Fetching = { latest: this.#latest(result), isLost: false };
    const log = result.log === undefined ? true : this.#fetchBlob(result.log, fetching, LOG_BYTES);
    const outputs = result.outputs.map((output) =>
      output.kind === "folder" ? this.#fetchFolder(output, fetching) : this.#fetchFile(output, fetching),
    );
    return (await Promise.all([log, ...outputs])).every(Boolean);
  }

  async #fetchFile({ digest, size, name }: StoredOutput, fetching: Fetching): Promise<boolean> {
    const announced = this.#sizes.get(digest) ?? size;
    return (
      this.#isGood(() => checkSize(name, announced, size), fetching) &&
      (await this.#fetchBlob(digest, fetching, size, size)) &&
      this.#isGood(() => checkSize(name, this.#store.sizeOf(digest), size), fetching)
    );
  }

  /** Downloads the list first: an invalid one is not kept, and nothing that it names is requested. */
  async #fetchFolder({ digest, size, name }: StoredOutput, fetching: Fetching): Promise<boolean> {
    let entries: readonly TreeEntry[] = [];
    const read = (parse: () => readonly TreeEntry[]): boolean =>
      this.#isGood(() => {
        entries = parse();
      }, fetching);
    const isThere = this.#store.has(digest)
      ? read(() => this.#store.readFolder(digest))
      : await this.#fetchBlob(digest, fetching, SHARED_FOLDERS.bytes, undefined, (bytes) =>
          read(() => parseFolder(bytes, SHARED_FOLDERS)),
        );
    if (!isThere) return false;
    const files = entries.flatMap((entry) => (entry.kind === "file" ? [entry.digest] : []));
    const sizeOf = (file: Digest): number | undefined =>
      this.#store.has(file) ? this.#store.sizeOf(file) : this.#sizes.get(file);
    const sum = (of: readonly Digest[]): number => of.reduce((all, file) => all + (sizeOf(file) ?? 0), 0);
    const isRight = (): boolean => this.#isGood(() => checkSize(name, sum(files), size), fetching);
    const unreported = files.filter((file) => sizeOf(file) === undefined);
    // Concurrent downloads must not exceed the announced size: files whose size the server does not tell come one by one.
    if (sum(files) > size) return isRight();
    const announced = [...new Set(files)].filter((file) => sizeOf(file) !== undefined);
    const coming = announced.map((file) => this.#fetchBlob(file, fetching, sizeOf(file) ?? 0));
    let isWhole = (await Promise.all(coming)).every(Boolean);
    for (const file of unreported) isWhole &&= await this.#fetchBlob(file, fetching, size - sum(files));
    return isWhole && isRight();
  }

  /** `size` if it is known, else `limit`. The bytes are kept if `isGood` accepts them. */
  async #fetchBlob(
    digest: Digest,
    fetching: Fetching,
    limit: number,
    size = this.#sizes.get(digest),
    isGood?: (bytes: Buffer) => boolean,
  ): Promise<boolean> {
    if (this.#store.has(digest)) return true;
    const file = this.#store.newScratchFile();
    const known = size === undefined ? {} : { size };
    const get = async (attempt: Attempt): Promise<boolean> => {
      if (fetching.isLost || this.#store.has(digest)) return !fetching.isLost;
      return this.#transport.getBlob({ digest, ...known }, file, limit, attempt);
    };
    const isKept = (): boolean => {
      if (this.#store.has(digest)) return true;
      if (isGood !== undefined) {
        const bytes = readFileSync(file);
        if (digestBytes(bytes) !== digest || !isGood(bytes)) return false;
      }
      return this.#store.putOwned(file, digest).digest === digest;
    };
    try {
      const isHere =
        (await this.#requests.try("read", this.#blobSeconds, get, fetching.latest)) === true && isKept();
      if (!isHere) fetching.isLost = true;
      return isHere;
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Whether a check of data from the server passes; a failure is reported once. */
  #isGood(check: () => void, fetching?: Fetching): boolean {
    try {
      check();
      return true;
    } catch (error) {
      if (!(error instanceof BadRecord) && !isBlobLost(error)) throw error;
      if (fetching !== undefined) fetching.isLost = true;
      this.#refuse(error.message);
      return false;
    }
  }

  #refuse(reason: string): void {
    if (!this.#hasRefused)
      this.#requests.report(`sent a record that cannot be true, which is not used: ${reason}`);
    this.#hasRefused = true;
  }

  /** Deadline for a result's transfer, in ms. */
  #latest({ seconds }: ActionResult): number {
    const { resultSeconds = 60 } = this.#options;
    return performance.now() + Math.min(Math.max(seconds, resultSeconds), LONGEST) * 1000;
  }

  async #publish(result: ActionResult): Promise<void> {
    const latest = this.#latest(result);
    const tooLarge = this.#tooLargeOf(result);
    if (tooLarge !== undefined) {
      this.#options.onTrouble(tooLarge);
      return;
    }
    const blobs = this.#blobsOf(result);
    let isSent = true;
    const send = async ({ digest, size }: (typeof blobs)[number], attempt: Attempt): Promise<boolean> => {
      if (!isSent) return false;
      if (size >= PROBE_FROM && (await this.#transport.hasBlob(digest, size, attempt))) return true;
      await this.#transport.putBlob(digest, this.#store.path(digest), size, attempt);
      return true;
    };
    const sendInTurn = async (blob: (typeof blobs)[number]): Promise<void> => {
      const sent = this.#requests.try("write", this.#blobSeconds, (attempt) => send(blob, attempt), latest);
      if ((await sent) !== true) isSent = false;
    };
    await Promise.all(blobs.map(sendInTurn));
    if (!isSent) return;
    const ask = (attempt: Attempt) => this.#transport.getEntry(result.base, attempt);
    const known = await this.#requests.try("write", this.#answerSeconds, ask, latest);
    const others = known === undefined ? [] : this.#decodeSigned(known, result.base);
    const signed: SignedResult[] = [
      { result, ...this.#signed(result) },
      ...others.filter((other) => other.result.key !== result.key),
    ].slice(0, CANDIDATES);
    const named = new Map(blobs.map((blob) => [blob.digest, blob]));
    for (const other of signed.slice(1)) {
      for (const { digest, size, kind } of other.result.outputs) {
        if (kind === "file") named.set(digest, { digest, size });
      }
    }
    // Includes the files in folders, and logs, as long as no result was left out.
    if (signed.length > others.length && known !== undefined)
      for (const blob of decodeEntry(known)?.blobs ?? []) named.set(blob.digest, blob);
    const entry = encodeEntry({ blobs: [...named.values()], arc: JSON.stringify(signed) });
    await this.#requests.try(
      "write",
      this.#answerSeconds,
      (attempt) => this.#transport.putEntry(result.base, entry, attempt),
      latest,
    );
  }

  /** The reason why others would not accept the result from the server: it is too large. */
  #tooLargeOf({ outputs }: ActionResult): string | undefined {
    for (const { name, kind, digest } of outputs) {
      if (kind !== "folder") continue;
      try {
        this.#store.parseFolder(digest, SHARED_FOLDERS);
      } catch (error) {
        if (!(error instanceof BadRecord)) throw error;
        return `the folder ${name} is not shared, as nobody would take it: ${error.message}; pack it into a file`;
      }
    }
    return undefined;
  }

  #blobsOf(result: ActionResult): { digest: Digest; size: number }[] {
    const blobs = new Map<Digest, number>();
    const add = (digest: Digest): void => void blobs.set(digest, this.#store.sizeOf(digest));
    if (result.log !== undefined) add(result.log);
    for (const { digest, kind } of result.outputs) {
      if (kind === "folder") {
        for (const entry of this.#store.readFolder(digest)) if (entry.kind === "file") add(entry.digest);
      }
      add(digest);
    }
    return [...blobs].map(([digest, size]) => ({ digest, size }));
  }

  #signed(result: ActionResult): { signature?: string } {
    const { signingKey } = this.#options;
    return signingKey === undefined ? {} : { signature: signatureOf(result, signingKey) };
  }

  #decode(bytes: Buffer, base: Digest): ActionResult[] {
    return this.#decodeSigned(bytes, base).map(({ result }) => result);
  }

  #decodeSigned(bytes: Buffer, base: Digest): readonly SignedResult[] {
    const entry = decodeEntry(bytes);
    const text = entry?.arc;
    if (entry === undefined || text === undefined) return [];
    for (const { digest, size } of entry.blobs) this.#sizes.set(digest, size);
    const { good, refused } = resultsFor(base, text);
    if (refused !== undefined) this.#refuse(refused);
    const { signingKey } = this.#options;
    return signingKey === undefined ? good : good.filter((one) => isSigned(one, signingKey));
  }

  get #answerSeconds(): number {
    return this.#options.answerSeconds ?? 5;
  }

  get #blobSeconds(): number {
    return this.#options.blobSeconds ?? 15;
  }
}

function checkSize(output: string, bytes: number, announced: number): void {
  if (bytes !== announced)
    throw new BadRecord(
      `the output ${JSON.stringify(output)} has not the ${announced} bytes that the result tells of`,
    );
}
