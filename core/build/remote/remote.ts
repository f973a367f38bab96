/**
 * A cache shared with others. Whatever it answers, bytes are taken only if they have the digest asked for,
 * and results only if they are about the action asked for (and, with a signing key, signed). Whatever it
 * does not answer costs a bounded delay: each request has a limit, after a few failures in a row, or one denial, it is
 * left alone, and also when it took more time than it saved. One that only takes nothing is still read.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { setMaxListeners } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import pLimit from "p-limit";
import { canonicalJson } from "../key/canonical.ts";
import { digestBytes } from "../key/digest.ts";
import type { ActionResult, StoredOutput } from "../key/result.ts";
import type { Action, Digest } from "../model/action.ts";
import { isBlobLost } from "../model/error.ts";
import { parseFolder, SHARED_FOLDERS, type TreeEntry } from "../records/folder.ts";
import { checkFits } from "../records/result.ts";
import { BadRecord } from "../records/schema.ts";
import type { ContentStore } from "../store/store.ts";
import { resultsFor, type SignedResult } from "./entry.ts";
import { type Attempt, Refused, type Transport } from "./transport.ts";
import { decodeEntry, encodeEntry } from "./wire.ts";

export interface RemoteOptions {
  /** Take only, as untrusted builds should. */
  readonly readOnly?: boolean;
  /** Results are signed with it, and taken only when they are. */
  readonly signingKey?: string;
  /** For an answer about an action, in seconds; default 5. */
  readonly answerSeconds?: number;
  /** For a blob, in seconds, beside the time that its bytes take at the slowest rate that is borne; default 15. */
  readonly blobSeconds?: number;
  /** For all of a result, to come or to be sent, if it took no longer to make, in seconds; default 60. */
  readonly resultSeconds?: number;
  /** So much more time may be waited for it than it saves, in seconds; default 30. */
  readonly patienceSeconds?: number;
  /** Told once when the cache is given up, and once when nothing more is sent there. */
  readonly onTrouble: (message: string) => void;
}

/** So many requests may fail in a row. */
const FAILURES = 3;
/** Results kept for one action: they differ in what was discovered. */
const CANDIDATES = 8;
/** Blobs from this size on are asked for before they are sent. */
const WORTH_ASKING = 64 * 1024;
/** The slowest rate that is borne, in bytes per second. */
const SLOWEST = 100_000;

/** What a result takes to come, or to be sent, in seconds, at most; less, down to as long as it took to make. */
const LONGEST = 3600;

/** Requests at once, of those that read and of those that write. */
const AT_ONCE = 8;

/** Bytes of what an action printed; arc sends less. */
const LOG_BYTES = 2 ** 26;

/** A result on its way here. */
interface Fetching {
  /** When it must have come, in ms. */
  readonly latest: number;
  /** A part of it cannot be had: what has not been asked for yet is of no use. */
  isLost: boolean;
}

export class RemoteCache {
  readonly #transport: Transport;
  readonly #store: ContentStore;
  readonly #options: RemoteOptions;
  readonly #abort = new AbortController();
  readonly #uploads = new Set<Promise<void>>();
  /** Each has its turns, so that nobody who waits for a result waits for uploads. */
  readonly #turns = { read: pLimit(AT_ONCE), write: pLimit(AT_ONCE) };
  /** Of blobs that entries named. */
  readonly #sizes = new Map<Digest, number>();
  /** In a row: requests that failed, and such to write that the server refused. */
  readonly #failures = { read: 0, write: 0 };
  /** Why the first request failed; "" once another succeeded, or it was told. */
  #untold: string | undefined;
  /** It was told that the server sent what is no record. */
  #hasRefused = false;
  /** Questions under way. */
  #asking = 0;
  /** Up to when the time with questions under way is counted, in ms. */
  #countedTo = 0;
  /** So much more time was waited than saved, in seconds. */
  #lostSeconds = 0;

  constructor(transport: Transport, store: ContentStore, options: RemoteOptions) {
    this.#transport = transport;
    this.#store = store;
    this.#options = options;
    // One for each request under way.
    setMaxListeners(0, this.#abort.signal);
  }

  /** False when it was given up. */
  get isUsable(): boolean {
    return this.#failures.read < FAILURES && this.#lostSeconds <= this.#patience;
  }

  get #takes(): boolean {
    return this.isUsable && this.#failures.write < FAILURES;
  }

  /** Results for a base key, newest first; none when there are none, or no answer. Never rejects. */
  async candidates(action: Action, base: Digest): Promise<ActionResult[]> {
    const bytes = await this.#counted(
      this.#try("read", this.#answerSeconds, (attempt) => this.#transport.getEntry(base, attempt)),
    );
    if (bytes === undefined) return [];
    return this.#decode(bytes, base).filter((result) => this.#isGood(() => checkFits(result, action)));
  }

  /** Brings a result's bytes into the store; false when some cannot be had. Never rejects. */
  async fetch(result: ActionResult): Promise<boolean> {
    const fetched = await this.#counted(this.#fetch(result));
    // Never below none, so that what is claimed for one result excuses nothing later.
    if (fetched) this.#lostSeconds = Math.max(0, this.#lostSeconds - result.seconds);
    return fetched;
  }

  /** Sends a result and its bytes, in the background. */
  publish(result: ActionResult): void {
    if (this.#options.readOnly || !this.#takes) return;
    const upload = this.#publish(result).finally(() => this.#uploads.delete(upload));
    this.#uploads.add(upload);
  }

  /** Waits until everything is sent, or cannot be: each result has its limit. */
  async settle(): Promise<void> {
    await Promise.all(this.#uploads);
    if (this.#untold) this.#tell(`was of no use: ${this.#untold}`);
  }

  close(): void {
    this.#abort.abort();
    this.#transport.close();
  }

  /** Its parts at the same time: a folder of a thousand files would else take as many round trips. */
  async #fetch(result: ActionResult): Promise<boolean> {
    const fetching: Fetching = { latest: this.#latest(result), isLost: false };
    const log = result.log === undefined ? true : this.#fetchBlob(result.log, fetching, LOG_BYTES);
    const outputs = result.outputs.map((output) =>
      output.kind === "folder" ? this.#fetchFolder(output, fetching) : this.#fetchFile(output, fetching),
    );
    return (await Promise.all([log, ...outputs])).every(Boolean);
  }

  async #fetchFile({ digest, size, name }: StoredOutput, fetching: Fetching): Promise<boolean> {
    const told = this.#sizes.get(digest) ?? size;
    return (
      this.#isGood(() => checkSize(name, told, size), fetching) &&
      (await this.#fetchBlob(digest, fetching, size, size)) &&
      this.#isGood(() => checkSize(name, this.#store.sizeOf(digest), size), fetching)
    );
  }

  /** The list first: what is none is not kept, and nothing that it names is asked for. */
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
    const untold = files.filter((file) => sizeOf(file) === undefined);
    // What is under way at once is no more than what was announced: one by one where the server does not tell how much it is.
    if (sum(files) > size) return isRight();
    const told = [...new Set(files)].filter((file) => sizeOf(file) !== undefined);
    const coming = told.map((file) => this.#fetchBlob(file, fetching, sizeOf(file) ?? 0));
    let isWhole = (await Promise.all(coming)).every(Boolean);
    for (const file of untold) isWhole &&= await this.#fetchBlob(file, fetching, size - sum(files));
    return isWhole && isRight();
  }

  /** `size`, if it is known, `limit` if not; the bytes are kept if `isGood` says so. */
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
      const isHere = (await this.#try("read", this.#blobSeconds, get, fetching.latest)) === true && isKept();
      if (!isHere) fetching.isLost = true;
      return isHere;
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Whether a check of what came from the server finds nothing; what it finds is told, once. */
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
    if (!this.#hasRefused) this.#tell(`sent a record that cannot be true, which is not used: ${reason}`);
    this.#hasRefused = true;
  }

  /** When a result must have come, or been sent, in ms. */
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
      if (size >= WORTH_ASKING && (await this.#transport.hasBlob(digest, size, attempt))) return true;
      await this.#transport.putBlob(digest, this.#store.path(digest), size, attempt);
      return true;
    };
    const sendInTurn = async (blob: (typeof blobs)[number]): Promise<void> => {
      const sent = this.#try("write", this.#blobSeconds, (attempt) => send(blob, attempt), latest);
      if ((await sent) !== true) isSent = false;
    };
    await Promise.all(blobs.map(sendInTurn));
    if (!isSent) return;
    const ask = (attempt: Attempt) => this.#transport.getEntry(result.base, attempt);
    const known = await this.#try("write", this.#answerSeconds, ask, latest);
    const others = known === undefined ? [] : this.#decodeSigned(known, result.base);
    const signed: SignedResult[] = [
      { result, ...this.#sign(result) },
      ...others.filter((other) => other.result.key !== result.key),
    ].slice(0, CANDIDATES);
    const named = new Map(blobs.map((blob) => [blob.digest, blob]));
    for (const other of signed.slice(1)) {
      for (const { digest, size, kind } of other.result.outputs) {
        if (kind === "file") named.set(digest, { digest, size });
      }
    }
    // Also what is in their folders, and their logs, as long as none of them was left out.
    if (signed.length > others.length && known !== undefined)
      for (const blob of decodeEntry(known)?.blobs ?? []) named.set(blob.digest, blob);
    const entry = encodeEntry({ blobs: [...named.values()], arc: JSON.stringify(signed) });
    await this.#try(
      "write",
      this.#answerSeconds,
      (attempt) => this.#transport.putEntry(result.base, entry, attempt),
      latest,
    );
  }

  /** What others would not take from the server. */
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

  #sign(result: ActionResult): { signature?: string } {
    const { signingKey } = this.#options;
    if (signingKey === undefined) return {};
    return {
      signature: createHmac("sha256", signingKey)
        .update(canonicalJson(result as never))
        .digest("hex"),
    };
  }

  #isSigned({ result, signature }: SignedResult): boolean {
    const wanted = this.#sign(result).signature;
    if (wanted === undefined) return true;
    if (signature?.length !== wanted.length) return false;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(wanted));
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
    return good.filter((one) => this.#isSigned(one));
  }

  get #answerSeconds(): number {
    return this.#options.answerSeconds ?? 5;
  }

  get #blobSeconds(): number {
    return this.#options.blobSeconds ?? 15;
  }

  get #patience(): number {
    return this.#options.patienceSeconds ?? 30;
  }

  /** Counts the time in which something is waited for, however many questions there are at once. */
  async #counted<T>(question: Promise<T>): Promise<T> {
    if (this.#asking === 0) this.#countedTo = performance.now();
    this.#asking += 1;
    try {
      return await question;
    } finally {
      const wasUsable = this.isUsable;
      const now = performance.now();
      this.#lostSeconds += (now - this.#countedTo) / 1000;
      this.#countedTo = now;
      this.#asking -= 1;
      if (wasUsable && !this.isUsable) this.#giveUp("it costs more time than it saves");
    }
  }

  /**
   * Undefined when the request failed, took too long, or is not tried any more; `latest`, in ms, is when it
   * ends whatever comes. Its time counts from its turn on.
   */
  #try<T>(
    kind: "read" | "write",
    seconds: number,
    request: (attempt: Attempt) => Promise<T>,
    latest = Number.POSITIVE_INFINITY,
  ): Promise<T | undefined> {
    return this.#turns[kind](() => this.#attempt(kind, seconds, request, latest));
  }

  async #attempt<T>(
    kind: "read" | "write",
    seconds: number,
    request: (attempt: Attempt) => Promise<T>,
    latest: number,
  ): Promise<T | undefined> {
    if (!(kind === "read" ? this.isUsable : this.#takes) || this.#abort.signal.aborted) return undefined;
    const limit = new AbortController();
    const stop = (): void => limit.abort();
    // Bytes that come buy time, at a rate that a server cannot abuse.
    let deadline = performance.now() + seconds * 1000;
    let timer: NodeJS.Timeout | undefined;
    const watch = (): void => {
      const left = Math.min(deadline, latest) - performance.now();
      if (left <= 0) stop();
      else timer = setTimeout(watch, left);
    };
    watch();
    this.#abort.signal.addEventListener("abort", stop, { once: true });
    const onBytes = (count: number): void => {
      deadline += (count / SLOWEST) * 1000;
    };
    try {
      const answer = await request({ signal: limit.signal, onBytes });
      this.#untold = "";
      for (const one of ["read", kind] as const) if (this.#failures[one] < FAILURES) this.#failures[one] = 0;
      return answer;
    } catch (error) {
      if (this.#abort.signal.aborted) return undefined;
      const why = limit.signal.aborted ? "it gave no answer in time" : (error as Error).message;
      if (error instanceof Refused) this.#noteFailure(kind, why, error.forGood);
      else this.#noteFailure("read", why, false);
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#abort.signal.removeEventListener("abort", stop);
    }
  }

  #noteFailure(kind: "read" | "write", why: string, forGood: boolean): void {
    this.#untold ??= why;
    const before = this.#failures[kind];
    this.#failures[kind] = forGood ? Math.max(before, FAILURES) : before + 1;
    if (before >= FAILURES || this.#failures[kind] < FAILURES) return;
    if (kind === "read") this.#giveUp(why);
    else {
      this.#untold = "";
      this.#tell(`gets nothing more from this build: ${why}`);
    }
  }

  #giveUp(why: string): void {
    this.#untold = "";
    this.#tell(`is not used any more in this build: ${why}`);
  }

  #tell(what: string): void {
    this.#options.onTrouble(`the shared cache ${this.#transport.name} ${what}`);
  }
}

function checkSize(output: string, bytes: number, told: number): void {
  if (bytes !== told)
    throw new BadRecord(
      `the output ${JSON.stringify(output)} has not the ${told} bytes that the result tells of`,
    );
}
